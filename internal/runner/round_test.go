//go:build unix

package runner_test

import (
	"fmt"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// openAgain sends a KICKOFF of a round to the agents of a run.
func openAgain(from, thread string, round int) mail.Outgoing {
	yes := true
	return mail.Outgoing{Draft: message.Draft{
		ThreadID: thread, From: from, To: names, Subject: fmt.Sprintf("KICKOFF: Round %d again", round), AckRequired: &yes,
		Body: fmt.Sprintf("# Round %d Kickoff\n\n## Research Question\nWhy does the tide turn?\n\n## Context\nNotes of a harbour.\n",
			round),
	}}
}

// TestRoundOpenedAgain: the round of the session is the round that is played. A convener opens round 1 again during round 2:
// the agents have their say again in round 1, and the run goes on to a new round 2.
func TestRoundOpenedAgain(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	if report, err := played(t, a, options(a, thread, 2)); err != nil || report.Status != runner.Converged {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	if _, err := a.Mail.Send(t.Context(), openAgain(mail.Operator, thread, 1)); err != nil {
		t.Fatal(err)
	}
	status := func() int {
		t.Helper()
		of, err := a.Sessions.Session(t.Context(), thread)
		if err != nil {
			t.Fatal(err)
		}
		return of.View.Round
	}
	if status() != 1 {
		t.Fatalf("round %d", status())
	}
	o, started, begun := options(a, thread, 2), 0, []int{}
	o.Tell = func(e runner.Event) {
		switch e.Kind {
		case runner.AgentStarted:
			started++
		case runner.RoundBegun:
			begun = append(begun, e.Round)
		}
	}
	for name, s := range whole() { // something else to say, so that the round does not converge
		s.Steps[0].Body = contribution(assumption(7 + len(name)))
		s.Steps = append([]step{{Round: 9, Subject: "DELTA[gpt]: Never", Body: contribution(attack(9))}}, s.Steps...)
		writeJSON(t, a.Project.Root+"/"+name+".json", s)
	}
	report, err := played(t, a, o)
	if err != nil || report.Status != runner.Converged || status() != 2 {
		t.Fatalf("%s: %s, %v, round %d", report.Status, report.Reason, err, status())
	}
	if fmt.Sprint(begun) != "[1 2]" || started != 6 {
		t.Errorf("rounds %v, %d agents started", begun, started)
	}
	agents := expect(t, report, 1, runner.Contributed, runner.Contributed, runner.Contributed)
	if agents[0].Attempts != 2 {
		t.Errorf("%+v", agents[0])
	}
}

// TestNoConvenerNoRound: a KICKOFF of an agent is refused, opens no round, and a run in its name does not begin what it
// could not go on with.
func TestNoConvenerNoRound(t *testing.T) {
	t.Parallel()
	a, thread := project(t, whole())
	if _, err := a.Mail.Send(t.Context(), openAgain(names[0], thread, 2)); protocol.CodeOf(err) != protocol.NotAllowed {
		t.Fatalf("%v", err)
	}
	o := options(a, thread, 2)
	o.As = names[0]
	if report, err := runner.Run(t.Context(), o); protocol.CodeOf(err) != protocol.NotAllowed || len(report.Rounds) > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
}
