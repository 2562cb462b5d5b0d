package lint_test

import (
	"strings"
	"testing"

	"brenner/internal/artifact/lint"
)

// FuzzFile lints whatever text a file may hold: no panic, and a report that adds up.
func FuzzFile(f *testing.F) {
	f.Add("")
	f.Add("---\nsession_id: x\n---\n## 7. Adversarial Critique\n### C999999999: x\n### C999999999: y\n")
	f.Add("## 3. Predictions Table\n| ID | Condition | H1 |\n|---|---|---|\n|  | x | y |\n| P1.H2 | §1-999999999 | §999999999-1 |\n")
	text := base(f)
	f.Add(text)
	f.Add(strings.ReplaceAll(text, "H2", "H999999999"))
	p := project()
	f.Fuzz(func(t *testing.T, text string) {
		_, r := lintFile(text, p)
		if r.Errors+r.Warnings+r.Info != len(r.Violations) || r.Valid != (r.Errors == 0) {
			t.Errorf("the report does not add up: %+v", r.Summary)
		}
		for _, v := range r.Violations {
			if v.Severity != v.Code.Info().Severity || v.Line < 0 || v.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%+v", v)
			}
		}
		lint.SARIF(r, "x.md")
	})
}
