//go:build unix

package cli

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServe: the program says where it listens, answers, and ends well when it is asked to stop.
func TestServe(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program, "serve", "--addr", "127.0.0.1:0", "--json", "--project", t.TempDir())
		var complaints strings.Builder
		cmd.Stderr = &complaints
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stdout)
		lines.Scan()
		var at struct {
			OK        bool
			Addr, URL string
		}
		if err := json.Unmarshal(lines.Bytes(), &at); err != nil || !at.OK {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		res, err := http.Post(at.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("status %d", res.StatusCode)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if lines.Scan() {
			t.Errorf("more output: %s", lines.Text())
		}
		if err := cmd.Wait(); err != nil || time.Since(began) > 5*time.Second {
			t.Errorf("%s: %v after %s: %s", signal, err, time.Since(began), &complaints)
		}
	}
}
