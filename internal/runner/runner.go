package runner

import (
	"cmp"
	"context"
	"crypto/rand"
	"path/filepath"
	"sync"
	"time"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/program"
	"brenner/internal/session"
	"brenner/internal/turn"
)

// What holds unless Options say otherwise.
const (
	DefaultDeadline = 30 * time.Minute
	DefaultGrace    = 5 * time.Second
)

// Options say what to run and how.
type Options struct {
	Sessions *session.Sessions
	Programs *program.Catalog
	ThreadID string
	As       string // who opens rounds and compiles; registered before
	Root     string // the project's folder, absolute
	Store    string // DSN for the agents; empty: the project's own
	Brenner  []string

	Kept

	Only []string // the agents that the run plays; empty: all that are asked
	From int      // the round from which the run reports and counts what it spends, unless it goes on; 0: the one that is open

	BackOff time.Duration    // before the first retry, where the service names no time; doubled each time; 0: the default
	Prices  map[string]Price // of programs that tell no dollars, by program
	Slots   *Slots           // how many of a program may run at once, and which may not; nil: any number, known to this run alone

	// Ask is asked before each further round; false ends the run. nil: there is no gate. WAITING: no
	// person can be asked now.
	Ask  func(ctx context.Context, r Report, next int) (bool, error)
	Tell func(Event) // hears what happens; may be nil

	// Free is asked once the lease is there: an error (CONFLICT) says who else plays the agents of the
	// thread, such as a cockpit. nil: no one can.
	Free func(ctx context.Context) error

	// LeaseTTL is how long a runner that died on another machine is in the way. 0: half a minute.
	LeaseTTL time.Duration
}

// run is a run under way.
type run struct {
	o      Options
	mail   *mail.Service
	host   string
	folder folder
	record runRecord
	lease  *lease

	telling sync.Mutex
	pausing sync.Mutex // guards record.Paused while agents are about to start

	mu      sync.Mutex // guards what follows
	history *history
	news    chan struct{}         // closed and made anew when the thread has moved
	asked   *mail.Message         // the message that asked for an end
	atWork  map[string]turn.Usage // what programs at work have used since they were started, by agent
	cut     context.CancelFunc
}

// Run plays rounds until one of its ends is reached. The report tells what there is also when the run
// fails. CONFLICT: another runner is at work. WAITING: at a gate. TIMED_OUT, RUN_STALLED: see Report.
func Run(ctx context.Context, o Options) (Report, error) {
	o.Deadline, o.Grace = cmp.Or(o.Deadline, DefaultDeadline), cmp.Or(o.Grace, DefaultGrace)
	if o.Slots == nil {
		o.Slots = NewSlots(nil)
	}
	o.LeaseTTL, o.BackOff = cmp.Or(o.LeaseTTL, leaseTTL), cmp.Or(o.BackOff, DefaultBackOff)
	r := &run{o: o, mail: o.Sessions.Mail(), history: newHistory(), news: make(chan struct{}), atWork: map[string]turn.Usage{}}
	r.host = process.Self().Host
	if _, err := r.mail.Thread(ctx, o.ThreadID); err != nil {
		return Report{}, err
	}
	var err error
	if r.folder, err = openFolder(o.Root, o.ThreadID); err != nil {
		return Report{}, err
	}
	if r.lease, err = takeLease(ctx, r); err != nil {
		return Report{}, err
	}
	defer r.lease.release(context.WithoutCancel(ctx))
	if o.Free != nil {
		if err := o.Free(ctx); err != nil {
			return Report{}, err
		}
	}
	if err := Keep(o.Root, o.ThreadID, o.Kept); err != nil {
		return Report{}, err
	}
	return r.guarded(ctx)
}

// guarded runs while the lease holds and the thread is watched.
func (r *run) guarded(ctx context.Context) (Report, error) {
	ctx, lost := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer lost(nil)
	// The cursor comes first: what lands while the thread is read is not missed.
	cursor, err := r.mail.Cursor(ctx)
	if err == nil {
		err = r.resume(ctx)
	}
	if err != nil {
		return Report{}, err
	}
	r.obeyStop() // what was said while no run was under way, before anything is waited for
	watching.Go(func() { r.lease.keep(ctx, lost) })
	watching.Go(func() { r.watch(ctx, cursor, lost) })
	status, reason, err := r.play(ctx)
	if err != nil {
		status, reason, err = r.failed(ctx, err)
	}
	return r.finish(context.WithoutCancel(ctx), status, reason, err)
}

