package archtest

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestCheck shows that the checker denies what it should: a plan that allows everything
// would pass TestImports too.
func TestCheck(t *testing.T) {
	plan := []room{
		{path: "words", ring: vocabulary},
		{path: "core", ring: kernel, imports: []string{"words"}, modules: []string{"example.com/text"}},
		{path: "outer", ring: adapters, imports: []string{"core"}},
		{path: "program", ring: composition, imports: []string{"..."}},
	}
	for _, test := range []struct {
		name string
		pkg  pkg
		want string // part of the one problem; empty if there is none
	}{
		{"allowed", pkg{ImportPath: "brenner/core", Imports: []string{"brenner/words", "example.com/text/sub", "strings"}}, ""},
		{"unknown package", pkg{ImportPath: "brenner/attic"}, "not in the table"},
		{"outward", pkg{ImportPath: "brenner/core", Imports: []string{"brenner/outer"}}, "may not import outer"},
		{"not listed", pkg{ImportPath: "brenner/outer", Imports: []string{"brenner/words"}}, "may not import words"},
		{"foreign module", pkg{ImportPath: "brenner/outer", Imports: []string{"example.com/text"}}, "belongs to core"},
		{"prefix of a module", pkg{ImportPath: "brenner/core", Imports: []string{"example.com/textual"}}, "belongs to no package"},
		{"files in the kernel", pkg{ImportPath: "brenner/core", Imports: []string{"os"}}, "is pure"},
		{"network in the kernel", pkg{ImportPath: "brenner/words", Imports: []string{"net/http"}}, "is pure"},
		{"files in an adapter", pkg{ImportPath: "brenner/outer", Imports: []string{"os"}}, ""},
		{"test library in code", pkg{ImportPath: "brenner/core", Imports: []string{"pgregory.net/rapid"}}, "may not import"},
		{"test library in a test", pkg{ImportPath: "brenner/core", TestImports: []string{"pgregory.net/rapid", "os"}}, ""},
		{"external test of an adapter outward", pkg{ImportPath: "brenner/outer", XTestImports: []string{"brenner/program"}}, ""},
		{"own test of an adapter outward", pkg{ImportPath: "brenner/outer", TestImports: []string{"brenner/program"}}, "tests of outer"},
		{"test outward", pkg{ImportPath: "brenner/core", XTestImports: []string{"brenner/outer"}}, "tests of core"},
		{"no comment", pkg{ImportPath: "brenner/core", GoFiles: []string{"a.go"}}, "package comment"},
		{"empty name", pkg{ImportPath: "brenner/core", Name: "util"}, "says nothing"},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems := check(plan, []pkg{test.pkg})
			switch {
			case test.want == "" && len(problems) > 0:
				t.Errorf("denied: %q", problems)
			case test.want != "" && (len(problems) != 1 || !strings.Contains(problems[0], test.want)):
				t.Errorf("got %q, want one problem with %q", problems, test.want)
			}
		})
	}
}

func TestImpurities(t *testing.T) {
	const src = `package p
import "time"
func f(now time.Time) { go f(time.Now()); _ = now.After(now); _ = time.UTC }
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := impurities(file); len(found) != 2 {
		t.Errorf("found %d impurities, want the go statement and time.Now", len(found))
	}
}
