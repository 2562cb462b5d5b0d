package session_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/session"
)

// TestToDos: everything that waits for a person is in one list, the most urgent first, and a complete session asks
// for nothing.
func TestToDos(t *testing.T) {
	b := newBench(t)
	b.start()
	run := session.RunState{GateRound: 2, GateSince: b.now, Live: true}
	b.Sessions = session.New(b.mail, nil, session.Settings{Probe: session.Probe{
		Host:    "lab",
		Process: func(context.Context, int, time.Time) (alive, known bool) { return false, true },
		Run: func(context.Context, string) (session.RunState, bool, error) {
			return run, run != (session.RunState{}), nil
		},
	}})
	kinds := func(want ...session.ToDoKind) []session.ToDo {
		t.Helper()
		list, err := b.ToDos(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := []session.ToDoKind{}
		for _, todo := range list {
			got = append(got, todo.Kind)
			if todo.Command.Do == "" || todo.What == "" || todo.ThreadID != thread {
				t.Errorf("%+v", todo)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v: %+v", got, want, list)
		}
		alone, err := b.take().ToDos(t.Context())
		if err != nil || !slices.Equal(alone, list) {
			t.Errorf("of the session alone: %v %+v", err, alone)
		}
		asNextSays(t, b.take(), list)
		return list
	}
	kinds(session.ToDoGate)
	b.send("BlueLake", "QUESTION: Which one?", "## Question\n\nWhich?\n\n## Urgency\n\nSoon\n", 0)
	b.send("BlueLake", "CRITIQUE: Too slow", "# Critique\n\n## Target\n\nH1\n\n## Attack\n\nIt drifts.\n\n## Evidence\n\nA watch.\n\n## "+
		"Severity\n\nCritical\n\n## Suggested Resolution\n\nMeasure.\n", 0)
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque")+
		"\n```delta\n"+`{"operation": "EDIT", "section": "hypothesis_slate", "target_id": "H9", "payload": {"claim": "x"}, `+
		`"rationale": "r"}`+"\n```\n", 0)
	if err := b.mail.NotePresence(t.Context(), mail.Presence{Agent: "RedSky", Source: mail.SourceCockpit, Host: "lab", PID: 4,
		ProcessStarted: b.now}); err != nil {
		t.Fatal(err)
	}
	list := kinds(session.ToDoGate, session.ToDoAnswer, session.ToDoReply, session.ToDoRestart, session.ToDoRepair, session.ToDoCompile,
		session.ToDoMend)
	if list[3].Agent != "RedSky" || list[3].Command.Do != "restart" || list[3].Command.With.Thread != thread ||
		list[3].Command.With.Agent != "RedSky" {
		t.Errorf("%+v", list[3])
	}
	run = session.RunState{Status: "stalled", Reason: "nobody contributed", Since: b.now}
	kinds(session.ToDoAnswer, session.ToDoReply, session.ToDoRestart, session.ToDoRun, session.ToDoRepair, session.ToDoCompile,
		session.ToDoMend)
	run = session.RunState{Status: "converged"}
	if _, err := b.mail.Acknowledge(t.Context(), "Operator", list[2].MessageID, ""); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(2 * time.Hour)
	b.send("RedSky", "INFO: Back again", "Here I am.", 0)
	kinds(session.ToDoAnswer, session.ToDoRepair, session.ToDoCompile, session.ToDoMend)
	if _, err := b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Force: "enough"}); err == nil {
		kinds()
	}
}

// asNextSays holds a list against what next says comes before any test: the same, in the same order.
func asNextSays(t *testing.T, of *session.Session, list []session.ToDo) {
	t.Helper()
	first, err := of.First()
	if err != nil {
		t.Fatal(err)
	}
	before := []session.ToDoKind{session.ToDoAnswer, session.ToDoReply, session.ToDoCompile, session.ToDoMend}
	same := slices.DeleteFunc(slices.Clone(list), func(todo session.ToDo) bool { return !slices.Contains(before, todo.Kind) })
	if !slices.Equal(same, first) {
		t.Errorf("next says %+v, todo %+v", first, same)
	}
}

// TestActivity: what this machine shows of a program is beside the verdict about its agent.
func TestActivity(t *testing.T) {
	b := newBench(t)
	b.start()
	works := []session.Work{{
		Agent: "redsky", Where: session.InRun, Program: "mine", Round: 1, PID: 7, Due: b.now.Add(time.Minute),
		Printed:  b.now.Add(-10 * time.Second),
		LastLine: "hello", Processes: 2, CPU: time.Second, CPUShare: 0.5,
	}}
	b.Sessions = session.New(b.mail, nil, session.Settings{Probe: session.Probe{
		Work: func(context.Context, string) ([]session.Work, error) { return works, nil },
	}})
	found, err := b.Activity(t.Context(), nil)
	if err != nil || len(found.Agents) != 2 || found.Quiet != 0 {
		t.Fatalf("%v %+v", err, found)
	}
	got := found.Agents[1]
	if got.Agent != "RedSky" || *got.LeftS != 60 || *got.OutputAgeS != 10 || *got.CPUPercent != 50 || *got.PID != 7 ||
		got.LastLine != "hello" || got.State != liveness.Unknown {
		t.Errorf("%+v", got)
	}
	if other := found.Agents[0]; other.Where != nil || other.LeftS != nil || other.CPUPercent != nil {
		t.Errorf("%+v", other)
	}
	works = nil
	b.now = b.now.Add(8 * 24 * time.Hour)
	if found, err = b.Activity(t.Context(), nil); err != nil || found.Quiet+len(found.Agents) == 0 {
		t.Errorf("%v %+v", err, found)
	}
}
