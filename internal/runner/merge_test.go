//go:build unix

package runner_test

import (
	"strings"
	"testing"
	"time"

	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// crowded is a session whose first round fills the slate, and in whose second every agent adds one more
// hypothesis: the door takes the messages, and the merge has no room for any of them.
func crowded() map[string]script {
	scripts := with(whole(), "BlueLake", func(s *script) {
		s.Steps[0].Body = contribution(hypothesis(1), hypothesis(2), hypothesis(3), hypothesis(4), hypothesis(5), hypothesis(6),
			prediction("calm"), prediction("storm"), block("ADD", "predictions_table", "", map[string]any{
				"condition": "night", "predictions": map[string]string{"H1": "up", "H2": "down", "H3": "flat", "H4": "a", "H5": "b",
					"H6": "c"},
			}))
	})
	for i, name := range names {
		scripts = with(scripts, name, func(s *script) {
			s.Steps = append(s.Steps, step{Round: 2, Subject: []string{"DELTA[gpt]: 7", "DELTA[opus]: 8", "DELTA[gemini]: 9"}[i],
				Body: contribution(hypothesis(7 + i))})
		})
	}
	return scripts
}

// TestRejectedByTheMerge: agents whose deltas the merge rejected have contributed nothing, and the run does
// not converge on it.
func TestRejectedByTheMerge(t *testing.T) {
	t.Parallel()
	a, thread := project(t, crowded())
	report, err := played(t, a, options(a, thread, 2))
	if protocol.CodeOf(err) != protocol.RunStalled || report.Status != runner.Stalled ||
		!strings.Contains(report.Reason, "SECTION_LIMIT_EXCEEDED") {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	for _, agent := range expect(t, report, 2, runner.Refused, runner.Refused, runner.Refused) {
		if len(agent.Refusals) != 1 || agent.Refusals[0].Source != "delta" || agent.Refusals[0].MessageID == 0 ||
			agent.Refusals[0].Findings[0].Code != protocol.SectionLimitExceeded || len(agent.Messages) != 0 {
			t.Errorf("%+v", agent)
		}
	}
	// With a round left, the agents hear of it; now they are silent, and the end line says so.
	report, err = played(t, a, options(a, thread, 3))
	if err != nil || report.Status != runner.Converged ||
		!strings.Contains(report.Reason, "BlueLake, RedSky, GreenDog: its program ended well") {
		t.Fatalf("%s: %s, %v", report.Status, report.Reason, err)
	}
	messages, err := a.Mail.ThreadMessages(t.Context(), thread)
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for _, m := range messages {
		told = told || m.Type == protocol.TypeKickoff && strings.Contains(m.Body, "of RedSky was rejected: SECTION_LIMIT_EXCEEDED")
	}
	if !told {
		t.Error("no kickoff says what was rejected")
	}
}

// TestDeadlineFromTheStartOfPlay: a kickoff may be older than the time an agent has.
func TestDeadlineFromTheStartOfPlay(t *testing.T) {
	t.Parallel()
	a, thread := projectWith(t, whole(), "scripted", "scripted", "")
	<-time.After(1200 * time.Millisecond) // the kickoff grows old
	o := options(a, thread, 1)
	o.Deadline = time.Second
	sent := make(chan error, 1)
	o.Tell = func(e runner.Event) {
		if e.Kind == runner.RoundBegun {
			go func() {
				<-time.After(200 * time.Millisecond)
				_, err := a.Mail.Send(t.Context(), outgoing(thread, "GreenDog", whole()["GreenDog"].Steps[0]))
				sent <- err
			}()
		}
	}
	o.Programs = silentPrograms()
	report, err := played(t, a, o)
	if sendErr := <-sent; err != nil || sendErr != nil {
		t.Fatalf("%s: %s, %v, %v", report.Status, report.Reason, err, sendErr)
	}
	expect(t, report, 1, runner.Silent, runner.Silent, runner.Contributed)
}
