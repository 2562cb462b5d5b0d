package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"brenner/internal/mail"
	"brenner/internal/process"
	"brenner/internal/program"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

// participant is an agent of a round.
type participant struct {
	name    string
	role    protocol.Role
	program string // empty: it is not played by this run
	model   string
	kickoff mail.Message
}

// attend sees one agent through a round: it starts the program unless the contribution is there or the
// program had its chance, waits for its end, and posts what it printed.
func (r *run) attend(ctx context.Context, round int, p participant) error {
	rec, path := agentRecord{}, r.folder.file(round, p.name, ".json")
	if err := load(path, &rec); err != nil {
		return err
	}
	if p.program == "" {
		return r.awaitMail(ctx, round, p, rec, path)
	}
	if rec.unseen() {
		if err := r.adopt(ctx, round, p, &rec, path); err != nil {
			return err
		}
	}
	if r.outdated(round, &rec) {
		return r.perform(ctx, round, p, rec)
	}
	contributed, err := r.collect(context.WithoutCancel(ctx), round, p, rec)
	wanted := r.folder.wanted(round, p.name, rec.Attempts)
	if err != nil || contributed && !wanted || ctx.Err() != nil {
		return err
	}
	if !wanted && !rec.again() { // unless a runner was killed before it saw why
		if again, err := r.limited(ctx, round, p, &rec, path); err != nil || !again {
			return err
		}
	}
	return r.perform(ctx, round, p, rec)
}

// outdated tells whether an agent had its chance before the round was opened again: then it has another.
func (r *run) outdated(round int, rec *agentRecord) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.history.round(round)
	if !log.again || rec.Attempts == 0 || !rec.Begun.Before(log.begun) {
		return false
	}
	rec.End, rec.Rests, rec.Limit, rec.Session = CutOff, 0, "", ""
	return true
}

// adopt stays with a program that an earlier runner started and did not see the end of. What it left behind
// when it ended is ended too.
func (r *run) adopt(ctx context.Context, round int, p participant, rec *agentRecord, path string) error {
	o := orphan{record: rec, mark: r.mark(round, p), host: r.host}
	rec.End = Lost
	if o.find(ctx) {
		rec.End = "" // the next runner must find the process noted
		if err := save(path, rec); err != nil {
			return err
		}
		r.note(ctx, p, *rec)
		r.tell(Event{Kind: AgentAdopted, Round: round, Agent: p.name})
		defer r.o.Slots.Claim(p.program)()
		m := r.monitor(round, p, rec)
		rec.End = o.await(ctx, rec.Begun.Add(r.o.Deadline), r.o.Grace, m)
		rec.Reason, rec.retrying = m.why, ""
	}
	sweep(ctx, o.mark, r.o.Grace)
	return r.ended(ctx, round, p, rec, path)
}

// perform lets an agent have its say: again after a rest, while its service takes no more and retries are left.
func (r *run) perform(ctx context.Context, round int, p participant, rec agentRecord) error {
	path := r.folder.file(round, p.name, ".json")
	for {
		restUntilAllowed(ctx, &rec)
		if err := r.waitWhilePaused(ctx, round); err != nil {
			return nil //nolint:nilerr // the run ended while it was paused
		}
		if _, over, err := r.overspent(p.name); err != nil || over || ctx.Err() != nil {
			return err
		}
		release, err := r.slot(ctx, p.program)
		if barred, ok := errors.AsType[barredError](err); ok {
			return r.signedOut(ctx, p, &rec, path, barred.words)
		}
		if err != nil {
			return nil //nolint:nilerr // the run ended while the agent waited for its turn
		}
		err = r.attempt(ctx, round, p, &rec, path)
		release()
		if err != nil {
			return err
		}
		if ctx.Err() == nil && r.folder.wanted(round, p.name, rec.Attempts) {
			r.o.Slots.Unbar(p.program)
			rec.Session = ""
			continue // a person has it started again
		}
		contributed, err := r.collect(context.WithoutCancel(ctx), round, p, rec)
		if err != nil || contributed {
			return err
		}
		if again, err := r.limited(ctx, round, p, &rec, path); err != nil || !again {
			return err
		}
	}
}

// slot waits until one more of a program may run.
func (r *run) slot(ctx context.Context, program string) (release func(), err error) {
	return r.o.Slots.Take(ctx, program)
}

