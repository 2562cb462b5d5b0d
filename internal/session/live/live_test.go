package live_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session/live"
	"brenner/internal/store/sqlite"
)

const thread = "RS-20260110-turning-cells"

// subjects is a fold that remembers what it has folded.
type subjects struct {
	Thread string
	Said   []string
	At     fold.Position
}

var kind = live.Kind[*subjects]{
	Name: "test.subjects",
	Add:  add,
	New:  func(id string) *subjects { return &subjects{Thread: id} },
	Load: func(data []byte) (*subjects, error) {
		s := &subjects{}
		return s, json.Unmarshal(data, s)
	},
}

func add(s *subjects, messages ...mail.Message) {
	for _, m := range messages {
		s.Said, s.At = append(s.Said, m.Subject), fold.Position{Message: m.ID, Chain: m.ChainHash}
	}
}

func (s *subjects) Fork() *subjects {
	return &subjects{s.Thread, slices.Clip(slices.Clone(s.Said)), s.At}
}
func (s *subjects) Position() fold.Position { return s.At }
func (s *subjects) Len() int                { return len(s.Said) }
func (s *subjects) Weight() int             { return 100 * len(s.Said) }
func (s *subjects) Save() ([]byte, error)   { return json.Marshal(s) }
func (s *subjects) Fresh() []fold.Window    { return nil }

// counter is a store that counts what is asked and kept.
type counter struct {
	mail.Store
	mu       sync.Mutex
	messages int // read
	kept     int // projections written
}

func (c *counter) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	found, err := c.Store.Messages(ctx, q)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages += len(found)
	return found, err
}

func (c *counter) PutProjection(ctx context.Context, project mail.ProjectID, p mail.Projection) error {
	c.mu.Lock()
	c.kept++
	c.mu.Unlock()
	return c.Store.PutProjection(ctx, project, p)
}

func (c *counter) take() (messages, kept int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	messages, kept, c.messages, c.kept = c.messages, c.kept, 0, 0
	return messages, kept
}

