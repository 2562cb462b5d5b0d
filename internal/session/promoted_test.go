package session_test

import (
	"strconv"
	"strings"
	"testing"

	"brenner/internal/fold"
)

const (
	grave = "# Critique: H1 forgets\n\n## Target\n\n**Item**: H1\n\n## Attack\n\nNo.\n\n## Evidence\n\n§1\n\n## Severity\n\nCritical\n"
	other = "```delta\n" + `{"operation":"ADD","section":"anomaly_register","payload":{"name":"n","observation":"o",` +
		`"conflicts_with":["H1"],"status":"active"},"rationale":"r"}` + "\n```\n"
)

// A critique that was promoted and its item are one entry, which keeps severity and target; what
// answers one answers both (PROTOCOL 11).
func TestPromotedCritiqueIsOneEntry(t *testing.T) {
	for name, answer := range map[string]string{
		"by item":    "# D\n\n**Action**: Response to C1\n\n" + other,
		"by message": "# D\n\n**Action**: Response to #ID\n\n" + other,
		"item closed": "# D\n\n```delta\n" +
			`{"operation":"EDIT","section":"adversarial_critique","target_id":"C1","payload":{"current_status":"resolved: it ` +
			`remembers"},"rationale":"r"}` + "\n```\n",
		"item killed": "# D\n\n```delta\n" +
			`{"operation":"KILL","section":"adversarial_critique","target_id":"C1","payload":{"reason":"settled"},"rationale":"r"}` +
			"\n```\n",
	} {
		b := newBench(t)
		b.start()
		critique := b.send("RedSky", "CRITIQUE: H1 forgets", grave, 0)
		if _, err := b.CritiquePromote(t.Context(), critique.Message.ID, "Operator"); err != nil {
			t.Fatal(err)
		}
		queue := b.queue()
		if len(queue) != 1 || queue[0].State != "open" || !queue[0].Promoted || *queue[0].Item != "C1" ||
			*queue[0].Severity != "Critical" || *queue[0].Target != "H1" {
			t.Fatalf("after promoting: %+v", queue)
		}
		b.send("BlueLake", "DELTA[gpt]: answer", strings.ReplaceAll(answer, "#ID", "#"+strconv.FormatInt(critique.Message.ID, 10)), 0)
		if queue := b.queue(); len(queue) != 1 || queue[0].State != "answered" {
			t.Errorf("%s: %+v", name, queue)
		}
		st, err := b.take().Status(t.Context())
		if err != nil || len(st.OpenCritiques) != 0 {
			t.Errorf("%s: open critiques %+v, %v", name, st.OpenCritiques, err)
		}
	}
}

func (b *bench) queue() []fold.QueueEntry {
	b.t.Helper()
	queue := b.take().View.Queue()
	return queue
}

// An item that is added and killed in one window is listed under Added by its name, and under
// Killed with the reason.
func TestAddedAndKilledInOneWindow(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: both", "# D\n\n```delta\n"+
		`{"operation":"ADD","section":"anomaly_register","local_id":"odd","payload":{"name":"Odd `+
		`one","observation":"o","conflicts_with":["H1"],"status":"active"},"rationale":"r"}`+
		"\n```\n\n```delta\n"+`{"operation":"KILL","section":"anomaly_register","target_id":"@odd","payload":{"reason":"An `+
		`artefact"},"rationale":"r"}`+"\n```\n", 0)
	out := b.compile()
	m, err := b.mail.Message(t.Context(), *out.MessageID)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### Added (1)\n\n- X1: Odd one\n", "### Killed (1)\n\n- X1: An artefact\n"} {
		if !strings.Contains(m.Body, want) {
			t.Errorf("%q is not in the body:\n%s", want, m.Body)
		}
	}
}