// attempt starts the program of an agent and stays with it to its end.
func (r *run) attempt(ctx context.Context, round int, p participant, rec *agentRecord, path string) error {
	if rec.Attempts > 0 {
		if err := setAside(rec.Attempts, r.folder.output(round, p.name), r.folder.file(round, p.name, ".err"),
			r.folder.file(round, p.name, turnFile)); err != nil {
			return err
		}
	}
	out, err := openOutput(r.folder.output(round, p.name))
	if err != nil {
		return err
	}
	defer out.Close()
	if rec.Attempts > 0 {
		rec.Earlier = append(rec.Earlier[max(0, len(rec.Earlier)+1-maxEarlier):], span{rec.Begun, rec.EndedAt, rec.End, rec.ExitCode})
	}
	*rec = agentRecord{
		Model: p.model, Passed: r.o.Programs.Model(p.program, p.model),
		Program: p.program, Attempts: rec.Attempts + 1, Begun: r.mail.Now(), Due: r.mail.Now().Add(r.o.Deadline), Host: r.host,
		Rests: rec.Rests, Usage: rec.Usage, Earlier: rec.Earlier, Session: rec.Session,
	}
	if err := r.folder.unasked(round, p.name); err != nil {
		return err
	}
	r.tell(Event{Kind: AgentStarting, Round: round, Agent: p.name})
	if err := save(path, rec); err != nil {
		return err
	}
	j, err := r.start(ctx, round, p, rec.Session, out)
	if err != nil {
		rec.End, rec.EndedAt, rec.Reason = Unstarted, r.mail.Now(), err.Error()
		r.tell(Event{Kind: AgentEnded, Round: round, Agent: p.name, Text: err.Error()})
		return save(path, rec)
	}
	rec.PID, rec.Started = j.pid, process.Started(ctx, j.pid)
	if err := save(path, rec); err != nil {
		_ = j.end(r.o.Grace) // it would not be noted anywhere
		sweep(ctx, j.mark, r.o.Grace)
		return err
	}
	r.note(ctx, p, *rec)
	r.tell(Event{Kind: AgentStarted, Round: round, Agent: p.name})
	m := r.monitor(round, p, rec)
	end, waitErr := j.await(ctx, time.Now().Add(r.o.Deadline), r.o.Grace, m)
	rec.End, rec.retrying = end, ""
	rec.ExitCode, rec.Reason = exitCode(waitErr)
	if m.why != "" {
		rec.Reason = m.why
	}
	if err := r.ended(ctx, round, p, rec, path); err != nil {
		return err
	}
	r.tell(Event{Kind: AgentEnded, Round: round, Agent: p.name, Text: rec.text()})
	return nil
}

// ended records the end of a program.
func (r *run) ended(ctx context.Context, round int, p participant, rec *agentRecord, path string) error {
	rec.EndedAt = r.mail.Now()
	r.note(ctx, p, *rec)
	if err := r.keepTurn(round, p, rec); err != nil {
		return err
	}
	return save(path, rec)
}

func (r *agentRecord) text() string {
	switch {
	case r.End == AtDeadline:
		return "ended at its deadline"
	case r.End == Still:
		return "ended: it was still for too long"
	case r.End == CutOff:
		return "ended with the run"
	case r.End == OverBudget:
		return "ended: " + r.Reason
	case r.End == SignedOut:
		return "its service does not know it: " + r.Reason
	case r.Reason != "":
		return r.Reason
	}
	return "ended"
}

// start makes the command line of an agent and starts it.
func (r *run) start(ctx context.Context, round int, p participant, session string, out *os.File) (*job, error) {
	t, err := r.turn(ctx, round, p)
	if err != nil {
		return nil, err
	}
	if err := r.o.Programs.Trusted(program.Headless, p.program); err != nil {
		return nil, err
	}
	c, err := r.o.Programs.Command(program.Spec{
		Agent: p.name, Program: p.program, Model: p.model, Role: p.role, ThreadID: r.o.ThreadID, Project: r.o.Root, Store: r.o.Store,
		Prompt: t.Text(), Brenner: r.o.Brenner, Dir: r.folder.file(round, p.name, ""),
		Session: session, Consent: r.kept().Consent,
	}, program.Headless)
	if err != nil {
		return nil, err
	}
	return startJob(c, r.mark(round, p), out, r.folder.file(round, p.name, ".err"), r.folder.file(round, p.name, ".in"))
}

// turn is what an agent is asked in a round.
func (r *run) turn(ctx context.Context, round int, p participant) (prompt.Turn, error) {
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err != nil {
		return prompt.Turn{}, err
	}
	t, err := of.Turn(ctx, p.name)
	t.Project, t.Round, t.KickoffID, t.Kickoff = r.o.Root, round, p.kickoff.ID, p.kickoff.Body
	return t, err
}