// project is a project with one agent.
func project(t testing.TB, store mail.Store) *mail.Service {
	t.Helper()
	p, err := store.EnsureProject(t.Context(), "/lab", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	service := mail.NewService(store, p, mail.Options{})
	if _, err := service.Register(t.Context(), mail.Registration{Name: "BlueLake"}); err != nil {
		t.Fatal(err)
	}
	return service
}

func send(t interface{ Fatal(...any) }, service *mail.Service, threadID, text string) mail.Message {
	sent, err := service.Send(context.Background(), mail.Outgoing{Draft: message.Draft{
		ThreadID: threadID, From: "BlueLake", To: []string{"BlueLake"}, Subject: "INFO: " + text, Body: "Text.",
	}})
	if err != nil {
		t.Fatal(err)
	}
	return sent.Message
}

func folds(service *mail.Service, budget int) *live.Threads[*subjects, struct{}] {
	return live.New[*subjects, struct{}](service.Store(), service.Project().ID, kind, budget)
}

func said(t interface{ Fatal(...any) }, threads *live.Threads[*subjects, struct{}], id string) []string {
	f, err := threads.Snapshot(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return f.Said
}

// Each message is folded once, whoever asks how often, and nothing is written meanwhile.
func TestEachMessageIsFoldedOnce(t *testing.T) {
	store := &counter{Store: memory.New()}
	service := project(t, store)
	threads := folds(service, live.Budget)
	if _, err := threads.Snapshot(t.Context(), thread); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("a thread without messages: %v", err)
	}
	var snapshots []*subjects
	for i := range 20 {
		send(t, service, thread, fmt.Sprint(i))
		for range 3 {
			f, err := threads.Snapshot(t.Context(), thread)
			if err != nil || f.Len() != i+1 {
				t.Fatalf("%+v, %v", f, err)
			}
			snapshots = append(snapshots, f)
		}
	}
	for i, f := range snapshots {
		if f.Len() != i/3+1 || f.Said[i/3] != fmt.Sprintf("INFO: %d", i/3) {
			t.Fatalf("a snapshot changed: %v", f.Said)
		}
	}
	if messages, kept := store.take(); messages > 2*20+10 || kept != 0 {
		t.Errorf("%d messages were read for 20, and %d times something was kept", messages, kept)
	}
}

// A process keeps what it folded every so many messages and at its end, unless that is little; the next one
// folds only the rest. What is damaged is folded again.
func TestKeptFoldsAreCaughtUp(t *testing.T) {
	store := &counter{Store: memory.New()}
	service := project(t, store)
	for i := range 300 {
		send(t, service, thread, fmt.Sprint(i))
	}
	first := folds(service, live.Budget)
	summary, err := service.Thread(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	store.take()
	if f, err := first.At(t.Context(), summary); err != nil || f.Len() != 300 {
		t.Fatal(err)
	}
	if _, kept := store.take(); kept != 0 {
		t.Error("At writes")
	}
	said(t, first, thread)
	if _, kept := store.take(); kept != 1 {
		t.Errorf("300 messages were kept %d times", kept)
	}
	send(t, service, thread, "more")
	said(t, first, thread)
	first.Close(t.Context())
	if _, kept := store.take(); kept != 0 {
		t.Error("one message is worth writing all of them")
	}
	next := folds(service, live.Budget)
	if got := said(t, next, thread); len(got) != 301 || got[300] != "INFO: more" {
		t.Errorf("the next process has %d messages", len(got))
	}
	if messages, _ := store.take(); messages > 5 {
		t.Errorf("the next process read %d messages", messages)
	}
	for i := range 20 {
		send(t, service, thread, fmt.Sprint(i))
	}
	said(t, next, thread)
	next.Close(t.Context())
	if _, kept := store.take(); kept != 1 {
		t.Error("what a process folded is lost at its end")
	}
	p, err := store.Projection(t.Context(), service.Project().ID, kind.Name, thread)
	if err != nil || p.Through == 0 {
		t.Fatal(err)
	}
	p.Data = bytes.Replace(p.Data, []byte("INFO: 7"), []byte("INFO: 8"), 1)
	p.Through++
	if err := store.PutProjection(t.Context(), service.Project().ID, p); err != nil {
		t.Fatal(err)
	}
	if got := said(t, folds(service, live.Budget), thread); len(got) != 321 || got[7] != "INFO: 7" {
		t.Errorf("a damaged fold is used: %v", got[:10])
	}
}

// The weight of what stays in memory is bounded; the thread in use stays.
func TestMemoryIsBounded(t *testing.T) {
	store := &counter{Store: memory.New()}
	service := project(t, store)
	id := func(i int) string { return fmt.Sprintf("RS-20260110-cells-%d", i) }
	for i := range 30 {
		for range 3 {
			send(t, service, id(i), "a")
		}
	}
	threads := folds(service, 10*300)
	for i := range 30 {
		said(t, threads, id(i))
	}
	store.take()
	for i := 20; i < 30; i++ {
		said(t, threads, id(i))
	}
	if messages, _ := store.take(); messages != 0 {
		t.Errorf("what was used last is gone: %d messages were read", messages)
	}
	said(t, threads, id(0))
	if messages, _ := store.take(); messages != 3 {
		t.Errorf("what was used first is still there: %d messages were read", messages)
	}
	large := folds(service, 1)
	said(t, large, id(1))
	store.take()
	if said(t, large, id(1)); store.messages != 0 {
		t.Error("the thread in use is dropped")
	}
}

// A fold that a transaction took further is not folded again, and one that was rolled back leaves no trace.
func TestThroughAndAdopt(t *testing.T) {
	store := &counter{Store: memory.New()}
	service := project(t, store)
	send(t, service, thread, "one")
	threads := folds(service, live.Budget)
	base, err := threads.Snapshot(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	two := send(t, service, thread, "two")
	f, err := threads.Through(t.Context(), store, thread, base)
	if err != nil || f.Len() != 2 || base.Len() != 1 {
		t.Fatalf("%+v from %+v, %v", f, base, err)
	}
	three := send(t, service, thread, "three")
	add(f, three)
	threads.Adopt(thread, f)
	store.take()
	if got := said(t, threads, thread); len(got) != 3 || store.messages != 0 {
		t.Errorf("%v after reading %d messages", got, store.messages)
	}
	older, err := threads.Through(t.Context(), store, thread, base)
	if err != nil {
		t.Fatal(err)
	}
	threads.Adopt(thread, base)
	if got := said(t, threads, thread); len(got) != 3 || older.Len() != 3 || two.ID == 0 {
		t.Errorf("an older fold took the place of a newer one: %v", got)
	}
}

// One process writes and another reads, on one file: whatever the reader sees is a prefix of the log.
func TestTwoProcessesOnOneStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mail.db")
	open := func() mail.Store {
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		return store
	}
	writer, reader := project(t, open()), project(t, open())
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		id := fmt.Sprintf("RS-20260110-cells-%d", round)
		var log []string
		for i := range rapid.IntRange(1, 8).Draw(t, "messages") {
			log = append(log, fmt.Sprintf("INFO: %d", i))
		}
		threads := folds(reader, rapid.SampledFrom([]int{1, live.Budget}).Draw(t, "budget"))
		others := folds(writer, live.Budget)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range log {
				send(t, writer, id, fmt.Sprint(i))
				said(t, others, id)
			}
		}()
		for finished, seen := false, 0; !finished; {
			select {
			case <-done:
				finished = true
			default:
			}
			f, err := threads.Snapshot(context.Background(), id)
			if protocol.CodeOf(err) == protocol.NotFound && !finished {
				continue
			}
			if err != nil || f.Len() > len(log) || f.Len() < seen || !slices.Equal(f.Said, log[:f.Len()]) {
				t.Fatalf("%v, %v is no prefix of %v, or less than was there", f, err, log)
			}
			if seen = f.Len(); finished && seen != len(log) {
				t.Fatalf("the end has %d of %d messages", seen, len(log))
			}
		}
	})
}

// Another store takes the place of the one that was read, with as many messages or more or fewer, and
// with the same ids: nothing of the old one is shown.
func TestReplacedStore(t *testing.T) {
	for _, n := range []int{1, 4, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := t.TempDir()
			fill := func(name, text string, n int) string {
				path := filepath.Join(dir, name)
				store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				service := project(t, store)
				for range n {
					send(t, service, thread, text)
				}
				return path
			}
			old, other := fill("mail.db", "old", 4), fill("other.db", "new", n)
			store, err := sqlite.Open(t.Context(), old, sqlite.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			service := project(t, store)
			threads := folds(service, live.Budget)
			if got := said(t, threads, thread); len(got) != 4 {
				t.Fatal(got)
			}
			for _, ending := range []string{"-wal", "-shm"} {
				_ = os.Remove(old + ending)
			}
			if err := os.Rename(other, old); err != nil {
				t.Fatal(err)
			}
			got := said(t, threads, thread)
			if len(got) != n || slices.Contains(got, "INFO: old") {
				t.Errorf("%q, want %d new ones", got, n)
			}
		})
	}
}
