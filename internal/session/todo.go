package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"brenner/internal/artifact/lint"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// ToDo is something that waits for a person, and what does it.
type ToDo struct {
	What      string           `json:"what"` // hostile text in part
	Command   protocol.Action  `json:"command"`
	Kind      ToDoKind         `json:"kind"`
	ThreadID  string           `json:"thread_id"`
	Agent     string           `json:"agent,omitempty"`
	MessageID int64            `json:"message_id,omitempty"` // what is to be answered
	Round     int              `json:"round,omitempty"`      // that a gate is about
	Since     liveness.Instant `json:"since"`
	Asked     *liveness.Plight `json:"asked,omitempty"` // what a program asks; absent: nothing
}

// ToDoKind says what has to be done.
type ToDoKind string

// The kinds, in the order in which they come first.
const (
	ToDoGate    ToDoKind = "gate"    // a run asks whether to play the next round
	ToDoAsk     ToDoKind = "ask"     // a program waits for a person's answer
	ToDoSignIn  ToDoKind = "sign_in" // the service of a program does not know it
	ToDoConnect ToDoKind = "connect" // a program waits in its pane for something, such as trust
	ToDoAnswer  ToDoKind = "answer"  // a Critical critique
	ToDoReply   ToDoKind = "reply"   // a QUESTION or BLOCKED
	ToDoRestart ToDoKind = "restart" // an agent is dead, or ended without its contribution
	ToDoNudge   ToDoKind = "nudge"   // an agent is silent
	ToDoRun     ToDoKind = "run"     // a run ended before its work was done, or a person paused it
	ToDoRepair  ToDoKind = "repair"  // blocks were rejected
	ToDoCompile ToDoKind = "compile" // deltas are pending
	ToDoMend    ToDoKind = "mend"    // lint finds errors
)

var toDoOrder = []ToDoKind{ToDoGate, ToDoAsk, ToDoSignIn, ToDoConnect, ToDoAnswer, ToDoReply, ToDoRestart, ToDoNudge, ToDoRun, ToDoRepair,
	ToDoCompile, ToDoMend}

// Key names what is to be done, as long as it is the same thing.
func (t ToDo) Key() string {
	return fmt.Sprintf("%s/%s/%s/%d/%d", t.Kind, t.ThreadID, mail.NameKey(t.Agent), t.MessageID, t.Round)
}

// ToDos lists everything that waits for the operator in the sessions that are not complete: what is most
// urgent first, then what waits longest. Every surface shows this list.
func (s *Sessions) ToDos(ctx context.Context, only mail.ThreadSet) ([]ToDo, error) {
	list, err := s.openSummaries(ctx, only)
	if err != nil {
		return []ToDo{}, err
	}
	var open []ask
	for _, m := range list {
		open = append(open, m.open...)
	}
	heard, err := s.acknowledged(ctx, open)
	if err != nil {
		return []ToDo{}, err
	}
	errors, taken := map[string]int{}, s.gather()
	for _, m := range list {
		if errors[m.ThreadID], err = taken.errorsIn(ctx, m); err != nil {
			return []ToDo{}, err
		}
	}
	return s.todos(ctx, list, unheard(open, heard), errors)
}

// errorsIn counts what lint finds wrong in a session, from memory as long as neither the thread nor what lint asks has changed.
func (g *gathering) errorsIn(ctx context.Context, m *summary) (int, error) {
	library, err := g.of.Library()
	if err != nil {
		return 0, nil //nolint:nilerr // who reads the pack is told; what waits elsewhere is not held back by it
	}
	if n, known := m.linted.by(library); known {
		return n, nil
	}
	thread, err := g.of.mail.Thread(ctx, m.ThreadID)
	if err != nil {
		return 0, err
	}
	v, err := g.at(ctx, thread)
	if err != nil {
		return 0, err
	}
	if !refers(v) { // what other sessions say makes no difference
		n := errorsOf(v, library)
		if v.Position() == m.at {
			m.linted.keep(library, n)
		}
		return n, nil
	}
	of, err := g.of.hold(ctx, thread, v, g.at)
	if err != nil {
		return 0, err
	}
	return of.lintErrors()
}

// errorsOf counts what lint finds wrong with an artifact that refers to no other session.
func errorsOf(v *fold.View, library *evidence.Library) int {
	if v.Phase() == fold.PhaseKickoff {
		return 0
	}
	n, _ := lint.CountErrors(lint.Input{Document: v.Unhashed(), Project: &lint.Project{Library: library}})
	return n
}

// ToDos lists everything that waits for the operator in the session.
func (s *Session) ToDos(ctx context.Context) ([]ToDo, error) {
	if s.View.Phase().Over() {
		return []ToDo{}, nil
	}
	errors, err := s.lintErrors()
	if err != nil {
		errors = 0
	}
	return s.of.todos(ctx, []*summary{s.of.summaryOf(s.View)}, unheard(openAsks(s.View), s.heard), map[string]int{s.ID(): errors})
}

