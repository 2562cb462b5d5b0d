package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// withoutScript are the commands that no script can cover, and where they are tested.
var withoutScript = map[string]string{
	"tui": "needs a terminal: TestTUI",
}

// withoutNext are the commands after which nothing follows, or that end when they are told to.
var withoutNext = map[string]string{
	"completion": "prints a script", "serve": "runs until interrupted", "mcp": "runs until its input ends", "tui": "takes the terminal",
	"ask":            "needs a chat; see ask.txtar",
	"scripted-agent": "is started by others", "evidence export": "prints entries for another program",
	"checkpoint cosign": "needs a key; see checkpoint.txtar",
	"demo":              "needs the binary; see demo.txtar", "run": "needs agents; see run.txtar",
	"run edit":       "needs a run; see run_queue.txtar",
	"run transcript": "needs agents; see run_queue.txtar", "logs": "needs a program; see operator.txtar",
	"restart": "needs a program; see operator.txtar", "cockpit attach": "takes the terminal",
	"cockpit stop": "needs agents; see cockpit.txtar",
}

// TestEveryCommandIsTested: each command that does something is run by a script, and by the test of
// next steps or with a line about next in a script.
func TestEveryCommandIsTested(t *testing.T) {
	scripts := allScripts(t)
	next := strings.Join(linesWithNext(""), "\n")
	for _, cmd := range commands(newRoot(&app{})) {
		path := strings.TrimPrefix(cmd.CommandPath(), "brenner ")
		if takes, _ := takesThread(cmd); cmd.HasSubCommands() && !takes || path == "brenner" || strings.HasPrefix(path, "help") {
			continue
		}
		if !regexp.MustCompile(`brenner (--\S+ \S+ )*`+regexp.QuoteMeta(path)+`( |\n)`).MatchString(scripts) && withoutScript[path] == "" {
			t.Errorf("no script runs brenner %s", path)
		}
		if !regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(path)+`( |$)`).MatchString(next) && withoutNext[path] == "" {
			t.Errorf("the test of next steps does not run %s", path)
		}
	}
}

// TestEveryCommandHasAGroup: none is left over below the headings of the help page.
func TestEveryCommandHasAGroup(t *testing.T) {
	for _, cmd := range newRoot(&app{}).Commands() {
		if !cmd.Hidden && cmd.GroupID == "" {
			t.Errorf("%s stands in no group of groups.go", cmd.Name())
		}
	}
}

func allScripts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir("testdata/script", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
