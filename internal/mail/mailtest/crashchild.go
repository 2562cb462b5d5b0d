package mailtest

import (
	"context"
	"fmt"
	"os"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var crashThreads = []string{"RS-20260110-crash-one", "RS-20260110-crash-two"}

// CrashChild is the other side of RunCrash. The TestMain of an engine calls it first: in a
// child process it sends until it is killed and never returns.
func CrashChild(open func(ctx context.Context, place string) (mail.Store, error)) {
	place := os.Getenv(crashPlace)
	if place == "" {
		return
	}
	work := sendUntilKilled
	if os.Getenv(crashTask) == archivingTask {
		work = archiveUntilKilled
	}
	if err := work(open, place, os.Getenv(crashName)); err != nil {
		fmt.Fprintln(os.Stderr, "crash child:", err)
	}
	os.Exit(1)
}

func sendUntilKilled(open func(ctx context.Context, place string) (mail.Store, error), place, name string) error {
	ctx := context.Background()
	s, err := open(ctx, place)
	if err != nil {
		return err
	}
	p, err := s.EnsureProject(ctx, "/srv/Lab One", start)
	if err != nil {
		return err
	}
	f := &fixture{store: s, project: p.ID, ctx: ctx}
	time.AfterFunc(30*time.Second, func() { os.Exit(2) }) // in case it is not killed
	failed := make(chan error)
	for sender := range 6 {
		send := f.crashSend
		if sender < len(crashThreads) {
			send = f.crashCompile
		}
		go func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%s/%d/%d", name, sender, i)
				if err := send(key, crashThreads[sender%len(crashThreads)]); err != nil {
					failed <- err
					return
				}
				fmt.Fprintln(os.Stdout, key) // one write: told, whole or not at all
			}
		}()
	}
	return <-failed
}

// crashSend sends a message.
func (f *fixture) crashSend(key, thread string) error {
	e := f.entry(thread, "DELTA[gpt]: "+key)
	e.Type, e.Message.Body = protocol.TypeDelta, resultBody
	e.Key = key
	_, err := f.store.Append(f.ctx, f.project, time.Now(), e)
	return err
}

// crashCompile publishes a version that covers what is before it.
func (f *fixture) crashCompile(key, thread string) error {
	_, err := f.store.Compose(f.ctx, f.project, time.Now(), func(ctx context.Context, tx mail.Tx) ([]mail.Entry, error) {
		threads, err := tx.Threads(ctx, mail.ThreadQuery{Project: f.project, IDs: []string{thread}})
		if err != nil {
			return nil, err
		}
		last, err := tx.Messages(ctx, mail.MessageQuery{Project: f.project, Thread: thread, Order: mail.NewestFirst, Limit: 1})
		if err != nil {
			return nil, err
		}
		e := compiledEntry(f, thread, threads[0].LatestVersion+1)
		e.Key, e.Message.Body = key, fmt.Sprintf("%d messages up to %d", threads[0].Messages, last[0].ID)
		return []mail.Entry{e}, nil
	})
	return err
}

// coverage is what a version says that covers messages.
func coverage(messages []mail.Message) string {
	return fmt.Sprintf("%d messages up to %d", len(messages), messages[len(messages)-1].ID)
}
