package liveness

import (
	"fmt"
	"strings"
	"time"
)

// Judge comes to a verdict. See the package comment for the rules.
func Judge(f Facts, now time.Time) Verdict {
	s := survey{Facts: f.normalised(now), now: now}
	for _, rule := range []func(*survey) (State, time.Time, string){
		over, paused, inPlight, ended, calling, inWait, afterWait, recent, inRound, retired, unconnected, overdue, left, busy, living,
		heardOf,
	} {
		if state, since, reason := rule(&s); state != "" {
			return s.verdict(state, since, reason)
		}
	}
	return s.verdict(Unknown, s.lastSign(), s.notKnown())
}

// survey is what the rules look at.
type survey struct {
	Facts
	now   time.Time
	cause Cause // set by a rule whose verdict has a cause that others act upon
	asked *Plight
}

func (s *survey) verdict(state State, since time.Time, reason string) Verdict {
	v := Verdict{Agent: s.Agent, State: state, Since: Instant{since}, Reason: reason, Cause: s.cause, Asked: s.asked,
		Evidence: s.evidence()}
	v.NextStep, v.Action = s.nextStep(state)
	return v
}

// lastSign is when the agent was last heard of.
func (s *survey) lastSign() time.Time {
	last := s.lastMail()
	for i := range s.Processes {
		p := &s.Processes[i]
		last = later(last, p.acted())
		if p.Own {
			last = later(last, p.Started)
		}
	}
	for _, l := range s.Leases {
		last = later(last, believable(l.Taken, s.now))
	}
	return last
}

// over is rule 1: a complete session asks nothing of its agents (PROTOCOL 11).
func over(s *survey) (State, time.Time, string) {
	if !s.Complete {
		return "", time.Time{}, ""
	}
	return Idle, s.lastSign(), "the session is complete: nothing is expected of it"
}

// paused is rule 2.
func paused(s *survey) (State, time.Time, string) {
	for i := range s.Processes {
		if p := &s.Processes[i]; p.Own && p.Life == Alive && p.Paused {
			s.cause = CausePaused
			return Idle, s.lastSign(), fmt.Sprintf("its program (%s) is paused", p.name())
		}
	}
	return "", time.Time{}, ""
}

// inPlight is rule 3: what a program says of itself goes before what it did, as long as nothing shows that it is over.
func inPlight(s *survey) (State, time.Time, string) {
	gone := s.lastGone()
	over := gone != nil && !s.livesElsewhere(gone)
	for i := range s.Plights {
		p := &s.Plights[i]
		if over && !p.Over || p.Past && s.movedAfter(p.Since) {
			continue
		}
		switch p.State {
		case Asks:
			if s.cause, s.asked = CauseAsks, p; p.Choices == nil {
				p.Choices = []Choice{}
			}
			return Asks, p.Since, "its program asks: " + p.Said()
		case SignedOut:
			s.cause = CauseSignedOut
			return SignedOut, p.Since, "its service does not know it: " + p.Text
		default:
			s.cause = CauseFailing
			return Failing, p.Since, "its service refuses it, and its program tries again: " + p.Text
		}
	}
	return "", time.Time{}, ""
}

// Said is the question of a program with the keys that answer it.
func (p *Plight) Said() string {
	var keys []string
	for _, c := range p.Choices {
		keys = append(keys, c.Key+" "+c.Text)
	}
	if len(keys) == 0 {
		return p.Text
	}
	return p.Text + " (" + strings.Join(keys, ", ") + ")"
}

// movedAfter tells whether the agent did something after a moment, or was started again.
func (s *survey) movedAfter(at time.Time) bool {
	if s.lastMail().After(at) {
		return true
	}
	for i := range s.Processes {
		if p := &s.Processes[i]; p.Called.After(at) || p.Own && p.Started.After(at) {
			return true
		}
	}
	return false
}

