package message

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sampleNotices(text string) []Notice {
	waiting := Waiting{12, text, "BlueLake", []string{"RedSky", "GreenValley"}, time.Date(2025, 12, 30, 14, 0, 0, 0, time.UTC), 2}
	return []Notice{
		ValidationError(12, []protocol.Finding{
			protocol.NewFinding(protocol.MB003, "The KICKOFF has no Context section.").At(1, 1),
			protocol.NewFinding(protocol.MB101, "%s", text).WithFix("%s", text),
		}),
		Persisted(3, "artifacts/RS-20251230-cell-fate.md", ""),
		Persisted(3, "artifacts/RS-20251230-cell-fate.md", "abc1234"),
		Acknowledgement(7, "KICKOFF: "+text, "Understood", text),
		Acknowledgement(7, "", "Received", ""),
		waiting.Reminder(),
		waiting.Escalation(),
		Completion{threadID, 3, ArtifactPath(threadID), "abc1234", "", nil}.Notice(),
		Completion{threadID, 3, ArtifactPath(threadID), "", text, []string{"C1", text}}.Notice(),
		Critique{"Scale of A2 " + text, Target{2, "A2", "Statement"}, text, "Diffusion is too slow. " + text, text, text, "Major"}.Notice(),
	}
}

func TestNotices(t *testing.T) {
	var b strings.Builder
	for _, n := range sampleNotices("Gradients in a large field") {
		b.WriteString("Subject: " + n.Subject + "\n\n" + n.Body + "\n========\n")
	}
	const file = "testdata/notices.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNoticesPass: what the program writes passes its own door, whatever texts it repeats.
// Where a text is a person's own contribution (notes, an attack), what it says of deltas is
// still theirs, so only there MB-121 and MB-122 may come back.
func TestNoticesPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		for _, n := range sampleNotices(text) {
			report := Check(Draft{ThreadID: threadID, Subject: n.Subject, Body: n.Body}, Facts{})
			if want, _, _ := strings.Cut(n.Subject, ":"); string(report.Type) != want {
				t.Fatalf("%s is a %s", n.Subject, report.Type)
			}
			own := report.Type == protocol.TypeAck || report.Type == protocol.TypeCritique
			for _, f := range report.Findings {
				if !own || f.Code != protocol.MB121 && f.Code != protocol.MB122 {
					t.Fatalf("%s\n\n%s\n\n%s", n.Subject, n.Body, describe(report))
				}
			}
			if report.Type == protocol.TypeCritique &&
				(report.References.Target != Target{2, "A2", "Statement"} || report.References.Severity != "Major") {
				t.Fatalf("%+v\n%s", report.References, n.Body)
			}
			if report.Type == protocol.TypeAck && !slices.Equal(report.References.AckOf, []int64{7}) {
				t.Fatalf("acknowledges %d", report.References.AckOf)
			}
		}
	})
}
