package cli

import (
	"bufio"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/audit"
)

// acted are the commands that leave a line in the audit log; audit.txtar and token.txtar run them, and the tests of runs, cockpit
// and migration.
var acted = []string{
	"checkpoint", "cockpit start", "cockpit stop", "compile", "diagnose", "dispute play", "mail register", "mail retire", "nudge",
	"orchestrate start",
	"pause", "persist", "restart", "restore",
	"resume", "run", "run edit", "session archive", "session complete", "session start", "session unarchive", "store migrate",
	"thread import",
	"token create", "token revoke", "token rotate", "verify",
}

// unacted are the others: they read, write files that are the user's own, or send mail that is in its thread.
var unacted = []string{
	"acks", "acks run-once", "artifact blame", "artifact cite", "artifact diff", "artifact history", "artifact show",
	"artifact support", "ask",
	"audit", "backup", "beliefs",
	"calibration", "checkpoint cosign", "cockpit attach", "cockpit list", "completion", "config show", "connect", "critique answer",
	"critique list", "critique promote", "critique show", "delta fix",
	"demo", "disconnect", "dispute check", "dispute list", "dispute report", "dispute score",
	"dispute show", "dispute site", "doctor",
	"evidence add", "evidence check", "evidence excerpt", "evidence export", "evidence import",
	"evidence list", "evidence mark", "evidence retractions", "evidence search", "evidence show", "excerpt", "export",
	"genealogy", "init", "lint", "logs", "mail ack", "mail agents", "mail inbox", "mail read", "mail reply", "mail search", "mail send",
	"mail wait", "mcp", "next",
	"predictions", "prompt show", "ps", "reasons", "result list", "result record", "result run", "result withdraw", "review", "signs",
	"roster presets", "roster show", "roster validate", "run transcript",
	"scripted-agent", "serve", "session list", "session status", "session watch", "thread export", "thread list", "thread show", "todo",
	"token list", "trust", "tui", "upgrade-check",
	"validate delta", "validate message", "validate roster", "validate subject", "validate thread-id", "version", "whatif", "why",
}

// TestEveryCommandActsOrNot: a new command is looked at for what the audit log is to say of it.
func TestEveryCommandActsOrNot(t *testing.T) {
	for _, cmd := range commands(newRoot(&app{})) {
		path := strings.TrimPrefix(cmd.CommandPath(), "brenner ")
		if cmd.HasSubCommands() && !slices.Contains(acted, path) && !slices.Contains(unacted, path) || strings.HasPrefix(path, "help") {
			continue
		}
		if slices.Contains(acted, path) == slices.Contains(unacted, path) {
			t.Errorf("%s: does the audit log have a line of it?", path)
		}
	}
}

// TestKilledActs: a command, and a request to a server, whose processes are killed have left a line that says what
// was begun.
func TestKilledActs(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Run("command", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), program, "thread", "import", "-", "--project", dir)
		in, out, err := os.Pipe() // it waits for lines that never come
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		defer in.Close()
		cmd.Stdin = in
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		expectBegun(t, program, dir, cmd, "thread import")
	})
	t.Run("request", func(t *testing.T) {
		token := strings.TrimSpace(expectOK(t, program, dir, "token", "create", "--operator", "--quiet"))
		cmd := exec.CommandContext(t.Context(), program, "serve", "--lab", "--addr", "127.0.0.1:0", "--json", "--project", dir)
		conn := connected(t, cmd)
		defer conn.Close()
		head := "POST /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token +
			"\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
		if _, err := conn.Write([]byte(head)); err != nil { // the server waits for the rest
			t.Fatal(err)
		}
		expectBegun(t, program, dir, cmd, "POST /api/v1/sessions")
	})
}

// connected starts a server and opens a connection to it.
func connected(t *testing.T, cmd *exec.Cmd) net.Conn {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var said struct{ URL string }
	if err := json.Unmarshal([]byte(line), &said); err != nil {
		t.Fatal(err, line)
	}
	at, err := url.Parse(said.URL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// expectBegun waits until the audit log says that a process has begun an act, kills the process, and looks again.
func expectBegun(t *testing.T, program, dir string, cmd *exec.Cmd, act string) {
	t.Helper()
	begun := func() bool {
		var log struct{ Entries []audit.Entry }
		if err := json.Unmarshal([]byte(expectOK(t, program, dir, "audit", "--json")), &log); err != nil {
			t.Fatal(err)
		}
		n := len(log.Entries)
		return n > 0 && log.Entries[n-1].Act == act && log.Entries[n-1].Code == audit.Begun
	}
	for deadline := time.Now().Add(30 * time.Second); !begun() && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if !begun() {
		t.Errorf("%s was killed, and the log does not say that it was begun", act)
	}
}