// ended is rule 4.
func ended(s *survey) (State, time.Time, string) {
	last := s.lastGone()
	if last == nil || s.livesElsewhere(last) {
		return "", time.Time{}, ""
	}
	if last.Round && s.now.Before(last.WaitingUntil) {
		return Resting, last.Ended, fmt.Sprintf("its service takes no more for now; it rests until %s and is started again",
			Instant{last.WaitingUntil})
	}
	how := fmt.Sprintf("its program (%s) %s", last.name(), last.death(s.now))
	debt := s.firstOverdue()
	if done := s.roundDone(last); done != nil {
		if missing := s.leftUndone(done); missing != nil {
			s.cause = CauseNoContribution
			return Silent, done.Ended, fmt.Sprintf("its program ended %s without the contribution that message %d asks for",
				ago(s.now, done.Ended), missing.Message)
		}
		if debt == nil {
			return Idle, done.Ended, "its program ended normally after its round; nothing is overdue"
		}
	}
	if debt == nil && s.didItsPart(last) {
		return Idle, last.Ended, "it did its part, and its program ended; nothing is overdue"
	}
	s.cause = CauseEnded
	if debt != nil {
		how += fmt.Sprintf(", and it owes %s", debt.text())
	}
	return Dead, last.Ended, how
}

// lastGone is the process of its own that was seen last, of those that have ended.
func (s *survey) lastGone() *Process {
	for i := range s.Processes { // they are in that order
		if p := &s.Processes[i]; p.Own && p.life() == Gone {
			return p
		}
	}
	return nil
}

// livesElsewhere tells whether anything shows or suggests life after the end of a process.
func (s *survey) livesElsewhere(gone *Process) bool {
	end := gone.seen().Add(slack)
	for i := range s.Processes {
		p := &s.Processes[i]
		switch {
		case p.Own && p.life() == Alive:
			return true
		case p.Own && p.life() == Unclear && !p.seen().Before(gone.Started): // who began anew left the others behind
			return true
		case !p.Own && p.acted().After(end):
			return true
		}
	}
	// The runner posts what a program printed after that ended, under its name.
	posted := gone.Round && !gone.Ended.IsZero()
	return s.LastRead.After(end) || !posted && s.LastSent.After(end)
}

// roundDone is the program of the agent's last round if that ended well.
func (s *survey) roundDone(last *Process) *Process {
	for i := range s.Processes {
		p := &s.Processes[i]
		if p.Own && p.Round && p.life() == Gone && !p.Ended.IsZero() && p.ExitCode != nil && *p.ExitCode == 0 &&
			!last.Started.After(p.Ended) {
			return p
		}
		if p.Own && p.Round {
			return nil // a later round did not
		}
	}
	return nil
}

// leftUndone is the call to a round that a program ended without having answered.
func (s *survey) leftUndone(p *Process) *Debt {
	for i := range s.Debts {
		d := &s.Debts[i]
		if d.Call && (p.Thread == "" || p.Thread == d.Thread) && !d.Since.After(p.Ended) {
			return d
		}
	}
	return nil
}

// didItsPart tells whether the agent answered a call to a round in the lifetime of a program that
// ended in good order, or in a round.
func (s *survey) didItsPart(last *Process) bool {
	orderly := last.Round || !last.Ended.IsZero() && (last.ExitCode == nil || *last.ExitCode == 0)
	if !orderly || len(s.Debts) > 0 {
		return false
	}
	for _, d := range s.Done {
		if (last.Thread == "" || last.Thread == d.Thread) && !d.At.Before(last.Started) {
			return true
		}
	}
	return false
}

// calling is rule 5.
func calling(s *survey) (State, time.Time, string) {
	for i := range s.Processes {
		p := &s.Processes[i]
		if p.underWay() && p.WaitingUntil.IsZero() && (p.Life == Alive || s.now.Sub(p.Called) <= Recent) {
			return Working, p.Called, fmt.Sprintf("a call of %s is under way (%s)", p.Call, p.name())
		}
	}
	return "", time.Time{}, ""
}

// underWay: a call ends with the process that serves it.
func (p *Process) underWay() bool {
	return !p.Called.IsZero() && p.CallEnded.IsZero() && p.life() != Gone
}