// todos lists what waits in sessions, where questions are open and lint finds errors. What First says of a session is in it.
func (s *Sessions) todos(ctx context.Context, list []*summary, open []ask, errors map[string]int) ([]ToDo, error) {
	todos := []ToDo{}
	q, err := s.inquireInto(ctx, participations(list)...)
	if err != nil {
		return todos, err
	}
	for _, m := range list {
		todos = append(todos, m.waits...)
		run, err := s.runToDos(ctx, m.ThreadID)
		if err != nil {
			return todos, err
		}
		todos = append(append(todos, run...), q.agentToDos(m)...)
		todos = append(append(todos, compiles(m.ThreadID, m.PendingDeltas)...), mends(m.ThreadID, errors[m.ThreadID])...)
	}
	for _, a := range open {
		todos = append(todos, s.replyTo(a.thread, a))
	}
	sortToDos(todos)
	return todos, nil
}

// runToDos is what the run of a session waits for.
func (s *Sessions) runToDos(ctx context.Context, id string) ([]ToDo, error) {
	run, ok, err := s.runState(ctx, id)
	if err != nil || !ok {
		return nil, err
	}
	switch {
	case run.GateRound > 0:
		play := protocol.Action{Do: "run", With: protocol.Arguments{Thread: id, Gate: true}}
		command := protocol.Action{Do: "resume", With: protocol.Arguments{Thread: id}}
		if !run.Live { // the word is heard when it is started again
			said, err := s.wordSince(ctx, id, run.GateSince)
			switch {
			case err != nil || said == WordStop:
				return nil, err
			case said == WordGo:
				return []ToDo{{
					Kind: ToDoRun, ThreadID: id, Round: run.GateRound, Since: liveness.Instant{Time: run.GateSince},
					What: fmt.Sprintf("Start the run again: it goes on with round %d", run.GateRound), Command: play,
				}}, nil
			}
			command.Then = &play
		}
		return []ToDo{{
			Kind: ToDoGate, ThreadID: id, Round: run.GateRound, Since: liveness.Instant{Time: run.GateSince},
			What: fmt.Sprintf("Say whether round %d is to be played", run.GateRound), Command: command,
		}}, nil
	case run.PausedBy != "":
		return []ToDo{{
			Kind: ToDoRun, ThreadID: id, Since: liveness.Instant{Time: run.PausedAt}, Round: run.Round,
			What:    fmt.Sprintf("Let the run go on, which %s paused", run.PausedBy),
			Command: protocol.Action{Do: "resume", With: protocol.Arguments{Thread: id}},
		}}, nil
	case run.Status == "budget":
		return []ToDo{{Kind: ToDoRun, ThreadID: id, Round: run.Round, Since: liveness.Instant{Time: run.Since},
			What:    "Raise the budget of the run and start it again, or leave it: " + run.Reason,
			Command: protocol.OnThread("run.edit", id).Giving("budget").Before(protocol.OnThread("run", id))}}, nil
	case run.Status == "stalled" || run.Status == "interrupted" || run.Status == "timed_out" || run.Status == "" && !run.Live:
		what := "Start the run again: it ended without a word"
		if run.Status != "" {
			what = fmt.Sprintf("Start the run again: %s, %s", run.Status, run.Reason)
		}
		return []ToDo{{Kind: ToDoRun, ThreadID: id, Round: run.Round, Since: liveness.Instant{Time: run.Since}, What: what,
			Command: protocol.Action{Do: "run", With: protocol.Arguments{Thread: id}}}}, nil
	}
	return nil, nil
}

// agentToDos lists the agents of a session that need a person.
func (q *inquiry) agentToDos(m *summary) []ToDo {
	var list []ToDo
	for _, part := range m.agents {
		v, ok := q.verdict(&m.participation, part.Name)
		if !ok {
			continue
		}
		t := ToDo{ThreadID: m.ThreadID, Agent: v.Agent, Since: v.Since}
		t.Command.With = protocol.Arguments{Thread: t.ThreadID, Agent: v.Agent}
		switch v.Cause {
		case liveness.CauseAsks:
			t.Kind, t.What = ToDoAsk, fmt.Sprintf("Answer %s, whose program asks: %s", v.Agent, v.Asked.Said())
			t.Command, t.Asked = answerTo(v, t.ThreadID), v.Asked
		case liveness.CauseSignedOut:
			t.Kind, t.What, t.Command.Do = ToDoSignIn, fmt.Sprintf("Sign %s in: %s", v.Agent, v.Reason), "restart"
		case liveness.CauseNotConnected:
			t.Kind, t.What, t.Command = ToDoConnect, fmt.Sprintf("Look at the pane of %s: %s", v.Agent, v.Reason),
				protocol.Action{Do: "cockpit.attach", With: protocol.Arguments{Thread: t.ThreadID}}
		case liveness.CauseEnded, liveness.CauseNoContribution:
			t.Kind, t.What, t.Command.Do = ToDoRestart, fmt.Sprintf("Start %s again: %s", v.Agent, v.Reason), "restart"
		case liveness.CauseDeadline, liveness.CauseOverdue:
			t.Kind, t.What, t.Command.Do = ToDoNudge, fmt.Sprintf("Nudge %s: %s", v.Agent, v.Reason), "nudge"
		default:
			continue
		}
		list = append(list, t)
	}
	return list
}

