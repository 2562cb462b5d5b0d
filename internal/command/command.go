// Package command runs a command that a person typed, for the record: without a shell, in a process group
// of its own, with its output shown live and kept up to a bound.
package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"brenner/internal/protocol"
)

// Spec is a command to run.
type Spec struct {
	Words   []string // the program and its arguments, as typed
	Dir     string
	Timeout time.Duration // 0: none
	Live    io.Writer     // where output is shown while it runs
}

// Result is what a command did. Close it.
type Result struct {
	ExitCode *int // nil: it did not end by itself
	TimedOut bool
	Started  time.Time
	Seconds  float64
	Out, Err *Output
}

// Close removes the files that hold the output.
func (r *Result) Close() {
	for _, o := range []*Output{r.Out, r.Err} {
		if o != nil {
			o.close()
		}
	}
}

// grace is how long a process may take to end after it was asked to.
const grace = 2 * time.Second

// Run runs a command to its end. PROGRAM_MISSING: there is no such program. After an interrupt nothing is
// left of it: the error is the context's.
func Run(ctx context.Context, spec Spec) (*Result, error) {
	if err := exists(spec); err != nil {
		return nil, err
	}
	r := &Result{}
	var err error
	if r.Out, err = newOutput(spec.Live); err == nil {
		r.Err, err = newOutput(spec.Live)
	}
	if err != nil {
		r.Close()
		return nil, protocol.Errorf(protocol.Unwritable, "the output cannot be kept: %w", err)
	}
	limit, cancel := ctx, context.CancelFunc(func() {})
	if spec.Timeout > 0 {
		limit, cancel = context.WithTimeout(ctx, spec.Timeout)
	}
	defer cancel()
	cmd := exec.CommandContext(limit, spec.Words[0], spec.Words[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = spec.Dir, r.Out, r.Err, 2*grace
	dog := watch()
	cmd.Env = dog.environ()
	ownGroup(cmd)
	r.Started = time.Now()
	if err = cmd.Start(); err != nil {
		dog.stop()
		r.Close()
		return nil, protocol.Errorf(protocol.ProgramMissing, "%s cannot be started: %w", spec.Words[0], err)
	}
	dog.follow(cmd.Process.Pid)
	_ = cmd.Wait() // what matters of it is asked below
	if limit.Err() == nil {
		dog.stop()
	} else {
		dog.end() // with what left its group
	}
	r.Seconds = time.Since(r.Started).Seconds()
	if ctx.Err() != nil {
		r.Close()
		return nil, ctx.Err()
	}
	r.TimedOut = errors.Is(limit.Err(), context.DeadlineExceeded) && !cmd.ProcessState.Success()
	if code := cmd.ProcessState.ExitCode(); code >= 0 && !r.TimedOut {
		r.ExitCode = &code
	}
	if err = errors.Join(r.Out.finish(), r.Err.finish()); err != nil {
		r.Close()
		return nil, protocol.Errorf(protocol.Unwritable, "the output cannot be kept: %w", err)
	}
	return r, nil
}

// exists looks for the program before anything is made. One with a path is looked for where it will run.
func exists(spec Spec) error {
	name := spec.Words[0]
	if strings.ContainsRune(name, filepath.Separator) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(spec.Dir, path)
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return protocol.Errorf(protocol.ProgramMissing, "there is no program %s", name)
		}
		return nil
	}
	if _, err := exec.LookPath(name); err != nil {
		return protocol.Errorf(protocol.ProgramMissing, "there is no program %s", name)
	}
	return nil
}
