package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A rule has one home. The tests of this file look into surfaces and runner for what decides a rule of the protocol again, and
// everywhere for texts that only a terminal can follow.

// surfaces hold no rule: they decode, ask and word the answer. The runner plays rounds, and decides none either.
var surfaces = []string{"cli", "mcpserver", "api", "web", "tui", "runner"}

// judges are the parsers and judges of the kernel, by package; a star stands for every function.
var judges = map[string][]string{
	"message": {"Check", "Judge", "ParseCompiled", "ParseSessionConfiguration", "Beliefs", "CompiledVersion", "CompletedVersion", "Round",
		"RoundAfter", "Enforced"},
	"delta":    {"Read", "IsBlock", "CheckObject", "ReplaceHandles"},
	"merge":    {"*"},
	"fold":     {"NewView", "NewDraft", "Promotion", "Rebuttal", "ItemEntry"},
	"science":  {"OpenItem", "NewReview"},
	"markup":   {"Parse"},
	"lint":     {"Check", "Outcomes"},
	"repair":   {"*"},
	"markdown": {"Parse", "Read"},
}

// exception is a place that does what the rule forbids, with the reason. It has to go when the reason does: a test fails if fewer
// are found than are allowed.
type exception struct {
	count  int
	reason string
}

const (
	judgesDraft  = "it judges a draft that no session has yet, as the door would"
	judgesFile   = "it judges a file, which no session holds"
	showsSubject = "it is an example of a subject line in a help text or a form"
	showsText    = "it lays out the text of a message; nothing is decided"
)

// decides lists where a surface may call a judge, by "package/file judge".
var decides = map[string]exception{
	"api/validate.go message.Check":            {2, judgesDraft},
	"api/validate.go DELTA[":                   {1, showsSubject},
	"cli/critique_promote.go DELTA[":           {1, showsSubject},
	"cli/delta_fix.go DELTA[":                  {1, judgesFile},
	"cli/delta_fix.go repair.Fix":              {1, judgesFile},
	"cli/diagnose.go DELTA[":                   {1, showsSubject},
	"cli/document.go markdown.Parse":           {1, judgesFile},
	"cli/evidence_check.go markup.Parse":       {1, judgesFile},
	"cli/lint.go lint.Check":                   {1, judgesFile},
	"cli/mail_send.go DELTA[":                  {1, showsSubject},
	"cli/validate_delta.go DELTA[":             {2, judgesFile},
	"cli/validate_delta.go message.Check":      {1, judgesFile},
	"cli/validate_message.go message.Check":    {2, judgesDraft},
	"cli/validate_message.go message.Enforced": {1, judgesDraft},
	"cli/validate_subject.go DELTA[":           {1, showsSubject},
	"cli/verify.go markdown.Parse":             {1, judgesFile},
	"mcpserver/digest.go markup.Parse":         {1, showsText},
	"mcpserver/validate.go message.Check":      {1, judgesDraft},
	"web/body.go markup.Parse":                 {2, showsText},
	"web/search.go delta.Read":                 {1, showsText},
	"web/search.go markup.Parse":               {1, showsText},
}

// TestSurfacesDecideNothing looks for calls of judges, for arithmetic on versions and for the words of protocol lines.
func TestSurfacesDecideNothing(t *testing.T) {
	found := map[string]int{}
	eachFile(t, func(room, name string, file *ast.File) {
		if !slices.Contains(surfaces, room) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if what := decision(n); what != "" {
				found[room+"/"+name+" "+what]++
			}
			return true
		})
	})
	compareExceptions(t, found, decides)
}

// decision names what a node decides; empty: nothing.
func decision(n ast.Node) string {
	switch n := n.(type) {
	case *ast.CallExpr:
		if selector, ok := n.Fun.(*ast.SelectorExpr); ok {
			if from, ok := selector.X.(*ast.Ident); ok && judgeNamed(from.Name, selector.Sel.Name) {
				return from.Name + "." + selector.Sel.Name
			}
		}
	case *ast.BinaryExpr:
		if (n.Op == token.ADD || n.Op == token.SUB) && (counts(n.X) && version(n.Y) || version(n.X) && counts(n.Y)) {
			return "version arithmetic"
		}
	case *ast.BasicLit:
		if n.Kind == token.STRING && strings.Contains(n.Value, "DELTA[") {
			return "DELTA["
		}
	}
	return ""
}

func judgeNamed(from, name string) bool {
	return slices.Contains(judges[from], name) || slices.Contains(judges[from], "*") && ast.IsExported(name)
}

func counts(e ast.Expr) bool {
	literal, ok := e.(*ast.BasicLit)
	return ok && literal.Kind == token.INT
}

