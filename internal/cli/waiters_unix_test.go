//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/store/postgres/pgtest"
)

// TestTakenMail: a process that waits while another one takes the mail ends at once, and says which mail that was.
func TestTakenMail(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { takeMail(t, "sqlite:"+t.TempDir()+"/mail.db") })
	t.Run("postgres", func(t *testing.T) { takeMail(t, pgtest.DSN(t)) })
}

func takeMail(t *testing.T, store string) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(program, append(args, "--store", store, "--project", dir)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
		return string(out)
	}
	body := filepath.Join(dir, "body.md")
	writeFile(t, body, "# Information\n\nx\n")
	run("mail", "register", "BlueLake")
	run("mail", "register", "RedSky")
	cmd := exec.Command(program, "mail", "wait", "BlueLake", "--timeout", "1m", "--json", "--store", store, "--project", dir)
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // as a rule it is gone
	for end := time.Now().Add(patience); !strings.Contains(run("why", "BlueLake"), "mail wait"); {
		if time.Now().After(end) {
			t.Fatal("it never waited")
		}
	}
	time.Sleep(500 * time.Millisecond) // from the note to the first look
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	run("mail", "send", "--from", "RedSky", "--to", "BlueLake", "--subject", "INFO: one", "--body", body)
	run("mail", "wait", "BlueLake")
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var answer struct {
		OK    bool
		Count int
		Taken []int64
		Error struct{ Code, Message string }
	}
	if decoded := json.Unmarshal(out.Bytes(), &answer); decoded != nil {
		t.Fatalf("%v: %s", decoded, &out)
	}
	if exitCodeOf(err) != 6 || answer.OK || answer.Count != 0 || !slices.Equal(answer.Taken, []int64{1}) ||
		answer.Error.Code != "CONFLICT" {
		t.Errorf("%v: %s", err, &out)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it waited %s", took)
	}
}
