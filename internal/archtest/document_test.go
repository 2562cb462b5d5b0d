package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

const document = "../../ARCHITECTURE.md"

var (
	ringRow    = regexp.MustCompile(`(?m)^\| ([0-4]) [^|]*\| ([^|]*)\|`)
	codeSpan   = regexp.MustCompile("`([^`]+)`")
	identifier = regexp.MustCompile("`([a-z]+)\\.([A-Za-z]+(?:\\.[A-Za-z]+)?)`")
)

// TestDocumentedRings compares the table in ARCHITECTURE.md with the plan.
func TestDocumentedRings(t *testing.T) {
	documented := map[string]ring{}
	for _, row := range ringRow.FindAllStringSubmatch(readDocument(t), -1) {
		for _, span := range codeSpan.FindAllStringSubmatch(row[2], -1) {
			documented[span[1]] = ring(row[1][0] - '0')
		}
	}
	planned := map[string]ring{}
	for _, r := range rooms {
		planned[r.path] = r.ring
		if got, ok := documented[r.path]; !ok || got != r.ring {
			t.Errorf("ARCHITECTURE.md does not list %s in ring %d", r.path, r.ring)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		if _, ok := planned[name]; !ok {
			t.Errorf("ARCHITECTURE.md lists %s, which is not in the plan", name)
		}
	}
}

// TestDocumentedNames looks up what ARCHITECTURE.md names as package.Name or package.Type.Method.
func TestDocumentedNames(t *testing.T) {
	byName := map[string][]pkg{}
	for _, p := range load(t) {
		byName[p.Name] = append(byName[p.Name], p)
	}
	checked := 0
	for _, m := range identifier.FindAllStringSubmatch(readDocument(t), -1) {
		found := byName[m[1]]
		if len(found) == 0 || m[2] == "go" || m[2] == "js" { // a file, such as emit.go
			continue
		}
		checked++
		if !slices.ContainsFunc(found, func(p pkg) bool { return slices.Contains(declared(t, p), m[2]) }) {
			t.Errorf("ARCHITECTURE.md names %s.%s, which does not exist", m[1], m[2])
		}
	}
	if checked < 20 {
		t.Errorf("only %d names were found", checked)
	}
}

func readDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// declared lists the top-level names of a package, with methods as Type.Method.
func declared(t *testing.T, p pkg) []string {
	t.Helper()
	var names []string
	for _, file := range p.GoFiles {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			names = append(names, namesOf(d)...)
		}
	}
	return names
}

func namesOf(d ast.Decl) []string {
	var names []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{receiver(d.Recv.List[0].Type) + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
				names = append(names, interfaceMethods(s)...)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// receiver is the name of a method's type, without pointer and type parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func interfaceMethods(s *ast.TypeSpec) []string {
	i, ok := s.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	var names []string
	for _, m := range i.Methods.List {
		for _, name := range m.Names {
			names = append(names, s.Name.Name+"."+name.Name)
		}
	}
	return names
}