var versionName = regexp.MustCompile(`(?i)(version|latest)$`)

// version tells whether an expression is the number of a version, by its name.
func version(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return versionName.MatchString(e.Name)
	case *ast.SelectorExpr:
		return versionName.MatchString(e.Sel.Name)
	case *ast.CallExpr:
		return version(e.Fun)
	}
	return false
}

// terminal are the packages whose texts are read at a terminal or tell a reader about commands: they may name flags and commands.
var terminal = []string{"cli", "commandline", "report", "prompt", "demo"}

// speaks lists where another package's texts name flags or commands, by "package/file".
var speaks = map[string]exception{
	"artifact/lint/sarif.go": {1, "the name of the tool in a SARIF file"},
	"connect/leave.go":       {1, "the command that a hook runs"},
	"gitrepo/identity.go":    {1, "commands of git"},
}

var flagText = regexp.MustCompile("(^|[\\s(`'])--[a-z][a-z-]+")

// TestOnlyTheTerminalNamesCommands looks for flags and commands in texts. What to do is an action, which each surface words.
func TestOnlyTheTerminalNamesCommands(t *testing.T) {
	command := commandText(t)
	found := map[string]int{}
	eachFile(t, func(room, name string, file *ast.File) {
		if slices.Contains(terminal, room) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				text, err := strconv.Unquote(literal.Value)
				if err == nil && strings.Contains(text, " ") && (flagText.MatchString(text) || command.MatchString(text)) {
					found[room+"/"+name]++
				}
			}
			return true
		})
	})
	compareExceptions(t, found, speaks)
}

var listedCommand = regexp.MustCompile("(?m)^- \\[`brenner ([a-z-]+)")

// commandText matches the commands of the program, as the reference lists them.
func commandText(t *testing.T) *regexp.Regexp {
	t.Helper()
	names := map[string]bool{}
	for _, m := range listedCommand.FindAllStringSubmatch(readText(t, "../../doc/reference/cli.md"), -1) {
		names[m[1]] = true
	}
	if len(names) < 30 {
		t.Fatalf("the reference lists only %d commands", len(names))
	}
	return regexp.MustCompile(`\bbrenner (` + strings.Join(slices.Sorted(maps.Keys(names)), "|") + `)\b`)
}

// eachFile parses the files of the packages below internal, but for tests and suites.
func eachFile(t *testing.T, look func(room, name string, file *ast.File)) {
	t.Helper()
	suites := map[string]bool{}
	for _, r := range rooms {
		suites[r.path] = r.suite
	}
	for _, p := range load(t) {
		room, ok := strings.CutPrefix(p.ImportPath, module+"/internal/")
		if !ok || suites[room] {
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			look(room, name, file)
		}
	}
}

// compareExceptions holds what was found against what is allowed: not more, and not less, so that the list shrinks.
func compareExceptions(t *testing.T, found map[string]int, allowed map[string]exception) {
	t.Helper()
	for _, place := range slices.Sorted(maps.Keys(found)) {
		if n := allowed[place].count; found[place] > n {
			t.Errorf("%s: %d found, %d allowed", place, found[place], n)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(allowed)) {
		if found[place] < allowed[place].count {
			t.Errorf("%s: %d allowed and %d found: %s", place, allowed[place].count, found[place],
				fmt.Sprintf("shorten the list (%s)", allowed[place].reason))
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// maxCaches is how many caches the program may have: each needs a benchmark and a row in ARCHITECTURE.md.
const maxCaches = 6

// TestFewCaches counts the uses of the one cache.
func TestFewCaches(t *testing.T) {
	var found []string
	eachFile(t, func(room, name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun := call.Fun
			switch of := fun.(type) { // the type parameters that are named
			case *ast.IndexExpr:
				fun = of.X
			case *ast.IndexListExpr:
				fun = of.X
			}
			if selects(fun, "lru", "New") {
				found = append(found, room+"/"+name)
			}
			return true
		})
	})
	if len(found) > maxCaches || len(found) < 4 {
		t.Errorf("there are %d caches, at most %d may be: %q", len(found), maxCaches, found)
	}
}

var mostName = regexp.MustCompile(`^most($|[A-Z])`)

// TestLimitsAreMax: a limit is called max, so that one word finds them all.
func TestLimitsAreMax(t *testing.T) {
	eachFile(t, func(room, name string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			declared, ok := n.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				return true
			}
			for _, spec := range declared.Specs {
				for _, constant := range spec.(*ast.ValueSpec).Names {
					if mostName.MatchString(constant.Name) {
						t.Errorf("%s/%s: call %s max…", room, name, constant.Name)
					}
				}
			}
			return true
		})
	})
}
