package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// source is a commit, written out: what the working tree looks like does not matter.
type source struct {
	dir    string
	module string
	commit string
	at     time.Time // of the commit; every date in the release
}

func export(ctx context.Context, repository, commit, dir string) (source, error) {
	s := source{dir: dir}
	head, err := output(ctx, repository, nil, "git", "show", "-s", "--format=%H %ct", commit+"^{commit}")
	if err != nil {
		return s, err
	}
	hash, seconds, _ := strings.Cut(strings.TrimSpace(head), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return s, fmt.Errorf("the time of %s: %w", commit, err)
	}
	s.commit, s.at = hash, time.Unix(unix, 0).UTC()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return s, err
	}
	files, err := output(ctx, repository, nil, "git", "archive", "--format=tar", hash)
	if err != nil {
		return s, err
	}
	unpack := exec.CommandContext(ctx, "tar", "-x", "-C", dir)
	unpack.Stdin = strings.NewReader(files)
	if text, err := unpack.CombinedOutput(); err != nil {
		return s, fmt.Errorf("tar: %w: %s", err, text)
	}
	module, err := output(ctx, dir, nil, "go", "list", "-m")
	s.module = strings.TrimSpace(module)
	return s, err
}

// output runs a program and returns what it printed.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, errors.String())
	}
	return string(out), nil
}