// answerTo is what answers the program of an agent.
func answerTo(v liveness.Verdict, threadID string) protocol.Action {
	if v.Action == nil { // it runs where nobody but its person can press a key
		return protocol.Action{Do: "why", With: protocol.Arguments{Agent: v.Agent}}
	}
	answer := *v.Action
	answer.With.Thread = threadID
	return answer
}

// criticals are the open Critical critiques.
func criticals(v *fold.View) []ToDo {
	var list []ToDo
	for _, c := range v.OpenCritiques() {
		if c.Critical() {
			at, _ := time.Parse(time.RFC3339Nano, c.CreatedTS)
			list = append(list, ToDo{
				Kind: ToDoAnswer, ThreadID: v.Fold.ThreadID(), MessageID: c.MessageID, Since: liveness.Instant{Time: at},
				What:    fmt.Sprintf("Answer the Critical critique #%d of %s: %s", c.MessageID, c.From, c.Title),
				Command: protocol.Action{Do: "critique.answer", With: protocol.Arguments{Message: c.MessageID, Body: true}},
			})
		}
	}
	return list
}

// rejections are the messages since the latest version of which blocks were rejected.
func rejections(v *fold.View) []ToDo {
	var list []ToDo
	id := v.Fold.ThreadID()
	for _, r := range v.Fold.Window().Messages {
		if r.Receipt == nil || r.Receipt.Rejected == 0 {
			continue
		}
		list = append(list, ToDo{
			Kind: ToDoRepair, ThreadID: id, Agent: r.From, MessageID: r.MessageID,
			Command: protocol.Action{Do: "diagnose", With: protocol.Arguments{Thread: id, Fix: true}},
			What:    fmt.Sprintf("Repair %s of #%d from %s", protocol.Plural(r.Receipt.Rejected, "rejected delta"), r.MessageID, r.From),
		})
	}
	return list
}

// ask is a question to a convener of a thread.
type ask struct {
	science.Ask
	thread    string
	conveners []string // among its recipients
}

// openAsks are the questions and blockers that were sent to a convener, and that no convener has replied to.
func openAsks(v *fold.View) []ask {
	var open []ask
	for _, a := range v.Science.Asks {
		asked := slices.DeleteFunc(slices.Clone(a.To), func(name string) bool { return !v.Fold.Convener(name) })
		if len(asked) > 0 && !slices.ContainsFunc(a.Replies, v.Fold.Convener) {
			open = append(open, ask{a, v.Fold.ThreadID(), asked})
		}
	}
	return open
}

// unheard drops the questions that were acknowledged.
func unheard(open []ask, heard []int64) []ask {
	return slices.DeleteFunc(slices.Clone(open), func(a ask) bool { return slices.Contains(heard, a.MessageID) })
}

// acknowledged lists the questions that a convener has acknowledged.
func (s *Sessions) acknowledged(ctx context.Context, open []ask) ([]int64, error) {
	var heard []int64
	for some := range slices.Chunk(open, page) {
		asked := map[int64]*ask{}
		ids := make([]int64, len(some))
		for i := range some {
			ids[i], asked[some[i].MessageID] = some[i].MessageID, &some[i]
		}
		deliveries, err := s.store().Deliveries(ctx, mail.DeliveryQuery{Project: s.project(), Messages: ids})
		if err != nil {
			return nil, err
		}
		for _, d := range deliveries {
			if a := asked[d.Message]; a != nil && !d.AckAt.IsZero() && slices.ContainsFunc(a.conveners, func(c string) bool {
				return protocol.SameAgent(c, d.Agent)
			}) {
				heard = append(heard, d.Message)
			}
		}
	}
	return heard, nil
}

func (s *Sessions) replyTo(threadID string, a ask) ToDo {
	return ToDo{
		Kind: ToDoReply, ThreadID: threadID, MessageID: a.MessageID, Agent: a.From,
		What:    fmt.Sprintf("Reply to #%d of %s: %s", a.MessageID, a.From, a.Subject),
		Command: protocol.Action{Do: "mail.reply", With: protocol.Arguments{Message: a.MessageID, From: s.mail.Operator(), Body: true}},
	}
}