// inWait is rule 6. A wait that should be over by now ended without a word; one whose server ended goes
// on with the next, as far as its agent is concerned.
func inWait(s *survey) (State, time.Time, string) {
	for i := range s.Processes {
		p := &s.Processes[i]
		open := p.CallEnded.IsZero() && p.Left.IsZero() && !p.WaitingUntil.IsZero() && (!p.Own || p.life() != Gone)
		if open && !s.now.After(p.WaitingUntil.Add(AfterWait)) {
			return Waiting, p.Called, fmt.Sprintf("it waits for mail in %s (%s)", p.Call, p.name())
		}
	}
	return "", time.Time{}, ""
}

// afterWait is rule 7.
func afterWait(s *survey) (State, time.Time, string) {
	p := s.lastCall()
	if p == nil || !p.inVain() || s.now.Sub(p.CallEnded) > AfterWait {
		return "", time.Time{}, ""
	}
	return Waiting, p.Called, fmt.Sprintf("its wait for mail ran out %s; it is about to wait again (%s)", ago(s.now, p.CallEnded), p.name())
}

// inVain tells whether the last call waited and nothing came, as far as is known.
func (p *Process) inVain() bool {
	return p.Left.IsZero() && !p.WaitingUntil.IsZero() && (p.CallEnded.IsZero() || !p.CallEnded.Before(p.WaitingUntil.Add(-time.Second)))
}

// lastCall is the process with the latest call, of those that may still live.
func (s *survey) lastCall() *Process {
	var last *Process
	for i := range s.Processes {
		p := &s.Processes[i]
		if p.Called.IsZero() || p.Own && p.life() == Gone {
			continue
		}
		if last == nil || p.acted().After(last.acted()) {
			last = p
		}
	}
	return last
}

// recent is rule 8. An agent that went away in the middle of a call does not work on.
func recent(s *survey) (State, time.Time, string) {
	p := s.lastCall()
	if p != nil && !p.inVain() && p.Left.IsZero() && s.now.Sub(p.acted()) <= Recent {
		return Working, p.Called, fmt.Sprintf("it called %s %s (%s)", p.Call, ago(s.now, p.acted()), p.name())
	}
	last := s.lastMail()
	if last.IsZero() || s.now.Sub(last) > Recent || p != nil && (p.inVain() || !p.Left.IsZero()) && !last.After(p.acted()) {
		return "", time.Time{}, ""
	}
	if s.LastRead.After(s.LastSent) {
		return Working, last, fmt.Sprintf("it read or acknowledged mail %s", ago(s.now, last))
	}
	return Working, last, fmt.Sprintf("it sent mail or registered %s", ago(s.now, last))
}

// lastMail is when mail was last moved in its name.
func (s *survey) lastMail() time.Time { return later(s.LastSent, s.LastRead) }

// inRound is rule 9: until its deadline a program that was started for a round is at work, however
// quiet it is.
func inRound(s *survey) (State, time.Time, string) {
	for i := range s.Processes {
		p := &s.Processes[i]
		if !p.Own || !p.Round || p.Life != Alive || p.Due.IsZero() {
			continue
		}
		if s.now.After(p.Due) {
			s.cause = CauseDeadline
			return Silent, p.Due, fmt.Sprintf("its program (%s) runs past its deadline of %s, and gives no sign", p.name(), Instant{p.Due})
		}
		return Working, p.Started, fmt.Sprintf("its program (%s) plays a round and has until %s", p.name(), Instant{p.Due})
	}
	return "", time.Time{}, ""
}

// retired is rule 10.
func retired(s *survey) (State, time.Time, string) {
	if s.Retired.IsZero() {
		return "", time.Time{}, ""
	}
	return Idle, s.Retired, "it is retired: nothing is expected of it"
}

// unconnected is rule 11: a program in a pane that was called to a round and was never heard of since it
// started sits at a question of its own, such as whether it may trust the folder.
func unconnected(s *survey) (State, time.Time, string) {
	for i := range s.Processes {
		p := &s.Processes[i]
		quiet := p.Own && p.Pane != "" && p.Life == Alive && !p.Started.IsZero() && s.now.Sub(p.Started) > Connecting
		if quiet && s.called() && !s.lastAct().After(p.Started) {
			s.cause = CauseNotConnected
			return Silent, p.Started, fmt.Sprintf("its program (%s) was started %s and has not connected to brenner yet; look at its pane",
				p.name(), ago(s.now, p.Started))
		}
	}
	return "", time.Time{}, ""
}

