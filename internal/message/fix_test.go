package message

import (
	"strings"
	"testing"

	"brenner/internal/artifact/delta/repair"
)

// TestFixedExamples: what the specification warns of is repaired into something accepted,
// and the misread § comes back.
func TestFixedExamples(t *testing.T) {
	for _, name := range []string{"delta-26-remediation", "delta-06-edit-anchors-misread", "delta-24-target"} {
		t.Run(name, func(t *testing.T) {
			v := one(t, "testdata/specs/"+name+".txtar")
			fixed := repair.Fix(v.draft.Body)
			if !fixed.Changed || len(fixed.Repairs) == 0 {
				t.Fatal("nothing was repaired")
			}
			report := Check(Draft{Subject: v.draft.Subject, Body: fixed.Text}, Facts{})
			if report.Refused() || report.Receipt.Accepted != 1 {
				t.Errorf("the repaired message is refused:\n%s\n%s", fixed.Text, describe(report))
			}
			if strings.Contains(fixed.Text, "¬ß") {
				t.Errorf("a misread § is left:\n%s", fixed.Text)
			}
		})
	}
}
