package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	pageCommand = regexp.MustCompile(`<code[^>]*>brenner ([a-z-]+)(?: ([a-z-]+))?`)
	anyCommand  = regexp.MustCompile("(?m)^- \\[`brenner ([a-z -]+)`\\]")
)

// TestPagesNameCommandsThatExist: a page that may not write says what to type instead, and that command is there.
func TestPagesNameCommandsThatExist(t *testing.T) {
	commands := map[string]bool{}
	for _, m := range anyCommand.FindAllStringSubmatch(readText(t, "../../doc/reference/cli.md"), -1) {
		commands[m[1]] = true
	}
	files, err := filepath.Glob("../web/templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageCommand.FindAllStringSubmatch(string(text), -1) {
			found++
			group := strings.TrimSpace(m[1] + " " + m[2])
			if !commands[group] && (!commands[m[1]] || hasSubcommands(commands, m[1])) {
				t.Errorf("%s: there is no command %q", filepath.Base(path), group)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d commands were found", found)
	}
}

// hasSubcommands tells whether a command is a group, so that it does nothing without a further word.
func hasSubcommands(commands map[string]bool, group string) bool {
	for name := range commands {
		if strings.HasPrefix(name, group+" ") && group != "run" && group != "acks" {
			return true
		}
	}
	return false
}
