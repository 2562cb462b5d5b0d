package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"brenner/internal/proctree"
	"brenner/internal/program"
	"brenner/internal/protocol"
)

// job is the program of an agent at work.
type job struct {
	pid   int
	mark  string     // see sweep
	ended chan error // of Wait; one value
}

// openOutput opens the file that an agent's output goes to.
func openOutput(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "no file for the output: %w", err)
	}
	return f, nil
}

// setAside keeps what an earlier attempt printed, under another name.
func setAside(attempt int, paths ...string) error {
	for _, path := range paths {
		err := os.Rename(path, fmt.Sprintf("%s.%d", path, attempt))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return protocol.Errorf(protocol.Unwritable, "%w", err)
		}
	}
	return nil
}

// startJob starts a program in a process group of its own. Its output goes straight to files, so that
// nothing is lost if the runner is.
func startJob(c program.Command, mark string, out *os.File, errPath, inPath string) (*job, error) {
	if err := c.WriteFiles(); err != nil {
		return nil, err
	}
	errs, err := os.OpenFile(errPath, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unwritable, "no file for the output: %w", err)
	}
	defer errs.Close()
	cmd := exec.Command(c.Args[0], c.Args[1:]...) //nolint:noctx // ended by its group, see end
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.Dir, out, errs
	cmd.Env = append(append(os.Environ(), c.Env...), mark)
	if c.Stdin != "" {
		if err := os.WriteFile(inPath, []byte(c.Stdin), 0o600); err != nil {
			return nil, protocol.Errorf(protocol.Unwritable, "no file for the prompt: %w", err)
		}
		in, err := os.Open(inPath)
		if err != nil {
			return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
		}
		defer in.Close()
		cmd.Stdin = in
	}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, protocol.Errorf(protocol.ProgramMissing, "%s does not start: %w", c.Args[0], err)
	}
	j := &job{pid: cmd.Process.Pid, mark: mark, ended: make(chan error, 1)}
	go func() { j.ended <- cmd.Wait() }()
	return j, nil
}

// await waits until the program ends by itself, is ended at the deadline or because it was still for too long,
// or is cut off by the end of the context. Whatever it started and left behind is ended with it.
func (j *job) await(ctx context.Context, deadline time.Time, grace time.Duration, v *monitor) (Ending, error) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	tick := time.NewTicker(monitorPace)
	defer tick.Stop()
	var err error
	how := Ending("")
	for how == "" {
		select {
		case err = <-j.ended:
			how = Exited
		case <-timer.C:
			how, err = AtDeadline, j.end(grace)
		case <-ctx.Done():
			how, err = CutOff, j.end(grace)
		case now := <-tick.C:
			if end := v.look(ctx, now); end != "" {
				how, err = end, j.end(grace)
			}
		}
	}
	kill(j.pid)
	sweep(ctx, j.mark, grace)
	v.over()
	return how, err
}

// sweep ends what a program started and moved out of its process group, where the system shows it by
// the mark in its environment. What cannot be ended is beyond a runner.
func sweep(ctx context.Context, mark string, grace time.Duration) {
	_ = proctree.Family{Mark: mark}.End(context.WithoutCancel(ctx), grace)
}

// end asks the program to end, and does not ask again.
func (j *job) end(grace time.Duration) error {
	terminate(j.pid)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-j.ended:
		return err
	case <-timer.C:
		kill(j.pid)
		return <-j.ended
	}
}

// exitCode reads how a program ended; a signal has none.
func exitCode(err error) (code *int, reason string) {
	if err == nil {
		zero := 0
		return &zero, ""
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return nil, err.Error()
	}
	if n := exit.ExitCode(); n >= 0 {
		return &n, exit.String()
	}
	return nil, exit.String() // "signal: killed"
}
