package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// maxPublicNames is how many names the public package may have: what a stranger reads in one go.
const maxPublicNames = 60

// TestPublicPackageIsSmall counts what the public package exports, fields and methods included, and holds it to examples that run.
func TestPublicPackageIsSmall(t *testing.T) {
	names, examples := 0, 0
	files, err := filepath.Glob("../../*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if strings.HasPrefix(n.Name.Name, "Example") {
					examples++
				} else if n.Name.IsExported() {
					names++
				}
				return false
			case *ast.TypeSpec:
				names += exported(n.Name)
			case *ast.ValueSpec:
				names += exported(n.Names...)
			case *ast.Field:
				names += exported(n.Names...)
			}
			return true
		})
	}
	if names < 20 || names > maxPublicNames {
		t.Errorf("the public package has %d names, at most %d may be", names, maxPublicNames)
	}
	if examples < 2 {
		t.Errorf("only %d examples show how it is used", examples)
	}
}

func exported(names ...*ast.Ident) (n int) {
	for _, name := range names {
		if name.IsExported() {
			n++
		}
	}
	return n
}
