package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"brenner/internal/mail"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// play plays rounds to the end of the run.
func (r *run) play(ctx context.Context) (Status, string, error) {
	for {
		round := r.latestRound()
		if over, err := r.complete(ctx); err != nil {
			return "", "", err
		} else if over {
			return Complete, "the session is complete; a KICKOFF reopens it", nil
		}
		if round <= r.kept().Rounds {
			if err := r.waitWhilePaused(ctx, round); err != nil {
				return "", "", err
			}
			if err := r.round(ctx, round); err != nil {
				return "", "", err
			}
			over, err := r.complete(ctx)
			if err != nil {
				return "", "", err
			}
			if over || r.latestRound() != round {
				continue // a convener completed the session or opened another round meanwhile
			}
		}
		status, reason, err := r.judge(ctx, round)
		if err != nil || status != "" {
			return status, reason, err
		}
		if status, reason, err := r.pass(ctx, round+1); err != nil || status != "" {
			return status, reason, err
		}
		r.tell(Event{Kind: Opening, Round: round + 1})
		if err := r.open(ctx, round); err != nil {
			return "", "", err
		}
	}
}

func (r *run) latestRound() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.history.current().number
}

// round plays one round: every agent has a say, then the thread is compiled.
func (r *run) round(ctx context.Context, n int) error {
	participants, err := r.participants(ctx, n)
	if err != nil {
		return err
	}
	if r.stopAsked() == nil { // else no agent is started
		if err := r.equipped(participants); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(r.folder.round(n), 0o700); err != nil {
		return protocol.Errorf(protocol.Unwritable, "no folder for the round: %w", err)
	}
	r.tell(Event{Kind: RoundBegun, Round: n})
	if err := r.playAll(ctx, n, participants); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if over, err := r.complete(ctx); err != nil || over {
		return err
	}
	r.tell(Event{Kind: Compiling, Round: n})
	out, err := r.o.Sessions.Compile(ctx, session.CompileRequest{ThreadID: r.o.ThreadID, As: r.o.As})
	if err != nil {
		return err
	}
	text := "nothing to publish"
	if out.NewVersion {
		text = fmt.Sprintf("v%d", out.Version)
	}
	r.tell(Event{Kind: Compiled, Round: n, Text: text})
	return r.catchUp(ctx)
}

// playAll plays the agents of a round, all at once or one after the other. A person's word
// ends it early.
func (r *run) playAll(ctx context.Context, n int, list []participant) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.mu.Lock()
	r.cut = cancel
	if r.asked != nil {
		cancel()
	}
	r.mu.Unlock()
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	var atWork atomic.Int32
	for i, p := range list {
		if r.o.InTurn {
			errs[i] = r.attend(ctx, n, p)
			continue
		}
		atWork.Add(1)
		wg.Go(func() { errs[i] = r.stay(ctx, n, p, &atWork) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// stay sees an agent through a round, and once more if a person wants it started again while the others are still at work.
func (r *run) stay(ctx context.Context, n int, p participant, atWork *atomic.Int32) error {
	for {
		err := r.attend(ctx, n, p)
		atWork.Add(-1)
		if err != nil || p.program == "" || !r.calledBack(ctx, n, p, atWork) {
			return err
		}
		atWork.Add(1)
		r.o.Slots.Unbar(p.program)
	}
}

// calledBack waits until a person wants an agent started again, or the others have ended.
func (r *run) calledBack(ctx context.Context, n int, p participant, atWork *atomic.Int32) bool {
	tick := time.NewTicker(monitorPace)
	defer tick.Stop()
	for atWork.Load() > 0 {
		var rec agentRecord
		if err := load(r.folder.file(n, p.name, ".json"), &rec); err == nil && r.folder.wanted(n, p.name, rec.Attempts) {
			return true
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return false
}

// participants are the agents that got a KICKOFF of the round, in the order of the roster.
func (r *run) participants(ctx context.Context, n int) ([]participant, error) {
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err != nil {
		return nil, err
	}
	r.mu.Lock() // the goroutine that watches the thread goes on writing the log
	log := r.history.round(n)
	names, kickoffs := slices.Clone(log.order), maps.Clone(log.kickoffs)
	r.mu.Unlock()
	known, err := r.mail.Store().Agents(ctx, r.mail.Project().ID, names...)
	if err != nil {
		return nil, err
	}
	programs := map[string]mail.Agent{}
	for _, a := range known {
		programs[mail.NameKey(a.Name)] = a
	}
	roster, _ := of.View.Fold.Roster()
	var list []participant
	seen := map[string]bool{}
	add := func(name string, e protocol.RosterEntry) {
		key := mail.NameKey(name)
		kickoff, invited := kickoffs[key]
		if !invited || seen[key] || !r.o.plays(name) {
			return
		}
		seen[key] = true
		p := participant{name: name, role: e.Role, program: e.Program, model: e.Model, kickoff: kickoff}
		if p.program == "" {
			p.program, p.model = programs[key].Program, programs[key].Model
		}
		list = append(list, p)
	}
	for _, e := range roster.Entries {
		add(e.AgentName, e)
	}
	for _, name := range names {
		add(name, protocol.RosterEntry{})
	}
	return list, nil
}

// plays tells whether an agent that is asked is one of the run's.
func (o *Options) plays(name string) bool {
	return len(o.Only) == 0 || slices.ContainsFunc(o.Only, func(only string) bool { return protocol.SameAgent(only, name) })
}

// equipped refuses to begin where programs are missing: that should not show after the other agents have
// worked for an hour.
func (r *run) equipped(list []participant) error {
	var programs, idle []string
	for _, p := range list {
		if p.program == "" {
			idle = append(idle, p.name)
		} else {
			programs = append(programs, p.program)
		}
	}
	if len(programs) == 0 {
		return protocol.Errorf(protocol.ProgramMissing,
			"no program is known for %s; name one when the run is started, or in the roster (program), or register it with its agent",
			strings.Join(idle, ", ")).Doing(protocol.OnThread("run", r.o.ThreadID).Giving("program"))
	}
	if err := r.o.Programs.Trusted(program.Headless, programs...); err != nil {
		return err
	}
	if err := r.kept().Payable(r.o.Programs, r.o.Prices, programs); err != nil {
		return err
	}
	missing := r.o.Programs.Missing(program.Headless, programs...)
	somebody := slices.ContainsFunc(programs, func(name string) bool {
		return !slices.ContainsFunc(missing, func(m program.Missing) bool { return m.Program == name })
	})
	if r.o.SkipMissing && somebody {
		return nil
	}
	return program.Refusal(missing)
}

// pass asks at the gate. A stop that was said meanwhile is an answer too.
func (r *run) pass(ctx context.Context, next int) (Status, string, error) {
	status, reason, err := r.ask(ctx, next)
	if err != nil || status != "" {
		return status, reason, err
	}
	if err := r.catchUp(ctx); err != nil {
		return "", "", err
	}
	if m := r.stopAsked(); m != nil {
		return Stopped, stoppedBy(m), nil
	}
	return "", "", nil
}

// open sends the kickoffs of the round after this one, to whom it went before. A runner that was held up for so long that
// another machine took the session over has lost its lease and opens nothing.
func (r *run) open(ctx context.Context, round int) error {
	if err := r.lease.renew(ctx); err != nil {
		return err
	}
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err != nil {
		return err
	}
	preview, err := of.Preview(ctx)
	if err != nil {
		return err
	}
	recipients, err := r.recipients(ctx, round)
	if err != nil {
		return err
	}
	played, err := r.reportRound(ctx, round)
	if err != nil {
		return err
	}
	key, err := r.sharedKey(ctx, r.opening(round))
	if err != nil {
		return err
	}
	_, err = r.o.Sessions.Start(ctx, session.StartRequest{
		From: r.o.As, ThreadID: r.o.ThreadID, Round: round + 1, Focus: focus(preview, played.rejections()),
		Roster: session.RosterRequest{Recipients: recipients}, Key: key,
	})
	if err != nil {
		return err
	}
	return r.catchUp(ctx)
}

// opening names the step that opens the round after this one. A round that is played again opens the next one anew.
func (r *run) opening(round int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if log := r.history.round(round); log.again {
		return fmt.Sprintf("%d:kickoff:after:%d", round+1, log.first)
	}
	return fmt.Sprintf("%d:kickoff", round+1)
}

// recipients are those to whom a round went and who still take part.
func (r *run) recipients(ctx context.Context, round int) ([]string, error) {
	r.mu.Lock()
	names := append([]string{}, r.history.round(round).order...)
	r.mu.Unlock()
	return r.mail.Remaining(ctx, names)
}

// rejections say to whom something was refused in a round, and how to mend it.
func (r *Round) rejections() []string {
	var list []string
	for _, a := range r.Agents {
		seen := map[protocol.Code]bool{}
		for _, refusal := range a.Refusals {
			for _, f := range refusal.Findings[:min(1, len(refusal.Findings))] {
				if seen[f.Code] {
					continue
				}
				seen[f.Code] = true
				what := "a message of " + a.Agent
				if refusal.MessageID != 0 {
					what = fmt.Sprintf("block %d of message %d of %s", refusal.Block, refusal.MessageID, a.Agent)
				}
				list = append(list, fmt.Sprintf("%s was rejected: %s (%s)", what, f.Code, brief(strings.TrimSpace(f.Message+" "+f.Fix))))
			}
		}
	}
	return list
}

// focus says what the next round has to mend: what was rejected in the last one, and what lint wants. What was found and what is
// asked next stands beside it in every KICKOFF of a further round.
func focus(preview session.Outcome, rejected []string) string {
	const maxParts = 8
	parts := slices.Clone(rejected[:min(maxParts, len(rejected))])
	wanted := 0
	for _, v := range preview.Lint.Violations {
		if v.Severity == protocol.SeverityError && wanted < maxParts {
			parts = append(parts, fmt.Sprintf("mend %s (%s)", v.Code, brief(strings.TrimSuffix(v.Message, "."))))
			wanted++
		}
	}
	return strings.Join(parts, "; ")
}

// brief cuts a text that an agent wrote: the place to read it whole is the artifact.
func brief(text string) string {
	const maxBrief = 120
	if runes := []rune(text); len(runes) > maxBrief {
		return string(runes[:maxBrief]) + "…"
	}
	return text
}