// resume reads the thread and finds out whether this run goes on with an earlier one.
func (r *run) resume(ctx context.Context) error {
	if err := r.history.catchUp(ctx, r.o.Sessions, r.o.ThreadID); err != nil {
		return err
	}
	if r.history.current() == nil {
		return noKickoff(r.o.ThreadID)
	}
	if err := r.mayGoOn(ctx); err != nil {
		return err
	}
	path := filepath.Join(r.folder.path, "run.json")
	if err := load(path, &r.record); err != nil {
		return err
	}
	if !r.record.Begun.IsZero() && !r.record.Status.final() {
		return r.goOn(path)
	}
	if r.record.Status == Stalled { // whatever was in the way, a person starts the run again
		if err := r.retry(r.record.Round); err != nil {
			return err
		}
	}
	now := r.mail.Now()
	r.record = runRecord{Begun: now, Since: now, Token: rand.Text(), FirstRound: cmp.Or(r.o.From, r.history.current().number),
		After: r.heard()}
	return save(path, r.record)
}

// mayGoOn refuses a run that would come to an end where it has to open a round: only a convener can.
func (r *run) mayGoOn(ctx context.Context) error {
	if r.history.current().number >= r.kept().Rounds {
		return nil
	}
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err != nil {
		return err
	}
	return session.MayOpenRounds(of.View, r.o.As)
}

// heard is the message up to which a new run need not look for a stop: the last that the run before it saw,
// or the KICKOFF that asks for this one. A stop that was said while no run was under way counts once.
func (r *run) heard() int64 {
	if r.record.Through == 0 && !r.record.Begun.IsZero() {
		return r.history.last // its record is of a time that kept no place
	}
	return max(r.record.Through, r.history.current().opened)
}

// goOn takes a run up again, at its old place. What a person said meanwhile still counts.
func (r *run) goOn(path string) error {
	if r.record.Status != "" { // it did not crash: it is started anew
		r.record.Status, r.record.Reason, r.record.Since = "", "", r.mail.Now()
	}
	return save(path, r.record)
}

// retry lets the agents of a round that did not contribute start again.
func (r *run) retry(round int) error {
	log := r.history.round(round)
	for _, name := range log.order {
		rec, path := agentRecord{}, r.folder.file(round, name, ".json")
		if err := load(path, &rec); err != nil {
			return err
		}
		if rec.Attempts > 0 && len(log.of(name).messages) == 0 {
			rec.End, rec.Rests, rec.Limit = CutOff, 0, ""
			if err := save(path, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// key is an idempotency key of this run.
func (r *run) key(step string) string { return keyPrefix + r.record.Token + ":" + step }

// runNotes hold the secret of a thread's runs, which no agent can read.
const runNotes mail.NoteKind = "run"

// sharedKey is an idempotency key that all runs of the thread have in common, on every machine.
func (r *run) sharedKey(ctx context.Context, step string) (string, error) {
	n, err := r.mail.ChangeNote(ctx, r.mail.Now(), runNotes, r.o.ThreadID, func(n *mail.Note) error {
		if len(n.Data) == 0 {
			n.Data = []byte(rand.Text())
		}
		return nil
	})
	return keyPrefix + string(n.Data) + ":" + step, err
}

// watch keeps the history up to date and looks for a person's word.
func (r *run) watch(ctx context.Context, cursor mail.Cursor, lost func(error)) {
	for event, err := range r.mail.Follow(ctx, cursor) {
		if err != nil {
			if ctx.Err() == nil {
				lost(err)
			}
			return
		}
		if event.Thread != r.o.ThreadID || event.Kind != mail.EventMessage {
			continue
		}
		if err := r.catchUp(ctx); err != nil && ctx.Err() == nil {
			lost(err)
			return
		}
	}
}

// catchUp reads what is new on the thread and wakes those who wait for it.
func (r *run) catchUp(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.history.last
	if err := r.history.catchUp(ctx, r.o.Sessions, r.o.ThreadID); err != nil {
		return err
	}
	if r.history.last != before {
		close(r.news)
		r.news = make(chan struct{})
	}
	r.obeyStop()
	return r.obeyEnd(ctx)
}

// obeyEnd ends the round when the session is complete: nothing is asked of its agents any more.
func (r *run) obeyEnd(ctx context.Context) error {
	if r.cut == nil {
		return nil
	}
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err == nil && of.View.Complete() {
		r.cut()
	}
	return err
}

// complete tells whether the session was completed.
func (r *run) complete(ctx context.Context) (bool, error) {
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	return err == nil && of.View.Complete(), err
}

// obeyStop ends the round if a person said so after the run began. An agent of the run cannot end it.
func (r *run) obeyStop() {
	for i, m := range r.history.stops {
		_, agent := r.history.current().kickoffs[mail.NameKey(m.From)]
		if m.ID > r.record.After && !agent && r.asked == nil {
			r.asked = &r.history.stops[i]
			if r.cut != nil {
				r.cut()
			}
		}
	}
}

func (r *run) changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.news
}

// worked is what an agent has written in a round by now.
func (r *run) worked(ctx context.Context, round int, agent string) (work, error) {
	if err := r.catchUp(ctx); err != nil {
		return work{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return *r.history.round(round).of(agent), nil
}

// stopAsked returns the message of the person who ended the run.
func (r *run) stopAsked() *mail.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}
