package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// openDoors are the routes that need no token: the style of the sign-in page, that page, and the state of health.
var openDoors = []string{"GET /assets/", "/assets", "GET /login", "/health/liveness", "/health/readiness"}

// TestNoDoorIsForgotten: every route of the pages and of the server itself has a door that TestStrangersAtEveryDoor
// knocks at, or is open to all.
func TestNoDoorIsForgotten(t *testing.T) {
	patterns := slices.DeleteFunc(append(pagePatterns(t), serverPaths(t)...), func(pattern string) bool {
		return pattern == "/" || slices.Contains(openDoors, pattern)
	})
	if len(patterns) < 25 {
		t.Fatalf("only %d routes were found: %q", len(patterns), patterns)
	}
	mux := http.NewServeMux()
	for _, pattern := range patterns {
		mux.HandleFunc(pattern, http.NotFound)
	}
	known := map[string]bool{}
	for _, d := range doorsBesideAPI() {
		_, pattern := mux.Handler(httptest.NewRequestWithContext(t.Context(), d.method, d.path, http.NoBody))
		if pattern == "" {
			t.Errorf("%s %s is no route any more", d.method, d.path)
		}
		known[pattern] = true
	}
	for _, pattern := range patterns {
		if !known[pattern] {
			t.Errorf("doorsBesideAPI lacks %s", pattern)
		}
	}
}

// pagePatterns are the patterns that package web registers.
func pagePatterns(t *testing.T) []string {
	t.Helper()
	var patterns []string
	inspect(t, "../web/*.go", func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || method.Sel.Name != "Handle" && method.Sel.Name != "HandleFunc" {
			return
		}
		pattern := text(call.Args[0])
		if pattern == "" {
			t.Errorf("a pattern of the pages is not written out: %T", call.Args[0])
		}
		patterns = append(patterns, pattern)
	})
	return patterns
}

// serverPaths are the paths that the server compares an address with.
func serverPaths(t *testing.T) []string {
	t.Helper()
	var paths []string
	inspect(t, "../server/routes.go", func(n ast.Node) {
		compared, ok := n.(*ast.BinaryExpr)
		if ok && compared.Op == token.EQL && strings.HasPrefix(text(compared.Y), "/") {
			paths = append(paths, exactly(text(compared.Y)))
		}
	})
	return slices.DeleteFunc(paths, func(path string) bool { return path == "/register" }) // no route: an address that programs look for
}

// exactly is the pattern of a path and nothing below it.
func exactly(path string) string {
	if strings.HasSuffix(path, "/") {
		return path + "{$}"
	}
	return path
}

func inspect(t *testing.T, glob string, visit func(ast.Node)) {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", glob, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			visit(n)
			return true
		})
	}
}

// text is the value of a string literal, or nothing.
func text(e ast.Expr) string {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return ""
	}
	value, err := strconv.Unquote(literal.Value)
	if err != nil {
		return ""
	}
	return value
}
