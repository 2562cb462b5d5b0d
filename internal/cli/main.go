package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"brenner/internal/protocol"
)

// Main runs one command line and returns its exit code. The first interrupt asks the
// command to stop; a second one ends the process at once. A terminal that goes away is an
// interrupt too, unless nohup says otherwise.
func Main(args []string, streams Streams) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	context.AfterFunc(ctx, func() {
		signal.Ignore(syscall.SIGHUP) // the shell and the system both send one: the second is no request
		stop()
	})
	boundMemory(streams)
	return Run(ctx, args, streams)
}

// Run is Main without signals.
func Run(ctx context.Context, args []string, streams Streams) int {
	a := &app{streams: streams}
	err := a.guarded(func() error { return a.execute(ctx, args) })
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // whatever failed, it failed because it was interrupted
	}
	return a.emit(err)
}

// guarded makes a panic an INTERNAL error: the reader can do nothing with a stack trace.
func (a *app) guarded(run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			a.report = nil
			err = protocol.Errorf(protocol.Internal, "internal error: %v", r)
		}
	}()
	return run()
}

// execute parses and runs.
func (a *app) execute(ctx context.Context, args []string) error {
	root := newRoot(a)
	a.args = args
	root.SetArgs(args)
	if err := a.unknownCommand(root, args); err != nil {
		a.flags.json = wantsJSON(args)
		return err
	}
	err := root.ExecuteContext(ctx)
	if !a.ran {
		// The command line was not understood, or asked for help: flags may not have
		// been parsed to their end.
		a.flags.json = a.flags.json || wantsJSON(args)
		if _, ok := errors.AsType[*protocol.Error](err); err != nil && !ok {
			return usageError("%s", plainUsage(err.Error()))
		}
	}
	return err
}

// unknownCommand looks for a mistyped command before flags are parsed, because a flag of
// the command that was meant would be reported first otherwise.
func (a *app) unknownCommand(root *cobra.Command, args []string) error {
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return nil // cobra adds these itself
	}
	cmd, rest, _ := root.Find(args)
	if cmd.Name() == "help" || !cmd.HasSubCommands() || len(rest) == 0 || rest[0] == "" || rest[0][0] == '-' {
		return nil
	}
	if takes, _ := takesThread(cmd); takes {
		return nil // it does something itself: what follows may be a thread
	}
	return unknownCommand(cmd, rest[0])
}

// wantsJSON tells whether --json is among the arguments.
func wantsJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// usageError says what is wrong with a command line.
func usageError(format string, args ...any) error {
	return protocol.Errorf(protocol.Usage, format, args...)
}

// unknownCommand names what was typed and what may have been meant.
func unknownCommand(cmd *cobra.Command, typed string) error {
	if names := suggestCommands(cmd, typed); len(names) > 0 {
		return usageError("unknown command %q for %q; did you mean %s?", typed, cmd.CommandPath(), alternatives(names))
	}
	return usageError("unknown command %q for %q; %s lists what there is", typed, cmd.CommandPath(), listing(cmd))
}
