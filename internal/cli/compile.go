package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/artifact/markdown"
	"brenner/mail"
	"brenner/protocol"
	"brenner/session"
)

func newCompile(a *app) *cobra.Command {
	var threadFile string
	var dryRun, strict bool
	cmd := &cobra.Command{
		Use:   "compile --thread-file FILE --dry-run",
		Short: "Fold the messages of a thread into its artifact",
		Long: `Fold a thread: its deltas are merged in order, and the artifact is printed as Markdown. The
report (what was merged, rejected, contested, and what lint says) goes to stderr, or into the
object of --json. Rejected deltas and lint errors are reported, not failures, unless --strict.`,
		Example: "  brenner compile --thread-file thread.jsonl --dry-run > artifact.md",
		Args:    cobra.ArbitraryArgs,
	}
	flags := cmd.Flags()
	flags.StringVar(&threadFile, "thread-file", "", "compile the message lines in `FILE` (- for stdin) instead of a thread of the store")
	flags.BoolVar(&dryRun, "dry-run", false, "publish nothing")
	flags.BoolVar(&strict, "strict", false, "fail if lint finds errors")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case len(args) == 0 && !flags.Changed("thread-file"):
			return nil, usageFor(cmd, "a thread, or --thread-file, is missing")
		case len(args) > 1:
			return nil, usageFor(cmd, "there is an argument too many: %q", args[1])
		case len(args) == 1 && flags.Changed("thread-file"):
			return nil, usageFor(cmd, "a thread and --thread-file exclude each other")
		case len(args) == 1:
			return nil, protocol.Errorf(protocol.NotFound, "there is no thread %q", args[0])
		case !dryRun:
			return nil, usageFor(cmd, "a file can only be compiled with --dry-run")
		}
		r, err := a.compileFile(ctx, threadFile)
		if err != nil {
			return nil, err
		}
		if strict && !r.Lint.Valid {
			return r, invalidArtifact(r.Lint)
		}
		return r, nil
	})
}

// compileFile folds the lines of a file; nothing is published.
func (a *app) compileFile(ctx context.Context, path string) (compileReport, error) {
	doc, err := a.readDocument(ctx, path)
	if err != nil {
		return compileReport{}, err
	}
	if doc.lines == nil {
		return compileReport{}, protocol.Errorf(protocol.InvalidInput, "%q does not hold message lines", path)
	}
	view := session.NewView(doc.Metadata.SessionID)
	for i := range doc.lines {
		view.Add(mail.Message{Message: doc.lines[i].Message()})
	}
	r := compileReport{session.OutcomeOf(view), path}
	r.Findings = nonNil(append(doc.findings, r.Findings...))
	return r, nil
}

type compileReport struct {
	session.Outcome

	file string
}

func (r compileReport) show(p *printer) {
	p.text(markdown.Render(r.Document))
	if p.quiet {
		return
	}
	p.findingsOnErr(r.Findings)
	d := r.Deltas
	p.note("%s: %s found, %d accepted, %d rejected; %d applied, %d skipped", visible(r.ThreadID),
		count(d.Found, "delta"), d.Accepted, d.Rejected, d.Applied, d.Skipped)
	p.note("added %d, edited %d, killed %d; %s; lint: %s", len(r.Changes.Added), len(r.Changes.Edited), len(r.Changes.Killed),
		count(len(r.Conflicts), "conflict"), tally(violations(r.Lint)))
	p.next("brenner", "lint", r.file)
}