// mark is a variable of the environment that only the program of one agent in one round has.
func (r *run) mark(round int, p participant) string {
	return markOf(r.record.Token, round, p.name)
}

// collect posts what an agent printed if it sent no delta itself, and tells whether it has contributed.
func (r *run) collect(ctx context.Context, round int, p participant, rec agentRecord) (bool, error) {
	w, err := r.worked(ctx, round, p.name)
	if err != nil || w.deltas || w.mailed || rec.Attempts == 0 {
		return len(w.messages) > 0, err
	}
	text, err := r.folder.said(round, p.name)
	if err != nil {
		return false, err
	}
	found := readPrinted(text, p.name, round)
	if found.body == "" {
		return len(w.messages) > 0, nil
	}
	r.tell(Event{Kind: Posting, Round: round, Agent: p.name})
	if err := r.post(ctx, round, p, rec.Attempts, found); err != nil {
		return false, err
	}
	r.tell(Event{Kind: Posted, Round: round, Agent: p.name})
	w, err = r.worked(ctx, round, p.name)
	return len(w.messages) > 0, err
}

// post sends what was printed, once. A refusal of the door is kept with the agent's others.
func (r *run) post(ctx context.Context, round int, p participant, attempt int, found printed) error {
	of, err := r.o.Sessions.Session(ctx, r.o.ThreadID)
	if err != nil {
		return err
	}
	to, err := of.Receivers(ctx, p.name)
	if err != nil {
		return err
	}
	agent, err := r.mail.Agent(ctx, p.name)
	if err != nil {
		return err
	}
	d := found.draft(r.o.ThreadID, agent, to, round)
	sent, err := r.mail.Send(ctx, mail.Outgoing{Draft: d,
		Key: r.key(fmt.Sprintf("%d:%s:%d%s", round, mail.NameKey(p.name), attempt, outputKey))})
	switch code := protocol.CodeOf(err); {
	case err == nil, code == protocol.IdempotencyConflict: // it is there already
		return nil
	case code == protocol.AgentRetired: // it will never be heard: told like any other refusal
		sent.Findings = []protocol.Finding{protocol.NewFinding(code, "%s", err.Error())}
		r.folder.note(d, sent, r.mail.Now())
		return nil
	case code == protocol.ValidationFailed, code == protocol.MessageTooLarge: // the door has noted it
		return nil
	}
	return err
}

// awaitMail waits for the contribution of an agent that this run does not play. Its time counts from the moment
// that play came to it: a KICKOFF may be days old when the run is started. A runner that goes on after a
// crash waits for what is left.
func (r *run) awaitMail(ctx context.Context, round int, p participant, rec agentRecord, path string) error {
	if rec.Begun.IsZero() || rec.Begun.Before(r.record.Since) {
		rec = agentRecord{Begun: r.mail.Now(), Due: r.mail.Now().Add(r.o.Deadline), End: ByHand}
		if err := save(path, rec); err != nil {
			return err
		}
	}
	timer := time.NewTimer(time.Until(rec.Begun.Add(r.o.Deadline)))
	defer timer.Stop()
	for {
		changed := r.changed()
		w, err := r.worked(ctx, round, p.name)
		if err != nil || len(w.messages) > 0 {
			return err
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// note lets every surface know what the agent's program does (liveness).
func (r *run) note(ctx context.Context, p participant, rec agentRecord) {
	notePresence(ctx, r.mail, r.o.ThreadID, p.name, r.host, rec)
}

// notePresence tells the store. That it cannot is no reason to fail.
func notePresence(ctx context.Context, s *mail.Service, thread, agent, host string, rec agentRecord) {
	p := mail.Presence{
		Project: s.Project().ID, Agent: agent, Source: mail.SourceRun, Host: host, PID: rec.PID, Thread: thread, Due: rec.Due,
		ProcessStarted: rec.Started, EndedAt: rec.EndedAt, ExitCode: rec.ExitCode,
	}
	if rec.End == Rested {
		p.Call, p.LastCall, p.CallEnded, p.WaitingUntil = "rest", rec.EndedAt, rec.EndedAt, rec.RestingUntil
	}
	if rec.End == SignedOut {
		p.Call, p.LastCall = mail.Telling(mail.CallSignIn, program.SignIn(rec.Program, rec.Reason)), rec.EndedAt
	}
	if rec.retrying != "" {
		p.Call, p.LastCall = mail.Telling(mail.CallRetry, rec.retrying), s.Now()
	}
	_ = s.NotePresence(context.WithoutCancel(ctx), p)
}
