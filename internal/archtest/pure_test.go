package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// TestPure looks into the code of rings 0 and 1 for what imports cannot show: reading the
// clock and starting goroutines.
func TestPure(t *testing.T) {
	pure := make(map[string]bool)
	for _, r := range rooms {
		pure[r.path] = r.ring <= kernel
	}
	for _, p := range load(t) {
		if !pure[roomOf(p.ImportPath)] {
			continue
		}
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, pos := range impurities(file) {
				t.Errorf("%s/%s:%d: a pure package may not do this", p.ImportPath, name, fset.Position(pos).Line)
			}
		}
	}
}

// impurities returns where a file starts goroutines or uses the clock.
func impurities(file *ast.File) []token.Pos {
	var found []token.Pos
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, n.Pos())
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(deniedCalls, n.Sel.Name) {
				found = append(found, n.Pos())
			}
		}
		return true
	})
	return found
}
