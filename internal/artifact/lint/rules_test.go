package lint_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/markdown"
	"brenner/internal/evidence"
	"brenner/internal/genealogy"
	"brenner/internal/protocol"
	"brenner/internal/transcript"

	"github.com/google/go-cmp/cmp"
)

// ruleCase is an edit of the base artifact that trips one rule.
type ruleCase struct {
	Rule    protocol.Code
	Also    []protocol.Code // what cannot but come with it
	Why     string
	File    bool // only a file can break it
	Replace [][2]string
	Item    string
	Path    string
	Line    int
	Message string // part of the message
}

func ruleCases(t *testing.T) []ruleCase {
	t.Helper()
	files, err := filepath.Glob("testdata/rules/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases")
	}
	var all []ruleCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var cases []ruleCase
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.DisallowUnknownFields()
		if err := d.Decode(&cases); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, cases...)
	}
	return all
}

func base(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/base.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// library has everything that the base artifact cites.
func library() *evidence.Library {
	text := "Cells keep their fate when moved late.\nThey lose it when moved early.\n"
	source := &evidence.Source{
		ID: "EV-001", Indexed: true,
		Excerpts: []evidence.Excerpt{{ID: "E1", Text: "Cells keep their fate when moved late.", From: 1, To: 1},
			{ID: "E2", Text: "They lose it when moved early.", From: 2, To: 2}},
		Open: func() evidence.Content {
			return evidence.Content{Raw: text, Text: evidence.NewText(text, evidence.Written)}
		},
	}
	changed := &evidence.Source{ID: "EV-002", Indexed: true, Open: func() evidence.Content {
		return evidence.Content{Wrong: []protocol.Finding{protocol.NewFinding(protocol.EVQ02, "EV-002: evidence/EV-002.txt is gone.")}}
	}}
	paper := "Cells lose it when not moved twice.\n\fCells are moved at night.\n"
	paged := &evidence.Source{ID: "EV-004", Indexed: true, Open: func() evidence.Content {
		return evidence.Content{Raw: paper, Text: evidence.NewText(paper, evidence.Extracted)}
	}}
	silent := &evidence.Source{ID: "EV-003", Indexed: true, Open: func() evidence.Content { return evidence.Content{} }}
	part := 0.5
	marked := func(id string, status evidence.Status, note string) *evidence.Source {
		return &evidence.Source{ID: id, Indexed: true, Status: status, StatusNote: note, Open: silent.Open}
	}
	foreign := &evidence.Source{ID: "EV-007", Indexed: true, TextBy: evidence.TextSupplied, TextAgrees: &part, Open: silent.Open}
	return &evidence.Library{
		Pack: &evidence.Pack{Sources: []*evidence.Source{
			source, changed, silent, paged, marked("EV-005", evidence.Corrected, "erratum"), marked("EV-006", evidence.Retracted, ""),
			foreign,
		}},
		Transcript: transcript.Parse("§12 a\nFate is read once.\n§20 b\n§21 c\n§22 d\n"),
	}
}

// project is one in which everything that the base artifact cites exists.
func project() *lint.Project {
	earlier := artifact.New()
	for _, id := range []artifact.ItemID{"H1", "H2", "H3"} {
		it := artifact.NewItem(id, artifact.HypothesisSlate)
		if id == "H3" {
			it.Set(artifact.ReferencesField, artifact.References{{Session: "RS-20260110-cell-fate", Item: "H1", Relation: "informed_by"}})
		}
		earlier.Add(it)
	}
	return &lint.Project{
		Library:   library(),
		Genealogy: genealogy.Build([]genealogy.Session{{ID: "RS-20251228-earlier", Artifact: earlier}}),
	}
}

func lintFile(text string, p *lint.Project) (artifact.Document, lint.Report) {
	doc, outline, _ := markdown.Parse(text)
	return doc, lint.Check(lint.Input{Document: doc, Outline: &outline, Project: p})
}

func ids(r lint.Report) []protocol.Code {
	var codes []protocol.Code
	for _, v := range r.Violations {
		codes = append(codes, v.Code)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func TestBaseIsClean(t *testing.T) {
	for _, p := range []*lint.Project{nil, project(), {}} {
		doc, r := lintFile(base(t), p)
		if len(r.Violations) > 0 || !r.Valid {
			t.Errorf("as a file: %v", r.Violations)
		}
		if r := lint.Check(lint.Input{Document: doc, Project: p}); len(r.Violations) > 0 {
			t.Errorf("as a fold: %v", r.Violations)
		}
	}
}

// TestRefutedRivals: a study that killed all hypotheses but one, its third alternative too, is finished (PROTOCOL 9).
func TestRefutedRivals(t *testing.T) {
	text := base(t)
	for _, heading := range []string{"H2: Gradient", "H3: Chromatin memory (third alternative)"} {
		text = strings.Replace(text, "### "+heading, "### ~~"+heading+"~~ [KILLED]", 1)
	}
	doc, r := lintFile(text, project())
	if len(doc.Artifact.Active(artifact.HypothesisSlate)) != 1 || len(r.Violations) > 0 {
		t.Errorf("%v", r.Violations)
	}
	alike(t, doc, r)
}

// TestRules trips each rule alone, as a file, as a fold, and after another round through
// Markdown.
func TestRules(t *testing.T) {
	for _, tt := range ruleCases(t) {
		t.Run(strings.TrimSpace(string(tt.Rule)+" "+tt.Why), func(t *testing.T) {
			text := base(t)
			for _, r := range tt.Replace {
				if strings.Count(text, r[0]) != 1 {
					t.Fatalf("%q stands %d times in the base", r[0], strings.Count(text, r[0]))
				}
				text = strings.Replace(text, r[0], r[1], 1)
			}
			doc, r := lintFile(text, project())
			want := append([]protocol.Code{tt.Rule}, tt.Also...)
			slices.Sort(want)
			if d := cmp.Diff(want, ids(r)); d != "" {
				t.Fatalf("(-want +got):\n%s%v", d, r.Violations)
			}
			tt.check(t, r)
			if !tt.File {
				alike(t, doc, r)
			}
		})
	}
}

func (tt ruleCase) check(t *testing.T, r lint.Report) {
	t.Helper()
	i := slices.IndexFunc(r.Violations, func(v lint.Violation) bool { return v.Code == tt.Rule })
	v := r.Violations[i]
	if info := tt.Rule.Info(); v.Severity != info.Severity || v.Fix == "" || v.Message == "" {
		t.Errorf("%+v is not as the table of codes has it", v)
	}
	if tt.Item != "" && v.Item != tt.Item || tt.Path != "" && v.Path != tt.Path || tt.Line != 0 && v.Line != tt.Line {
		t.Errorf("on %q at %q, line %d; want %q at %q, line %d", v.Item, v.Path, v.Line, tt.Item, tt.Path, tt.Line)
	}
	if !strings.Contains(v.Message, tt.Message) {
		t.Errorf("%q does not say %q", v.Message, tt.Message)
	}
}

// alike holds a thread's fold and its file to the same judgement, but for lines.
func alike(t testing.TB, doc artifact.Document, want lint.Report) {
	t.Helper()
	fold := lint.Check(lint.Input{Document: doc, Project: project()})
	if d := cmp.Diff(withoutLines(want), withoutLines(fold)); d != "" {
		t.Errorf("the fold is judged otherwise (-file +fold):\n%s", d)
	}
	if n, evidence := lint.CountErrors(lint.Input{Document: doc, Project: project()}); n != fold.Errors ||
		!reflect.DeepEqual(evidence, fold.Evidence) {
		t.Errorf("%d errors are counted, %d found", n, fold.Errors)
	}
	_, again := lintFile(markdown.Render(doc), project())
	if d := cmp.Diff(withoutLines(want), withoutLines(again)); d != "" {
		t.Errorf("its file is judged otherwise (-file +rendered):\n%s", d)
	}
}

func withoutLines(r lint.Report) lint.Report {
	r.Evidence = nil
	r.Violations = slices.Clone(r.Violations)
	for i := range r.Violations {
		r.Violations[i].Line = 0
	}
	return r
}

// Every rule of the table has a case, and every case a rule.
func TestEveryRuleHasACase(t *testing.T) {
	cases := map[protocol.Code]bool{}
	for _, tt := range ruleCases(t) {
		cases[tt.Rule] = true
	}
	for _, rule := range lint.Rules() {
		if !cases[rule.Code] {
			t.Errorf("%s has no case", rule.Code)
		}
		delete(cases, rule.Code)
	}
	for code := range cases {
		t.Errorf("%s is no rule", code)
	}
}

// Every code that the linter's source names is one of its rules: SARIF refers to rules by their place.
func TestEveryCodeInTheSourceIsARule(t *testing.T) {
	rules := map[string]bool{}
	for _, rule := range lint.Rules() {
		rules[strings.ReplaceAll(string(rule.Code), "-", "")] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`protocol\.([EWI][A-Z]*[0-9]+)\b`)
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllSubmatch(source, -1) {
			found++
			if code := string(m[1]); !rules[code] {
				t.Errorf("%s: %s is not among Rules()", file, code)
			}
		}
	}
	if found < len(rules)/2 {
		t.Errorf("only %d codes were found in the source", found)
	}
}

// A retracted source is an error in an active item that does not say so (SCIENCE 1, where a source stands).
func TestRetractedSources(t *testing.T) {
	for claim, want := range map[string]protocol.Severity{
		"Cells count divisions (EV-006).":                                protocol.SeverityError,
		"Cells count divisions (EV-006, which was Retracted).":           protocol.SeverityWarning,
		"Cells count divisions (EV-006, unretractedly).":                 protocol.SeverityError,
		"Cells count divisions (EV-005).":                                protocol.SeverityWarning,
		"Cells count divisions (EV-006#E1), cells count again (EV-006).": protocol.SeverityError,
	} {
		_, r := lintFile(strings.Replace(base(t), "Cells count divisions.", claim, 1), project())
		var got []protocol.Severity
		for _, v := range r.Violations {
			if v.Code == protocol.EVS01 && v.Item == "H1" && v.Path == "claim" {
				got = append(got, v.Severity)
			}
		}
		if !slices.Equal(got, []protocol.Severity{want}) {
			t.Errorf("%s: %v, want %s once", claim, got, want)
		}
	}
}
