package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/turn"
)

// Queued is a session in the queue of a project.
type Queued struct {
	ThreadID string        `json:"thread_id"`
	State    QueueState    `json:"state"`
	Status   Status        `json:"status"` // how its run ended; empty: it has not, or it failed
	Reason   string        `json:"reason"`
	Code     protocol.Code `json:"code"` // of the error; empty: none
	Round    int           `json:"round"`
	Version  int           `json:"version"`
	Lint     int           `json:"lint_errors"`
	Critical int           `json:"open_critiques"`
	Usage    turn.Usage    `json:"usage"`
	Begun    time.Time     `json:"begun"`
	EndedAt  time.Time     `json:"ended_at"`
	Options  *Kept         `json:"options"` // with which it goes on; null: it has not begun
}

// QueueState is the state of a session of the queue.
type QueueState string

// The states. A session that was being played when the queue's process died goes on first.
const (
	Waits QueueState = "waits"
	Plays QueueState = "plays"
	Over  QueueState = "over"
)

// left tells whether a session is still to be played by the next process of the queue.
func (q *Queued) left() bool { return q.State != Over || !q.Status.final() }

// Queue plays the runs of many sessions in one process, a few at a time. What became of each is kept in the store: a
// queue that was killed goes on where it was, on any machine, and plays nothing twice. What keeps two machines from one
// session is the lease of its run.
type Queue struct {
	Mail *mail.Service
	Root string // the project's folder, absolute
	Jobs int    // runs at once
	Play func(ctx context.Context, thread string, k Kept) (Report, error)
	Kept func(before *Kept) Kept   // with what a session is to be played; before: as it was asked, nil: it was not; nil: as before
	Tell func(Queued, QueueCounts) // hears when a session begins or ends; may be nil
	Now  func() time.Time

	mu      sync.Mutex
	entries []*queueEntry
}

// QueueCounts says how far a queue is.
type QueueCounts struct {
	Waits int `json:"waits"`
	Plays int `json:"plays"`
	Over  int `json:"over"`
}

// Run plays the named sessions, or what is left of the queue if none is named. CONFLICT: another process of this
// folder plays it. NOT_FOUND: nothing is left. What it returns are the sessions of this call, in order.
func (q *Queue) Run(ctx context.Context, threads ...string) ([]Queued, error) {
	unlock, err := q.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	mine, err := q.enter(ctx, threads)
	if err != nil {
		return nil, err
	}
	work := make(chan *queueEntry)
	var playing sync.WaitGroup
	for range max(1, q.Jobs) {
		playing.Go(func() {
			for e := range work {
				q.play(ctx, e)
			}
		})
	}
	for _, e := range inOrder(mine) {
		select {
		case work <- e:
		case <-ctx.Done():
		}
	}
	close(work)
	playing.Wait()
	q.mu.Lock()
	defer q.mu.Unlock()
	list, unkept := make([]Queued, len(mine)), error(nil)
	for i, e := range mine {
		list[i] = e.Queued
		if e.unkept && unkept == nil {
			unkept = q.keep(context.WithoutCancel(ctx), e)
		}
	}
	return list, errors.Join(unkept, context.Cause(ctx))
}

// inOrder puts first what was being played: its programs may still run.
func inOrder(list []*queueEntry) []*queueEntry {
	var first, then []*queueEntry
	for _, e := range list {
		switch {
		case !e.left():
		case e.State == Plays:
			first = append(first, e)
		default:
			then = append(then, e)
		}
	}
	return append(first, then...)
}

