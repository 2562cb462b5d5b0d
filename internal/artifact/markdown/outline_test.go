package markdown

import (
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

func TestOutlineAnswers(t *testing.T) {
	_, o, _ := Parse("## 2. Hypothesis Slate\n\n### H2: x\n\n**Claim**: c\n\n## 6. Anomaly Register\n\nNone.\n")
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"field", o.Line("H2", artifact.Claim), 5},
		{"item for an absent field", o.Line("H2", artifact.Mechanism), 3},
		{"unknown item", o.Line("H9", ""), 0},
		{"section", o.Section(artifact.AnomalyRegister), 7},
		{"absent section", o.Section(artifact.ResearchThread), 0},
		{"explicit", o.ExplicitEmpty(artifact.AnomalyRegister), true},
		{"not explicit", o.ExplicitEmpty(artifact.HypothesisSlate), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
	var none *Outline
	if none.Line("H1", "") != 0 || none.Section(artifact.ResearchThread) != 0 || none.ExplicitEmpty(artifact.AnomalyRegister) {
		t.Error("the outline of a thread knows no lines")
	}
}

func TestNotUTF8(t *testing.T) {
	doc, _, findings := Parse("## 1. Research Thread\n**Statement**: a\xffb\n")
	if got := doc.Artifact.Thread.Text(artifact.Statement); got != "a\uFFFDb" {
		t.Errorf("got %q", got)
	}
	if len(findings) != 1 || findings[0].Code != protocol.InvalidEncoding {
		t.Errorf("got %v", findings)
	}
	doc.Artifact.Thread.Set(artifact.Statement, artifact.Text("a\xff\xfeb\nc\xff"))
	again, _, _ := Parse(Render(doc))
	if got := again.Artifact.Thread.Text(artifact.Statement); got != "a\uFFFDb\nc\uFFFD" {
		t.Errorf("got %q", got)
	}
}
