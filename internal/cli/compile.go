package cli

import (
	"context"
	"reflect"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact/markdown"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

type compileFlags struct {
	threadFile string
	usecase.CompileRequest
}

func newCompile(a *app) *cobra.Command {
	var f compileFlags
	cmd := &cobra.Command{
		Use:   "compile T | --thread-file FILE --dry-run",
		Short: "Fold a thread into its artifact and publish a new version",
		Long: `Fold a thread: its deltas are merged in order, and the artifact is printed as Markdown. If a delta
was applied since the last version, the next one is published on the thread as a COMPILED message;
otherwise nothing is posted. The report (what was merged, rejected, contested, and what lint says)
goes to stderr, or into the object of --json. Rejected deltas and lint errors are reported, not
failures, unless --strict.

--persist writes the version to artifacts/T.md as well, --commit commits that file alone.`,
		Example: "  brenner compile RS-20260110-cells-turn\n" +
			"  brenner compile RS-20260110-cells-turn --persist --commit\n" +
			"  brenner compile --thread-file thread.jsonl --dry-run > artifact.md",
		Args: cobra.ArbitraryArgs,

		ValidArgsFunction: a.completeThreads,
	}
	f.define(a, cmd)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := f.check(cmd, args); err != nil {
			return nil, err
		}
		if len(args) == 0 {
			r, err := a.compileFile(ctx, f.threadFile)
			if err != nil {
				return nil, err
			}
			if f.Strict {
				err = r.Passes()
			}
			return r, err
		}
		f.Thread = args[0]
		return a.working("compiling", a.acting(f.run(a)))(ctx, args)
	})
}

func (f *compileFlags) define(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.threadFile, "thread-file", "", "compile the message lines in `FILE` (- for stdin) instead of a thread of "+
		"the store")
	bind(a, cmd, usecase.Compile.Case, reflect.ValueOf(&f.CompileRequest).Elem())
	a.fromFlag(cmd)
}

func (f *compileFlags) check(cmd *cobra.Command, args []string) error {
	fromFile := cmd.Flags().Changed("thread-file")
	switch {
	case len(args) == 0 && !fromFile:
		return usageFor(cmd, "a thread, or --thread-file, is missing")
	case len(args) > 1:
		return usageFor(cmd, "there is an argument too many: %q", args[1])
	case len(args) == 1 && fromFile:
		return usageFor(cmd, "a thread and --thread-file exclude each other")
	case fromFile && !f.DryRun:
		return usageFor(cmd, "a file can only be compiled with --dry-run")
	}
	if err := usecase.Compile.Check(f.CompileRequest); err != nil {
		return worded(cmd, err)
	}
	return nil
}

func (f *compileFlags) run(a *app) projectFunc {
	return func(ctx context.Context, p *project.App, _ []string) (report, error) {
		if !f.DryRun {
			var err error
			if f.As, err = a.sender(ctx, p); err != nil {
				return nil, err
			}
		}
		done, err := usecase.Compile.Do(ctx, usecase.At{Sessions: p.Sessions}, f.CompileRequest)
		if done.ThreadID == "" {
			return nil, err
		}
		return compileReport{Compiled: done}, err
	}
}

type compileReport struct {
	usecase.Compiled

	file string // that was compiled; empty for a thread
}

func (r compileReport) show(p *printer) {
	p.text(markdown.Render(r.Document))
	p.outcome(r.Outcome)
	if p.failed {
		p.explain(violations(r.Lint))
		return
	}
	switch {
	case r.file != "":
		p.next("brenner", "lint", r.file)
	case r.DryRun:
		p.note("dry run: nothing was published")
		p.next("brenner", "compile", r.ThreadID)
	default:
		r.published(p)
	}
}

// published tells what was posted and written, and goes on from there.
func (r compileReport) published(p *printer) {
	if r.NewVersion {
		p.note("published v%d as message %d", r.Version, *r.MessageID)
	} else {
		p.note("nothing to publish since %s", versionText(r.Version))
	}
	if r.Version == 0 {
		p.next("brenner", "diagnose", r.ThreadID)
		return
	}
	p.note("%s", visible(persistenceText(r.Persistence)))
	switch {
	case r.Deltas.Rejected > 0:
		p.next("brenner", "diagnose", r.ThreadID, "--fix")
	case !r.Lint.Valid:
		p.next("brenner", "lint", r.ThreadID)
	case r.Persistence.State == session.Draft:
		p.next("brenner", "persist", r.ThreadID)
	case r.Persistence.State == session.Pending:
		p.next("brenner", "persist", r.ThreadID, "--commit")
	default:
		p.next("brenner", "session", "status", r.ThreadID)
	}
}