// lock keeps other processes of this folder away from the queue.
func (q *Queue) lock() (func(), error) {
	if _, err := openFolder(q.Root, ""); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(q.Root, ".brenner", "run-queue.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "the queue cannot be locked: %w", err)
	}
	free, err := lock(f)
	switch {
	case err != nil:
		err = protocol.Errorf(protocol.Unwritable, "the queue cannot be locked: %w", err)
	case !free:
		err = protocol.Errorf(protocol.Conflict, "another process plays the queue of this project here: look how far it is").
			Doing(protocol.Operation("run").Giving("status"))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// enter reads the queue and adds the named sessions. A queue that was played to its end is forgotten first.
func (q *Queue) enter(ctx context.Context, threads []string) ([]*queueEntry, error) {
	kept, err := loadQueue(ctx, q.Mail)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(kept, func(e *queueEntry) bool { return e.left() }) {
		if err := q.forget(ctx, kept); err != nil {
			return nil, err
		}
		kept = nil
	}
	q.entries = kept
	var mine []*queueEntry
	for _, thread := range threads {
		e, err := q.named(ctx, thread)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(mine, e) {
			mine = append(mine, e)
			if err := q.ask(ctx, e); err != nil {
				return nil, err
			}
		}
	}
	if len(threads) == 0 {
		mine = q.entries
	}
	if len(mine) == 0 {
		return nil, protocol.Errorf(protocol.NotFound, "nothing is left in the queue: name the threads of a new one").
			Doing(protocol.Operation("run").Giving("threads"))
	}
	return mine, nil
}

// ask notes with what a session was asked to be played, so that whoever goes on with the queue plays it so.
func (q *Queue) ask(ctx context.Context, e *queueEntry) error {
	if e.Options != nil && !e.left() {
		return nil
	}
	e.Options = q.options(e)
	return q.keep(ctx, e)
}

func (q *Queue) options(e *queueEntry) *Kept {
	switch {
	case q.Kept != nil:
		return new(q.Kept(e.Options))
	case e.Options != nil:
		return e.Options
	}
	return &Kept{}
}

// named returns the entry of a session, which is added if there is none.
func (q *Queue) named(ctx context.Context, thread string) (*queueEntry, error) {
	if at := slices.IndexFunc(q.entries, func(e *queueEntry) bool { return e.ThreadID == thread }); at >= 0 {
		return q.entries[at], nil
	}
	e, err := q.add(ctx, thread)
	if err == nil {
		q.entries = append(q.entries, e)
	}
	return e, err
}

// play plays one session and keeps what became of it, unless another machine has played it or plays it now.
func (q *Queue) play(ctx context.Context, e *queueEntry) {
	if ctx.Err() != nil || q.elsewhere(ctx, e) {
		return
	}
	q.change(ctx, e, func() {
		e.State, e.Status, e.Reason, e.Code, e.Begun, e.EndedAt = Plays, "", "", "", q.Now(), time.Time{}
		e.Options = q.options(e)
	})
	report, err := q.Play(ctx, e.ThreadID, *e.Options)
	if protocol.CodeOf(err) == protocol.Conflict && q.elsewhere(ctx, e) { // the other one was faster
		return
	}
	q.change(ctx, e, func() {
		e.State, e.EndedAt = Over, q.Now()
		e.Status, e.Reason, e.Version, e.Lint, e.Usage = report.Status, report.Reason, report.Version, report.LintErrors, report.Usage
		e.Critical = len(report.OpenCritiques)
		if n := len(report.Rounds); n > 0 {
			e.Round = report.Rounds[n-1].Number
		}
		if err != nil {
			e.Code = protocol.CodeOf(err)
			if e.Reason == "" {
				e.Reason = err.Error()
			}
		}
		if ctx.Err() != nil && !e.Status.final() {
			e.State = Waits // it goes on with the queue
		}
	})
}

// elsewhere tells whether a session is another machine's: it has played the session since the queue was read, or
// holds the lease of its run. Nothing is written then.
func (q *Queue) elsewhere(ctx context.Context, e *queueEntry) bool {
	now, err := q.look(ctx, e.ThreadID)
	played := err == nil && !now.left()
	if err == nil && !played {
		err = heldElsewhere(ctx, q.Mail, q.Root, e.ThreadID)
	}
	if !played && protocol.CodeOf(err) != protocol.Conflict {
		return false // what is wrong with the store the run will say
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	e.Queued = now.Queued
	if err != nil {
		e.Code, e.Reason = protocol.CodeOf(err), err.Error()
	}
	q.tell(e)
	return true
}

// change changes an entry, keeps it and tells of it. A queue that cannot be kept is played all the same, and says so at
// its end.
func (q *Queue) change(ctx context.Context, e *queueEntry, how func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	how()
	e.unkept = q.keep(context.WithoutCancel(ctx), e) != nil
	q.tell(e)
}

func (q *Queue) tell(e *queueEntry) {
	if q.Tell != nil {
		q.Tell(e.Queued, q.counts())
	}
}

func (q *Queue) counts() QueueCounts {
	var c QueueCounts
	for _, e := range q.entries {
		switch e.State {
		case Plays:
			c.Plays++
		case Over:
			c.Over++
		default:
			c.Waits++
		}
	}
	return c
}

// Failure is the error of a queue whose sessions did not all end well: the one that all of them share, else
// RUN_STALLED. nil: all did.
func Failure(list []Queued) error {
	var bad []string
	var code protocol.Code
	for _, e := range list {
		if e.Code == "" {
			continue
		}
		if len(bad) == 0 {
			code = e.Code
		} else if code != e.Code {
			code = protocol.RunStalled
		}
		bad = append(bad, e.ThreadID)
	}
	if len(bad) == 0 {
		return nil
	}
	const maxNamed = 5
	names := fmt.Sprint(bad[:min(maxNamed, len(bad))])
	if len(bad) > maxNamed {
		names += fmt.Sprintf(" and %d more", len(bad)-maxNamed)
	}
	return protocol.Errorf(code, "%d of %d sessions did not end well: %s", len(bad), len(list), names)
}
