//go:build unix

package cli

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDemoOpens: every stop of the tour is there, the browser gets the first page, and Ctrl-C ends it.
func TestDemoOpens(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	browser := filepath.Join(dir, "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\necho \"$1\" > "+asked+".new && mv "+asked+".new "+asked+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "demo", "--open", "--dir", filepath.Join(dir, "play"))
	cmd.Env = append(os.Environ(), "BROWSER="+browser)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pages []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if _, address, found := strings.Cut(line, "http://"); found {
			pages = append(pages, "http://"+address)
		}
		if strings.Contains(line, "Stop with Ctrl-C") {
			break
		}
	}
	if len(pages) != 7 {
		t.Fatalf("%d pages: %q", len(pages), pages)
	}
	for _, page := range pages {
		res, err := http.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), "Leave the tour") {
			t.Errorf("%s: %s, %v; a stop says that it is one", page, res.Status, err)
		}
		if _, part, found := strings.Cut(page, "#"); found && !strings.Contains(string(body), `id="`+part+`"`) {
			t.Errorf("%s has no part %s", page, part)
		}
	}
	var opened []byte
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && len(opened) == 0; time.Sleep(10 * time.Millisecond) {
		opened, _ = os.ReadFile(asked)
	}
	if got := strings.TrimSpace(string(opened)); got != pages[0] {
		t.Errorf("the browser was given %q, want %q", got, pages[0])
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
