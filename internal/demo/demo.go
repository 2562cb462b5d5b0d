package demo

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"brenner/internal/app"
	"brenner/internal/evidencepack"
	"brenner/internal/gitrepo"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/scripted"
	"brenner/internal/session"
	"brenner/internal/transcript"
)

// Options say where the demo plays and who watches.
type Options struct {
	Dir     string       // scratch project; empty: a temporary one
	Program string       // brenner itself: plays the agents' scripts and runs what the operator types
	Tell    func(Moment) // hears what happens; may be nil
}

// Moment is something that happened.
type Moment struct {
	Message *mail.Message  // a message was sent
	Said    *scripted.Said // an agent was refused and repaired its message
	Note    string         // the operator did something
}

// Result is what the demo came to.
type Result struct {
	Project     string              `json:"project"`
	ThreadID    string              `json:"thread_id"`
	Version     int                 `json:"version"`
	Messages    int                 `json:"messages"`
	Refused     int                 `json:"refused"`
	Errors      int                 `json:"errors"`
	Warnings    int                 `json:"warnings"`
	Hash        string              `json:"artifact_hash"`
	Persistence session.Persistence `json:"persistence"`
	Seconds     float64             `json:"seconds"`
}

// limit is how long the demo may take; it takes a few seconds.
const limit = 20 * time.Second

// Run plays the session: kickoff, contributions, v1 with a false quote, its mending, critique, answer, a result, an
// edit after it, a run, v2, persist, commit.
func Run(ctx context.Context, o Options) (Result, error) {
	begin := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, protocol.Errorf(protocol.TimedOut, "the demo took longer than %s", limit))
	defer cancel()
	dir, err := scratch(ctx, o.Dir)
	if err != nil {
		return Result{}, err
	}
	a, err := app.Open(ctx, app.Options{Project: app.Project{Root: dir, WorkDir: dir}})
	if err != nil {
		return Result{}, err
	}
	d := director{App: a, o: o, result: Result{Project: dir}}
	err = d.play(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	d.result.Seconds = time.Since(begin).Seconds()
	return d.result, errors.Join(err, a.Close())
}

// scratch makes a git repository with the transcript, a source and the data of a test in it.
func scratch(ctx context.Context, dir string) (string, error) {
	if dir == "" {
		temp, err := os.MkdirTemp("", "brenner-demo-")
		if err != nil {
			return "", protocol.Errorf(protocol.Unwritable, "no scratch folder: %w", err)
		}
		dir = temp
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", protocol.Errorf(protocol.Conflict, "%s is a file; the demo wants a folder of its own", dir)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return "", protocol.Errorf(protocol.Conflict, "%s is not empty; the demo wants a folder of its own", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", protocol.Errorf(protocol.Unwritable, "no scratch folder: %w", err)
	}
	for name, text := range map[string]string{
		"transcript.md": script("transcript.md"), "nights.txt": script("nights.txt"),
		"brenner.config.json": "{\n  \"transcript\": \"transcript.md\"\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", protocol.Errorf(protocol.Unwritable, "no scratch folder: %w", err)
		}
	}
	letter := evidencepack.Addition{
		Name: "letter.txt", Data: []byte(script("letter.txt")), Title: "Letter of an observer", Source: "made up for the demo",
		By: mail.Operator, At: time.Now(),
	}
	if _, err := evidencepack.At(dir).Add(ctx, letter); err != nil {
		return "", err
	}
	for _, args := range [][]string{
		{"init", "--quiet"}, {"config", "user.name", "Demo"}, {"config", "user.email", "demo@localhost"},
		{"config", "commit.gpgsign", "false"},
		{"add", "."}, {"commit", "--quiet", "-m", "A transcript to think about"},
	} {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir, cmd.Env = dir, gitrepo.Environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", protocol.Errorf(protocol.GitFailed, "git %s: %s: %w", args[0], out, err)
		}
	}
	return dir, nil
}

// excerpt quotes the transcript for the kickoff.
func excerpt(o opening) (string, error) {
	sections, err := transcript.ParseSelection(o.Sections)
	if err != nil {
		return "", err
	}
	text, findings := transcript.Parse(script("transcript.md")).Excerpt(sections)
	if protocol.HasErrors(findings) {
		return "", protocol.Errorf(protocol.Internal, "the demo's excerpt: %s", findings[0].Message)
	}
	return text, nil
}
