package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact/markdown"
	"brenner/internal/session"
)

type compileFlags struct {
	threadFile string
	dryRun     bool
	session.CompileRequest
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
			return r, f.judge(r)
		}
		f.ThreadID = args[0]
		return a.working("compiling", a.acting(f.run(a)))(ctx, args)
	})
}

func (f *compileFlags) define(a *app, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.threadFile, "thread-file", "", "compile the message lines in `FILE` (- for stdin) instead of a thread of the store")
	flags.BoolVar(&f.dryRun, "dry-run", false, "publish and write nothing")
	flags.BoolVar(&f.Strict, "strict", false, "fail if lint finds errors, and publish nothing then")
	flags.StringVar(&f.Summary, "summary", "", "what changed, in a few words of `TEXT` (default: what was added, edited, killed)")
	flags.BoolVar(&f.Persist, "persist", false, "write the latest version to artifacts/T.md")
	flags.BoolVar(&f.Commit, "commit", false, "commit that file, and nothing else; with --persist")
	flags.BoolVar(&f.Force, "force", false, "overwrite a file that is newer or was edited; with --persist")
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
	case fromFile && !f.dryRun:
		return usageFor(cmd, "a file can only be compiled with --dry-run")
	case f.Commit && !f.Persist:
		return usageFor(cmd, "--commit commits what --persist writes: give both")
	case f.Force && !f.Persist:
		return usageFor(cmd, "--force is about the file that --persist writes: give both")
	}
	return nil
}

// judge is --strict for what is not published anyway.
func (f *compileFlags) judge(r compileReport) error {
	if f.Strict && !r.Lint.Valid {
		return invalidArtifact(r.Lint)
	}
	return nil
}

func (f *compileFlags) run(a *app) projectFunc {
	return func(ctx context.Context, p *project.App, _ []string) (report, error) {
		if f.dryRun {
			s, err := p.Sessions.Session(ctx, f.ThreadID)
			if err != nil {
				return nil, err
			}
			out, err := s.Preview(ctx)
			if err != nil {
				return nil, err
			}
			r := compileReport{Outcome: out, dryRun: true}
			return r, f.judge(r)
		}
		var err error
		if f.As, err = a.sender(ctx, p); err != nil {
			return nil, err
		}
		out, err := p.Sessions.Compile(ctx, f.CompileRequest)
		if out.ThreadID == "" {
			return nil, err
		}
		return compileReport{Outcome: out}, err
	}
}

type compileReport struct {
	session.Outcome

	file   string // that was compiled; empty for a thread
	dryRun bool
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
	case r.dryRun:
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
