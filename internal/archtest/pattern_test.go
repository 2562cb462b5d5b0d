package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestPatterns compiles every expression that is handed to pattern.Lazy: in the program a fault would show only on first use.
// No package compiles one while the program starts.
func TestPatterns(t *testing.T) {
	compiled := 0
	for _, p := range load(t) {
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if expression, ok := lazyPattern(n); ok {
					compiled++
					if _, err := regexp.Compile(expression); err != nil {
						t.Errorf("%s/%s: %v", p.ImportPath, name, err)
					}
				}
				return true
			})
			for _, declared := range file.Decls {
				if early(declared) && p.Name != "pattern" {
					t.Errorf("%s/%s compiles an expression at the start of the program; use pattern.Lazy", p.ImportPath, name)
				}
			}
		}
	}
	if compiled < 50 {
		t.Errorf("only %d expressions were found", compiled)
	}
}

// lazyPattern returns the expression of a call of pattern.Lazy with a literal.
func lazyPattern(n ast.Node) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || !selects(call.Fun, "pattern", "Lazy") || len(call.Args) != 1 {
		return "", false
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}

// early tells whether a declaration of variables compiles an expression.
func early(declared ast.Decl) bool {
	variables, ok := declared.(*ast.GenDecl)
	if !ok || variables.Tok != token.VAR {
		return false
	}
	found := false
	ast.Inspect(variables, func(n ast.Node) bool {
		if _, later := n.(*ast.FuncLit); later {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && selects(call.Fun, "regexp", "MustCompile") {
			found = true
		}
		return true
	})
	return found
}

func selects(fun ast.Expr, pkg, name string) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}
