package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	promiseRow  = regexp.MustCompile("(?m)^\\| .* \\| (.*`Test.*) \\|$")
	promiseTest = regexp.MustCompile("(?:`(internal/[a-z/]+)` )?`(Test[A-Za-z]+)`")
)

// TestPromisesHaveTests: the tests that SECURITY.md names for its promises are there.
func TestPromisesHaveTests(t *testing.T) {
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := promiseRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 {
		t.Fatalf("%d promises with tests", len(rows))
	}
	for _, row := range rows {
		folder := ""
		for _, m := range promiseTest.FindAllStringSubmatch(row[1], -1) {
			if m[1] != "" {
				folder = m[1]
			}
			if !hasTest(t, folder, m[2]) {
				t.Errorf("%s has no %s", folder, m[2])
			}
		}
	}
}

func hasTest(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
