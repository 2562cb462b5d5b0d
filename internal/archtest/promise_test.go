package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	promiseTest   = regexp.MustCompile("(?:`(internal/[a-z/]+)` )?`(Test[A-Za-z]+)`")
	promiseScript = regexp.MustCompile("`([a-z_]+\\.txtar)`")
)

// TestPromisesHaveTests: each promise in the table of SECURITY.md names a test, and the tests and scripts that it names are there.
func TestPromisesHaveTests(t *testing.T) {
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| promise | test |\n|---|---|\n")
	table, _, ended := strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	if !found || !ended || len(rows) < 30 {
		t.Fatalf("%d promises with tests", len(rows))
	}
	for _, row := range rows {
		folder, named := "", promiseTest.FindAllStringSubmatch(row, -1)
		if len(named) == 0 {
			t.Errorf("no test holds %s", row)
		}
		for _, m := range named {
			if m[1] != "" {
				folder = m[1]
			}
			if !hasTest(t, folder, m[2]) {
				t.Errorf("%s has no %s", folder, m[2])
			}
		}
		for _, m := range promiseScript.FindAllStringSubmatch(row, -1) {
			if there, err := filepath.Glob("../../" + folder + "/testdata/script/*/" + m[1]); err != nil || len(there) == 0 {
				if _, err := os.Stat("../../" + folder + "/testdata/script/" + m[1]); err != nil {
					t.Errorf("%s has no script %s", folder, m[1])
				}
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
