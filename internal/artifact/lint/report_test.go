package lint_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

// broken is the base artifact with faults of every severity in several sections, and more
// than nine items so that numbers and not digits decide their order.
func broken(t *testing.T) string {
	text := base(t)
	var more strings.Builder
	for _, n := range []string{"10", "4", "5", "6", "7", "8", "9"} {
		more.WriteString("### A" + n + ": Assumption " + n + "\n\n**Statement**: s\n\n**Load**: l\n\n")
	}
	for _, r := range [][2]string{
		{"**Claim**: Cells read a gradient.\n\n", ""},
		{"**Feasibility**: A week.\n\n", ""},
		{"status: active\n", "status: odd\n"},
		{"### A1: Cells survive", more.String() + "### A1: Cells survive"},
		{"(third alternative)", ""},
	} {
		text = strings.Replace(text, r[0], r[1], 1)
	}
	return text
}

// The order is severity, section, item, id; items by number.
func TestOrder(t *testing.T) {
	_, r := lintFile(broken(t), nil)
	var got []string
	for _, v := range r.Violations {
		got = append(got, string(v.Severity)+" "+v.ID()+" "+v.Item)
	}
	want := strings.Split(strings.TrimSpace(`
error EM-004 
error EH-003 
error EH-004 H2
warning WA-002 A4
warning WA-002 A5
warning WA-002 A6
warning WA-002 A7
warning WA-002 A8
warning WA-002 A9
warning WA-002 A10
info IT-001 T1
info IA-001 A4
info IA-001 A5
info IA-001 A6
info IA-001 A7
info IA-001 A8
info IA-001 A9
info IA-001 A10`), "\n")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestReportJSON(t *testing.T) {
	_, r := lintFile(broken(t), nil)
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/report.json", append(out, '\n'))
	clean, err := json.Marshal(lint.Check(lint.Input{Name: "empty.md", Document: artifact.Document{Artifact: artifact.New()}}))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(clean), `"checklist":[]`) || !strings.HasPrefix(string(clean), `{"artifact":"empty.md","valid":false,`) {
		t.Errorf("of an empty artifact: %s", clean)
	}
}

func TestSchemaHolds(t *testing.T) {
	_, r := lintFile(broken(t), nil)
	if r.SchemaHolds() || !r.Has(protocol.EM004) || r.Has(protocol.EM001) {
		t.Error("EM-004 stands, so the schema does not hold")
	}
	if _, r := lintFile(base(t), nil); !r.SchemaHolds() {
		t.Error("the base artifact holds")
	}
}

// The library knows the schema of SARIF: it is the judge here.
func TestSARIF(t *testing.T) {
	for name, file := range map[string]string{"file.sarif": "artifacts/RS-20260110 cell:fate.md", "thread.sarif": ""} {
		_, r := lintFile(broken(t), nil)
		log := lint.SARIF(r, file)
		golden(t, "testdata/"+name, log)
		strict := json.NewDecoder(bytes.NewReader(log))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&sarif.Report{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		parsed, err := sarif.FromBytes(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := parsed.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := parsed.Runs[0]
		if len(run.Results) != len(r.Violations) || len(run.Tool.Driver.Rules) != len(lint.Rules()) {
			t.Errorf("%d results of %d rules", len(run.Results), len(run.Tool.Driver.Rules))
		}
		for i, result := range run.Results {
			if rule := run.Tool.Driver.Rules[result.RuleIndex]; *rule.ID != *result.RuleID || *result.RuleID != r.Violations[i].ID() {
				t.Errorf("result %d has rule %s at the place of %s", i, *result.RuleID, *rule.ID)
			}
		}
	}
}

// Killed items are exempt from everything but their place in the numbering.
func TestKilledItemsAreExempt(t *testing.T) {
	text := strings.Replace(base(t), "### C2: Unspecific drug",
		"### C2: Unspecific drug\n\n**Attack**: a\n\n**Evidence**: e\n\n**Current status**: open\n\n### ~~C3: False dichotomy~~ [KILLED]",
		1)
	text = strings.Replace(text, "**Attack**: It slows division.\n\n**Evidence**: Dose curve.", "**Evidence**: hypothesis H9, §99", 1)
	if _, r := lintFile(text, project()); len(r.Violations) > 0 {
		t.Errorf("a killed item is judged: %v", r.Violations)
	}
}
