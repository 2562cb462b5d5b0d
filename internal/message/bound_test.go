package message_test

import (
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Too many blocks refuse any mail that is sent, on every thread; mail that exists gets a warning.
func TestTooManyBlocks(t *testing.T) {
	body := "# D\n\n" + strings.Repeat("```delta\n```\n", artifact.MaxBlocks+1)
	for _, test := range []struct {
		subject string
		facts   message.Facts
		want    protocol.Severity
	}{
		{"DELTA[gpt]: x", message.Facts{}, protocol.SeverityError},
		{"DELTA[gpt]: x", message.Facts{Intake: protocol.Lenient}, protocol.SeverityError},
		{"INFO: x", message.Facts{}, protocol.SeverityError},
		{"DELTA[gpt]: x", message.Facts{Intake: protocol.Lenient, Existing: true}, protocol.SeverityWarning},
	} {
		r := message.Check(message.Draft{Subject: test.subject, Body: body}, test.facts)
		if len(r.Findings) != 1 || r.Findings[0].Code != protocol.TooManyBlocks || r.Findings[0].Severity != test.want {
			t.Errorf("%s, %+v: %v", test.subject, test.facts, r.Findings)
		}
		if r.Receipt == nil || r.Receipt.Found != artifact.MaxBlocks+1 || r.Receipt.Rejected != r.Receipt.Found || len(r.Deltas) > 0 {
			t.Errorf("%s: receipt %+v", test.subject, r.Receipt)
		}
	}
}

// A report lists 200 findings, errors before others, and counts the rest.
func TestListedFindings(t *testing.T) {
	valid := `{"operation":"KILL","section":"hypothesis_slate","target_id":"H1","payload":{"reason":"x"}}`
	body := "# D\n\n" + strings.Repeat("```delta\n"+valid+"\n```\n", 900) + "```delta\n7\n```\n"
	r := message.Check(message.Draft{Subject: "DELTA[gpt]: x", Body: body}, message.Facts{})
	if len(r.Findings) != protocol.MaxListed || r.More != 701 || !r.Refused() {
		t.Errorf("%d findings and %d more, refused %v", len(r.Findings), r.More, r.Refused())
	}
	r.Add(protocol.NewFinding(protocol.CircularReference, "late"))
	if len(r.Findings) != protocol.MaxListed || r.More != 702 {
		t.Errorf("with one more: %d findings and %d more", len(r.Findings), r.More)
	}
	if last := r.Findings[len(r.Findings)-1]; last.Code != protocol.CircularReference {
		t.Errorf("the last finding is %v, not the error", last.Code)
	}
}
