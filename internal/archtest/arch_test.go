package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "brenner"

// pkg is what go list says of a package.
type pkg struct {
	Dir          string
	ImportPath   string
	Name         string
	Doc          string
	Standard     bool
	GoFiles      []string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// load lists the packages of this module.
func load(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,Name,Doc,GoFiles,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found only %d packages", len(pkgs))
	}
	return pkgs
}

func TestImports(t *testing.T) {
	for _, problem := range check(rooms, load(t)) {
		t.Error(problem)
	}
}

// check compares packages with the plan and returns what it does not allow.
func check(plan []room, pkgs []pkg) []string {
	c := checker{plan: make(map[string]room)}
	for _, r := range plan {
		c.plan[r.path] = r
	}
	for _, p := range pkgs {
		c.pkg(p)
	}
	return c.problems
}

type checker struct {
	plan     map[string]room
	problems []string
}

func (c *checker) deny(parts ...string) { c.problems = append(c.problems, strings.Join(parts, " ")) }

func (c *checker) pkg(p pkg) {
	name := roomOf(p.ImportPath)
	r, ok := c.plan[name]
	if !ok {
		c.deny(name, "is not in the table of rooms (internal/archtest/table_test.go); give it a ring")
		return
	}
	if slices.Contains(deniedNames, p.Name) {
		c.deny(name, "has a name that says nothing")
	}
	if p.Doc == "" && len(p.GoFiles) > 0 {
		c.deny(name, "has no package comment")
	}
	for _, imported := range p.Imports {
		c.imported(r, imported)
	}
	for _, imported := range p.TestImports {
		c.importedByTest(r, imported, r.ring)
	}
	reach := r.ring
	if reach >= ports {
		reach = composition // an external test is another program that puts the parts together
	}
	for _, imported := range p.XTestImports {
		c.importedByTest(r, imported, reach)
	}
}

// roomOf is the path of a package in the table: below internal/, where all but the program and the public package are.
func roomOf(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module+"/"), "internal/")
}

func (c *checker) imported(r room, imported string) {
	switch kindOf(imported) {
	case standard:
		c.standard(r, imported)
	case ours:
		target := roomOf(imported)
		if !slices.Contains(slices.Concat(r.imports, everywhere), target) && !slices.Contains(r.imports, "...") {
			c.deny(r.path, "may not import", target)
		}
	case thirdParty:
		if !within(imported, r.modules) && !(r.suite && within(imported, testModules)) {
			c.deny(r.path, "may not import", imported+c.owner(imported))
		}
	}
}

// importedByTest is looser: a test may use anything up to the ring it reaches.
func (c *checker) importedByTest(r room, imported string, reach ring) {
	switch kindOf(imported) {
	case ours:
		target := roomOf(imported)
		if c.plan[target].ring > reach {
			c.deny("tests of", r.path, "may not import", target, "from further out")
		}
	case thirdParty:
		if !within(imported, r.modules) && !within(imported, testModules) {
			c.deny("tests of", r.path, "may not import", imported+c.owner(imported))
		}
	}
}

func (c *checker) standard(r room, imported string) {
	if r.ring > kernel || r.impure[imported] != "" {
		return
	}
	if within(imported, deniedToPure) {
		c.deny(r.path, "is pure and may not import", imported)
	}
}

func (c *checker) owner(imported string) string {
	for _, r := range c.plan {
		if within(imported, r.modules) {
			return ", which belongs to " + r.path
		}
	}
	return ", which belongs to no package yet"
}

type kind int

const (
	standard kind = iota
	ours
	thirdParty
)

func kindOf(imported string) kind {
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case first == module:
		return ours
	case strings.Contains(first, "."):
		return thirdParty
	}
	return standard
}

// within tells whether an import path is one of the prefixes or below one.
func within(imported string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		return imported == prefix || strings.HasPrefix(imported, prefix+"/")
	})
}

// TestTable checks the plan itself: imports point inward, adapters do not import each other, a module
// has one owner, names are paths.
func TestTable(t *testing.T) {
	byPath := make(map[string]room)
	for _, r := range rooms {
		if _, twice := byPath[r.path]; twice {
			t.Errorf("%s stands twice in the table", r.path)
		}
		if path.Clean(r.path) != r.path {
			t.Errorf("%q is not a clean path", r.path)
		}
		byPath[r.path] = r
	}
	owner := make(map[string]string)
	for _, r := range rooms {
		for _, target := range r.imports {
			if target == "..." {
				if r.ring != composition {
					t.Errorf("%s may not import everything", r.path)
				}
				continue
			}
			inner, ok := byPath[target]
			if !ok {
				t.Errorf("%s may import %s, which is not in the table", r.path, target)
			}
			if inner.ring > r.ring || inner.ring == adapters && r.ring == adapters {
				t.Errorf("%s may import %s, which does not stand further in", r.path, target)
			}
		}
		for _, m := range slices.Concat(r.modules) {
			if owner[m] != "" || slices.Contains(testModules, m) {
				t.Errorf("%s belongs to %s and to %s", m, owner[m], r.path)
			}
			owner[m] = r.path
		}
		for imported, reason := range r.impure {
			if reason == "" {
				t.Errorf("%s may import %s without a reason", r.path, imported)
			}
		}
	}
}
