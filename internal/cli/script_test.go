package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"brenner/internal/needs"
)

// quickExit tells the race detector not to wait a second before a process ends, as it does
// by default: the scripts start hundreds.
const quickExit = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if err := os.Setenv("GORACE", quickExit); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"brenner": func() {
			code := Main(os.Args[1:], System())
			keepStatus()
			os.Exit(code)
		},
	})
}

// statusFile names the variable that asks a process to leave what Linux says of it in a file. The peak there is its own; what wait
// tells of a process counts the memory of who started it, which is a test binary that has grown.
const statusFile = "BRENNER_TEST_STATUS"

func keepStatus() {
	name := os.Getenv(statusFile)
	if name == "" {
		return
	}
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(name, status, 0o600)
	}
	if err != nil {
		panic(err)
	}
}

// TestScripts runs every script below testdata/script but those that need a store. Beside the
// commands of testscript they have:
//
//	exits N brenner args…   run, and compare the exit code
//	json PATH [VALUE]       look into the one JSON object on stdout; without a value the
//	                        path must be there; ! negates
//	keep NAME PATH          put a value of the object on stdout into the environment
//	repeat N TEXT FILE      write a file of N times a text
//	unescape FILE           put bytes where the file has \x00
//	waitfor FILE PATTERN    wait until a file that a command in the background writes matches
//	[missing:PROGRAM] skip  skip the script where a program is not installed
//	[gitguesses]            git makes somebody up on this machine where it was told nobody
//
// $ESC is the escape character, $EXAMPLES the folder of examples.
func TestScripts(t *testing.T) {
	testscript.Run(t, scripts(t, "testdata/script", func(*testscript.Env) {}))
}

// storeScripts is the folder of the scripts that need a store; they run on each engine.
const storeScripts = "testdata/script/store"

// scripts finds the scripts in a folder. setup adds to the environment of each.
func scripts(t *testing.T, dir string, setup func(env *testscript.Env)) testscript.Params {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err == nil && d.IsDir() && filepath.ToSlash(path) == storeScripts && dir != storeScripts:
			return fs.SkipDir
		case err == nil && filepath.Ext(path) == ".txtar":
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d scripts: %v", len(files), err)
	}
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	return testscript.Params{
		Files:               files,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TERM", "xterm")
			env.Setenv("GORACE", quickExit)
			env.Setenv("ESC", "\x1b")
			env.Setenv("NL", "\n")
			env.Setenv("EXAMPLES", examples)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".settings")) // no person's own settings
			env.Setenv("TMUX_TMPDIR", env.WorkDir)                                 // no person's own server
			env.Defer(func() { endTmux(env.WorkDir) })
			setup(env)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"json":     inspectJSON,
			"keep":     keep,
			"repeat":   repeat,
			"unescape": unescape,
			"unpack":   unpack,
			"waitfor":  waitFor,
		},
	}
}

func condition(text string) (bool, error) {
	if program, ok := strings.CutPrefix(text, "missing:"); ok {
		return missing(program)
	}
	if text == "gitguesses" {
		return gitGuesses(), nil
	}
	return false, fmt.Errorf("unknown condition %q", text)
}

// gitGuesses tells whether git has a name and an address for somebody who told it neither.
func gitGuesses() bool {
	cmd := exec.Command("git", "var", "GIT_AUTHOR_IDENT")
	cmd.Dir, cmd.Env = os.TempDir(), []string{"HOME=" + os.DevNull, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	return cmd.Run() == nil
}

// missing is the condition [missing:PROGRAM], for scripts that are skipped where it is not installed.
func missing(program string) (bool, error) {
	if _, err := exec.LookPath(program); err == nil {
		return false, nil
	} else if needs.Everything() {
		return false, err
	}
	needs.Note(program)
	return true, nil
}

// endTmux ends the servers that a script started, if it failed before it did so itself.
func endTmux(dir string) {
	sockets, _ := filepath.Glob(filepath.Join(dir, "tmux-*", "*")) // the pattern is good
	for _, socket := range sockets {
		_ = exec.Command("tmux", "-S", socket, "kill-server").Run() // it may be gone already
	}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N program args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func inspectJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: [!] json PATH [VALUE]")
	}
	value, found := lookUp(oneObject(ts), args[0])
	ok := found
	if found && len(args) == 2 {
		ok = text(value) == args[1]
	}
	if ok == neg {
		ts.Fatalf("%s is %s (found: %t)", args[0], text(value), found)
	}
}

func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME PATH")
	}
	value, found := lookUp(oneObject(ts), args[1])
	if !found {
		ts.Fatalf("%s is not there", args[1])
	}
	ts.Setenv(args[0], text(value))
}

// oneObject reads stdout, which must be one JSON object with ok and nothing else.
func oneObject(ts *testscript.TestScript) map[string]any {
	var object map[string]any
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	ts.Check(dec.Decode(&object))
	if dec.More() {
		ts.Fatalf("stdout holds more than one JSON value")
	}
	if _, ok := object["ok"].(bool); !ok {
		ts.Fatalf("the object has no ok")
	}
	return object
}

// lookUp follows a path such as receipt.blocks.0.status; len is the length of a list.
func lookUp(value any, path string) (any, bool) {
	for part := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			if part == "len" {
				value = json.Number(strconv.Itoa(len(v)))
				continue
			}
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// text writes strings bare and everything else as JSON.
func text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	var b bytes.Buffer
	if err := encode(&b, value); err != nil {
		return fmt.Sprint(value)
	}
	return b.String()
}

func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat N TEXT FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Repeat(args[1], n)), 0o600))
}

var escapes = regexp.MustCompile(`\\x[0-9a-f]{2}`)

func unescape(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unescape FILE")
	}
	text := escapes.ReplaceAllStringFunc(ts.ReadFile(args[0]), func(escape string) string {
		n, err := strconv.ParseUint(escape[2:], 16, 8)
		ts.Check(err)
		return string([]byte{byte(n)})
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// patience is how long a command in the background may take to get somewhere.
const patience = time.Minute

func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE PATTERN")
	}
	pattern, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		if data, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && pattern.Match(data) {
			return
		}
	}
	ts.Fatalf("%s never matched %s", args[0], args[1])
}

// unpack writes the files of a zip file into a new folder.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack FILE.zip FOLDER")
	}
	archive, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer archive.Close()
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), archive))
}
