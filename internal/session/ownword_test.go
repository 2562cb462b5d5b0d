package session_test

import (
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/session"
)

const unfinished = "# D\n\n```delta\n" + `{"operation":"ADD","section":"anomaly_register","payload":{"name":"n","observation":"o",` +
	`"conflicts_with":["H1"],"status":"active"},"rationale":"r",}` + "\n```\n"

// TestOwnWord: whatever is posted in an agent's name carries the agent's own word, and never human, which would overrule
// every other agent (PROTOCOL 3).
func TestOwnWord(t *testing.T) {
	for _, agent := range []struct{ name, program, model, word string }{
		{"GreyFog", "", "", "agent"}, {"PinkRock", "custom", "Human-2", "agent"}, {"GoldLeaf", "custom", "deepseek-r1", "deepseek"},
		{"BlueLake", "codex-cli", "gpt-5.2", "gpt"}, {"Operator", "operator", "", "human"},
	} {
		b := newBench(t)
		b.start()
		if _, err := b.mail.Register(t.Context(), mail.Registration{Name: agent.name, Program: agent.program, Model: agent.model,
			Operator: true}); err != nil {
			t.Fatal(err)
		}
		b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
		b.send("BlueLake", "DELTA[gpt]: test", "# D\n\n```delta\n"+
			`{"operation":"ADD","section":"discriminative_tests","payload":{"name":"t","procedure":"p","discriminates":"H1",`+
			`"expected_outcomes":{"H1":"kept"}},"rationale":"r"}`+"\n```\n", 0)
		b.imports([3]string{"BlueLake", "DELTA[gpt]: broken", unfinished})
		critique := b.send("RedSky", "CRITIQUE: H1 forgets", grave, 0).Message.ID
		promoted, err := b.CritiquePromote(t.Context(), critique, agent.name)
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := b.RecordResult(t.Context(), session.ResultRequest{ThreadID: thread, Test: "T1", As: agent.name, Outcome: "kept"})
		if err != nil {
			t.Fatal(err)
		}
		diagnosis, err := b.Diagnose(t.Context(), thread, session.ShowRepairs)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.ApplyFixes(t.Context(), &diagnosis, agent.name); err != nil || len(diagnosis.Fixes) != 1 {
			t.Fatalf("%d fixes, %v", len(diagnosis.Fixes), err)
		}
		for _, id := range []int64{promoted.Message.ID, *recorded.MessageID, *diagnosis.Fixes[0].PostedAs} {
			m, err := b.mail.Message(t.Context(), id)
			if err != nil || !strings.HasPrefix(m.Subject, "DELTA["+agent.word+"]: ") {
				t.Errorf("%s posts %q, want the word %s (%v)", agent.name, m.Subject, agent.word, err)
			}
		}
	}
}
