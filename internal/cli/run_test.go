package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
)

// terminal returns streams that look like a terminal, with buffers behind them.
func terminal(env map[string]string) (s Streams, out, err *bytes.Buffer) {
	out, err = &bytes.Buffer{}, &bytes.Buffer{}
	return Streams{
		In: strings.NewReader(""), Out: out, Err: err, OutIsTerminal: true, ErrIsTerminal: true, Width: 80,
		Getenv: func(key string) string { return env[key] },
	}, out, err
}

func TestColour(t *testing.T) {
	for _, test := range []struct {
		name  string
		env   map[string]string
		args  []string
		plain bool
	}{
		{name: "terminal"},
		{name: "NO_COLOR", env: map[string]string{"NO_COLOR": "1"}, plain: true},
		{name: "empty NO_COLOR", env: map[string]string{"NO_COLOR": ""}},
		{name: "dumb", env: map[string]string{"TERM": "dumb"}, plain: true},
		{name: "flag", args: []string{"--no-color"}, plain: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			streams, out, _ := terminal(test.env)
			Run(t.Context(), append([]string{"validate", "thread-id", "RS-1"}, test.args...), streams)
			if plain := !strings.Contains(out.String(), "\x1b["); plain != test.plain {
				t.Errorf("plain: %t\n%q", plain, out)
			}
		})
	}
}

// TestNext: on a terminal a command ends with what one would do next, unless --quiet or
// --json; what it names can be pasted.
func TestNext(t *testing.T) {
	const examples = "../../examples/"
	for _, args := range [][]string{
		{"version"},
		{"help", "exit-codes"},
		{"help", "findings", "MB-1"},
		{"validate", "thread-id", "RS-20251230-cell-fate-dichotomy"},
		{"validate", "thread-id", "RS-1"},
		{"validate", "subject", "DELTA[opus]: it's"},
		{"validate", "message", "--subject", "KICKOFF: x", "--body", examples + "kickoff.md"},
		{"validate", "delta", examples + "delta.md"},
		{"validate", "delta", examples + "delta-with-slips.md"},
		{"validate", "roster", examples + "roster.json"},
		{"delta", "fix", examples + "delta-with-slips.md"},
		{"artifact", "show", examples + "thread.jsonl"},
		{"artifact", "diff", examples + "thread.jsonl", examples + "thread.jsonl"},
		{"lint", examples + "thread.jsonl"},
		{"compile", "--thread-file", examples + "thread.jsonl", "--dry-run"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			streams, _, errs := terminal(nil)
			Run(t.Context(), args, streams)
			if !strings.Contains(errs.String(), "next: ") {
				t.Errorf("no next step: %q", errs)
			}
			for _, flag := range []string{"--quiet", "--json"} {
				streams, _, errs := terminal(nil)
				Run(t.Context(), append(slices.Clone(args), flag), streams)
				if strings.Contains(errs.String(), "next: ") {
					t.Errorf("%s: %q", flag, errs)
				}
			}
		})
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.md": "a/b.md", "": "''", "it's": `'it'\''s'`, "DELTA[x]: y": "'DELTA[x]: y'", "$(rm)": "'$(rm)'", "-": "-",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestJSONOnATerminalIsIndented(t *testing.T) {
	streams, out, _ := terminal(nil)
	Run(t.Context(), []string{"version", "--json"}, streams)
	if !strings.HasPrefix(out.String(), "{\n  \"ok\": true") {
		t.Errorf("%s", out)
	}
}

func TestInterruptEndsAReadThatWaits(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	streams, out, _ := terminal(nil)
	streams.In = readerFunc(func(p []byte) (int, error) {
		cancel() // a person types Ctrl-C while the command waits for input
		return r.Read(p)
	})
	if code := Run(ctx, []string{"validate", "delta", "-", "--json"}, streams); code != 130 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(out.String(), "INTERRUPTED") {
		t.Errorf("%s", out)
	}
}