// called tells whether a call to a round waits for the agent.
func (s *survey) called() bool {
	for i := range s.Debts {
		if s.Debts[i].Call {
			return true
		}
	}
	return false
}

// lastAct is when the agent last did something itself.
func (s *survey) lastAct() time.Time {
	last := s.lastMail()
	for i := range s.Processes {
		last = later(last, s.Processes[i].acted())
	}
	return last
}

// overdue is rule 12.
func overdue(s *survey) (State, time.Time, string) {
	debt := s.firstOverdue()
	if debt == nil {
		return "", time.Time{}, ""
	}
	reason := fmt.Sprintf("it owes %s, and ", debt.text())
	s.cause = CauseOverdue
	switch last := s.lastSign(); {
	case s.own(Alive) != nil:
		reason += "gives no sign though its process lives"
	case last.IsZero():
		reason += "has never given a sign"
	default:
		reason += "was last heard of " + ago(s.now, last)
	}
	return Silent, debt.Deadline, reason
}

func (s *survey) firstOverdue() *Debt {
	for i := range s.Debts { // the earliest deadline first
		if d := &s.Debts[i]; !d.Deadline.IsZero() && s.now.After(d.Deadline) {
			return d
		}
	}
	return nil
}

func (d *Debt) text() string {
	return fmt.Sprintf("%s for message %d since %s", d.What, d.Message, Instant{d.Deadline})
}

// own returns a process of the agent's own in a condition.
func (s *survey) own(life Life) *Process {
	for i := range s.Processes {
		if p := &s.Processes[i]; p.Own && p.life() == life {
			return p
		}
	}
	return nil
}

// left is rule 13: its client went away from a call, and nothing was heard of it since.
func left(s *survey) (State, time.Time, string) {
	p := s.lastCall()
	if p == nil || p.Left.IsZero() || s.lastMail().After(p.Left) || s.own(Alive) != nil {
		return "", time.Time{}, ""
	}
	s.cause = CauseLeft
	return Unknown, p.Left, fmt.Sprintf("its client went away from %s %s and has not come back", p.Call, ago(s.now, p.Left))
}

// busy is rule 14. That a message was fetched counts only with a sign of the agent at or after it: others
// look into inboxes too.
func busy(s *survey) (State, time.Time, string) {
	for _, d := range s.Debts {
		if d.Fetched.IsZero() || d.Deadline.IsZero() {
			continue
		}
		if !s.lastAct().Add(slack).Before(d.Fetched) {
			return Working, d.Fetched, fmt.Sprintf("it fetched message %d and has until %s to answer", d.Message, Instant{d.Deadline})
		}
	}
	return "", time.Time{}, ""
}

// living is rule 15.
func living(s *survey) (State, time.Time, string) {
	p := s.own(Alive)
	if p == nil {
		return "", time.Time{}, ""
	}
	return Idle, s.lastSign(), fmt.Sprintf("its program lives (%s); %s", p.name(), s.nothingOverdue())
}

// heardOf is rule 16.
func heardOf(s *survey) (State, time.Time, string) {
	last := s.lastSign()
	if last.IsZero() || s.now.Sub(last) > Seen {
		return "", time.Time{}, ""
	}
	return Idle, last, fmt.Sprintf("it was heard of %s; %s", ago(s.now, last), s.nothingOverdue())
}

func (s *survey) nothingOverdue() string {
	if len(s.Debts) == 0 {
		return "nothing is asked of it"
	}
	return "nothing is overdue"
}

// notKnown says why there is no telling.
func (s *survey) notKnown() string {
	last := s.lastSign()
	if last.IsZero() {
		return "nothing was ever heard of it"
	}
	if p := s.own(Unclear); p != nil {
		return fmt.Sprintf("it was last heard of %s, and its process (%s) cannot be looked at from here", ago(s.now, last), p.name())
	}
	return fmt.Sprintf("it was last heard of %s, and no process of its own is known", ago(s.now, last))
}
