package runner

import (
	"context"
	"fmt"
	"path/filepath"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// lastWord is the latest word of a person after a message, nil if there is none. The agents of the round have
// no say in this.
func (r *run) lastWord(after int64) *mail.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.history.words) - 1; i >= 0; i-- {
		m := &r.history.words[i]
		if _, agent := r.history.current().kickoffs[mail.NameKey(m.From)]; m.ID > after && !agent {
			return m
		}
	}
	return nil
}

// waitWhilePaused waits while a person has paused the run: before a round, and before each start of a program in it. A stop ends the
// pause.
func (r *run) waitWhilePaused(ctx context.Context, round int) error {
	for {
		changed := r.changed()
		if paused, err := r.notePause(round); err != nil || !paused {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// notePause tells whether a person has paused the run, and notes it for those who look.
func (r *run) notePause(round int) (bool, error) {
	r.pausing.Lock() // several agents may be about to start
	defer r.pausing.Unlock()
	m := r.lastWord(r.record.After)
	if m == nil || m.Subject != string(session.WordPause) || r.stopAsked() != nil {
		if r.record.Paused == nil {
			return false, nil
		}
		r.record.Paused = nil
		return false, r.keepRecord()
	}
	if r.record.Paused != nil {
		return true, nil
	}
	r.record.Paused = &pauseRecord{By: m.From, Since: m.CreatedAt}
	if err := r.keepRecord(); err != nil {
		return true, err
	}
	r.tell(Event{Kind: Paused, Round: round, Text: m.From})
	return true, nil
}

func (r *run) keepRecord() error { return save(filepath.Join(r.folder.path, "run.json"), r.record) }

// ask asks at the gate. A word on the thread is an answer as good as that of the person at the runner,
// also if it was said while no run was under way.
func (r *run) ask(ctx context.Context, next int) (Status, string, error) {
	if r.o.Ask == nil && r.record.Gate != nil { // it was asked before, and is played without asking now
		r.record.Gate = nil
		return "", "", r.keepRecord()
	}
	if r.o.Ask == nil {
		return "", "", nil
	}
	report, err := r.report(ctx)
	if err != nil {
		return "", "", err
	}
	if r.record.Gate == nil || r.record.Gate.Round != next {
		r.record.Gate = &gateRecord{Round: next, Since: r.mail.Now(), After: r.through()}
		if err := r.keepRecord(); err != nil {
			return "", "", err
		}
	}
	status, reason, err := r.answer(ctx, report, next)
	if err != nil || status == Waiting {
		return status, reason, err
	}
	r.record.Gate = nil
	return status, reason, r.keepRecord()
}

func (r *run) through() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.history.last
}

// answer waits for the first answer to a gate, from the thread or from the person here.
func (r *run) answer(ctx context.Context, report Report, next int) (Status, string, error) {
	type reply struct {
		on  bool
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	var replies chan reply
	defer func() { // the prompt is told that there is an answer, and waited for
		cancel()
		if replies != nil {
			<-replies
		}
	}()
	for {
		changed := r.changed()
		if m := r.stopAsked(); m != nil {
			return Stopped, fmt.Sprintf("%s said so in message %d", m.From, m.ID), nil
		}
		if m := r.lastWord(r.record.Gate.After); m != nil && m.Subject == string(session.WordGo) {
			return "", "", nil
		}
		if replies == nil {
			r.tell(Event{Kind: Asking, Round: next})
			replies = make(chan reply, 1)
			go func() {
				on, err := r.o.Ask(ctx, report, next)
				replies <- reply{on, err}
			}()
		}
		select {
		case <-changed:
		case got := <-replies:
			replies = nil
			switch {
			case protocol.CodeOf(got.err) == protocol.Waiting:
				return Waiting, got.err.Error(), nil
			case got.err != nil:
				return "", "", got.err
			case !got.on:
				return Stopped, fmt.Sprintf("stopped at the gate before round %d", next), nil
			}
			return "", "", nil
		}
	}
}