func TestPanicIsAnInternalError(t *testing.T) {
	for _, asJSON := range []bool{true, false} {
		streams, out, errs := terminal(nil)
		a := &app{streams: streams}
		a.flags.json = asJSON
		err := a.guarded(func() error { panic("boom") })
		if code := a.emit(err); code != 1 {
			t.Errorf("exit code %d", code)
		}
		if all := out.String() + errs.String(); !strings.Contains(all, "boom") || strings.Contains(all, "goroutine") {
			t.Errorf("%s", all)
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFailedWriteFails(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"version", "--json"}, {"help", "findings"}} {
		streams, _, errs := terminal(nil)
		streams.Out = failingWriter{}
		if code := Run(t.Context(), args, streams); code != 1 {
			t.Errorf("%q: exit code %d", args, code)
		}
		if !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q: %s", args, errs)
		}
	}
}

// TestEveryClassHasAnExitCode: a class without one would exit 0.
func TestEveryClassHasAnExitCode(t *testing.T) {
	for _, info := range protocol.Codes() {
		code := exitOf(protocol.Errorf(info.Code, "x"))
		if code == 0 {
			t.Errorf("%s exits 0", info.Code)
		}
	}
	for _, row := range exitTable()[1:] {
		if row.Code == 0 || row.Name == "" || row.Meaning == "" {
			t.Errorf("incomplete row %+v", row)
		}
	}
}

func TestCoded(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{context.Canceled, 130},
		{context.DeadlineExceeded, 8},
		{errors.New("x"), 1},
		{protocol.Errorf(protocol.NotFound, "x"), 5},
	} {
		if got := exitOf(coded(test.err)); got != test.want {
			t.Errorf("%v: exit code %d, want %d", test.err, got, test.want)
		}
	}
}

// FuzzCommandLine: whatever the arguments, there is an exit code of the table, no panic, and
// with --json one object.
func FuzzCommandLine(f *testing.F) {
	f.Add("validate\x00thread-id\x00RS-1", "")
	f.Add("validate\x00delta\x00-\x00--json", "```delta\n{}\n```\n")
	f.Add("validate\x00message\x00--subject\x00\x00--body\x00-\x00--json", "x")
	f.Add("--json\x00help\x00nope", "")
	f.Add("--json\x00validate\x00roster\x00-", "[]")
	f.Add("--\x00validate", "")
	valid := make(map[int]bool)
	for _, row := range exitTable() {
		valid[row.Code] = true
	}
	f.Add("mail\x00inbox\x00Operator\x00--json", "")
	f.Add("--json\x00session\x00start\x00--question\x00Why?\x00--context\x00So.\x00--to\x00A,B\x00--role\x00test_designer", "")
	f.Add("--json\x00artifact\x00diff\x00T\x00v1\x00v2", "")
	project := f.TempDir() // commands may make a store, and write files
	f.Fuzz(func(t *testing.T, line, stdin string) {
		t.Chdir(project)
		args := strings.Split(line, "\x00")
		if slices.Contains(args, "man") || strings.Contains(line, "/") {
			return // writes files, or may read any
		}
		var out, errs bytes.Buffer
		code := Run(t.Context(), args, Streams{
			In: strings.NewReader(stdin), Out: &out, Err: &errs, Getenv: func(string) string { return "" },
		})
		if !valid[code] {
			t.Errorf("exit code %d", code)
		}
		if strings.Contains(errs.String(), "internal error") || strings.Contains(out.String(), `"INTERNAL"`) {
			t.Errorf("%q: %s%s", args, out.String(), errs.String())
		}
		if args[0] == "--json" { // anywhere else it may be the value of a flag
			var object struct{ OK *bool }
			if err := json.Unmarshal(out.Bytes(), &object); err != nil || object.OK == nil {
				t.Errorf("%q: %v: %s", args, err, out.String())
			}
		}
	})
}
