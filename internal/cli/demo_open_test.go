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

// newBrowser is a browser that writes down the page it is given, and what tells that page; empty: it was given none.
func newBrowser(t *testing.T) (browser string, opened func() string) {
	t.Helper()
	dir := t.TempDir()
	asked := filepath.Join(dir, "asked")
	browser = filepath.Join(dir, "browser")
	if err := os.WriteFile(browser, []byte("#!/bin/sh\necho \"$1\" > "+asked+".new && mv "+asked+".new "+asked+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return browser, func() string {
		var page []byte
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && len(page) == 0; time.Sleep(10 * time.Millisecond) {
			page, _ = os.ReadFile(asked)
		}
		return strings.TrimSpace(string(page))
	}
}

// TestDemoOpens: every stop of the tour is there, the browser gets the first page, and Ctrl-C ends it.
func TestDemoOpens(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	browser, opened := newBrowser(t)
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
	if got := opened(); got != pages[0] {
		t.Errorf("the browser was given %q, want %q", got, pages[0])
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestAskOpensPage: the page of a turn is opened where it is served, has the prompt and takes the answer; the command ends with that.
func TestAskOpensPage(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	expectOK(t, program, dir, "session", "start", "--question", "Why does it turn?", "--context", "So.", "--to", "BlueLake", "--thread",
		gateThread)
	browser, opened := newBrowser(t)
	cmd := exec.CommandContext(t.Context(), program, "--project", dir, "ask", "BlueLake", "--via", "page")
	cmd.Env = append(os.Environ(), "BROWSER="+browser)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	page := opened()
	if !strings.HasPrefix(page, "http://127.0.0.1:") || !strings.HasSuffix(page, "/t/"+gateThread+"/do/turn?of=BlueLake") {
		t.Errorf("the browser was given %q", page)
	}
	res, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), "Why does it turn?") ||
		!strings.Contains(string(body), "You are BlueLake") || !strings.Contains(string(body), "<textarea") {
		t.Errorf("%s, %v\n%s", res.Status, err, body)
	}
	answer := filepath.Join(dir, "answer.md")
	writeFile(t, answer, "```delta\n{\"operation\": \"ADD\", \"section\": \"hypothesis_slate\", \"payload\": {\"name\": \"Fluid\", "+
		"\"claim\": \"It flows\", \"mechanism\": \"Shear\", \"anchors\": [\"inference\"]}, \"rationale\": \"r\"}\n```\n")
	expectOK(t, program, dir, "ask", "BlueLake", "--answer", answer)
	err = cmd.Wait()
	if err != nil || !strings.Contains(errs.String(), "open "+page) || !strings.Contains(out.String(), " on "+gateThread) {
		t.Errorf("%v\n%s%s", err, out.String(), errs.String())
	}
}
