package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// inert are the settings of every git that only reads. A project's own settings could name a program for each of them: git would start a
// monitor of files to list them, and a hook when a ref changes (PROTOCOL 16, a project says what is, not what runs).
var inert = []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.untrackedCache=false"}

// offline keeps a git that only reads from locks, from transports (an object that is missing in a partial clone would be fetched by
// a program that the project names) and from questions.
var offline = []string{"GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_LITERAL_PATHSPECS=1"}

// ask calls git for an answer. Only plumbing that applies no filter belongs here: rev-parse, ls-tree, cat-file, ls-files and the like.
// Porcelain such as status, log or diff starts filters, monitors and signature checkers that a project names.
func ask(ctx context.Context, dir string, args ...string) (string, error) {
	return output(asking(ctx, dir, args...))
}

// asking prepares a git that only reads.
func asking(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := prepare(ctx, dir, append(slices.Clip(inert), args...)...)
	cmd.Env = append(cmd.Env, offline...)
	return cmd
}

// run calls git for an act that a person asked for. Hooks and filters of the project take part in it, as they do when that person
// calls git.
func run(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := prepare(ctx, dir, args...)
	cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0")
	return output(cmd)
}

// prepare makes a call of git with messages in English, so that no locale changes what it says.
func prepare(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	// A git that is asked to stop takes most of its locks away; one that is killed leaves them all.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopTime
	cmd.Env = append(Environment(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	return cmd
}

func output(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", explain(verb(cmd.Args[1:]), stderr.String(), err)
	}
	return stdout.String(), nil
}

// verb is the command among the words of a call, behind its settings.
func verb(args []string) string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

func explain(verb, stderr string, err error) error {
	said := strings.TrimSpace(stderr)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return protocol.Errorf(protocol.NotFound, "the git program is not installed: %w", err)
	case strings.Contains(said, "Please tell me who you are"), strings.Contains(said, "empty ident name"):
		return nobody()
	case said == "":
		return protocol.Errorf(protocol.GitFailed, "git %s failed: %w", verb, err)
	}
	return protocol.Errorf(protocol.GitFailed, "git %s: %s: %w", verb, said, err)
}
