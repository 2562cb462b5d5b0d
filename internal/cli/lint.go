package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact/lint"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

var lintFormats = []string{"text", "json", "sarif"}

func newLint(a *app) *cobra.Command {
	var format string
	var strict bool
	cmd := &cobra.Command{
		Use:   "lint T|FILE",
		Short: "Judge an artifact by the rules of good research",
		Long: `Judge what the messages of a thread fold to now, the artifact in a Markdown file, or the one that a
thread file (.jsonl) folds to. What only a person can judge is printed as a checklist. Exit code 3 if
an error stands; with --strict also if a warning does.`,
		Example: "  brenner lint RS-20260110-cells-turn\n  brenner lint artifact.md --format sarif > lint.sarif",
		Args:    exactly("T|FILE"),

		ValidArgsFunction: a.completeThreadsOrFiles,
	}
	formatFlag(cmd, &format, lintFormats)
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on warnings too")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := checkFormat(cmd, format, lintFormats); err != nil {
			return nil, err
		}
		judge := a.lintThread
		if isFile(args[0]) {
			judge = a.lintFile
		}
		r, err := judge(ctx, args[0])
		if err != nil {
			return nil, err
		}
		a.flags.json = a.flags.json || format == "json"
		if format == "sarif" {
			r.SARIF = lint.SARIF(r.Report, r.path())
		}
		if !r.Valid || protocol.HasErrors(r.Findings) || strict && r.Warnings > 0 {
			return r, invalidArtifact(r.Report)
		}
		return r, nil
	})
}

type lintReport struct {
	lint.Report
	Findings []protocol.Finding `json:"findings"` // of reading the file
	SARIF    json.RawMessage    `json:"sarif,omitempty"`

	name, text string // the thread or the file; the text of a file
}

// lintThread judges the current fold of a thread.
func (a *app) lintThread(ctx context.Context, thread string) (lintReport, error) {
	r := lintReport{Findings: []protocol.Finding{}, name: thread}
	_, err := a.working("judging", func(ctx context.Context, p *project.App, _ []string) (report, error) {
		s, err := p.Sessions.Session(ctx, thread)
		if err != nil {
			return nil, err
		}
		r.Report, err = usecase.Lint.Do(ctx, usecase.At{Session: s}, usecase.OfThread{Thread: thread})
		return nil, err
	})(ctx, nil)
	return r, err
}

// lintFile judges a file. Rules that ask for the project run where there is one.
func (a *app) lintFile(ctx context.Context, path string) (lintReport, error) {
	doc, err := a.readDocument(ctx, path)
	if err != nil {
		return lintReport{}, err
	}
	options, err := a.options(ctx)
	if err != nil {
		return lintReport{}, err
	}
	in := lint.Input{Document: doc.Document, Outline: doc.outline}
	if in.Project, a.settings, err = project.LintProject(ctx, options); err != nil {
		return lintReport{}, err
	}
	if doc.Metadata.SessionID == "" {
		in.Name = doc.name
	}
	return lintReport{Report: lint.Check(in), Findings: protocol.NonNil(doc.findings), name: doc.name, text: doc.text}, nil
}

// invalidArtifact is the error of an artifact that does not pass.
func invalidArtifact(r lint.Report) error {
	found := violations(r)
	return protocol.Errorf(protocol.ValidationFailed, "the artifact does not pass: %s", tally(found)).WithFindings(found)
}

func violations(r lint.Report) []protocol.Finding {
	found := make([]protocol.Finding, len(r.Violations))
	for i, v := range r.Violations {
		found[i] = v.Finding
	}
	return found
}

// path is the file of the artifact, for programs that show findings beside files.
func (r lintReport) path() string {
	if isFile(r.name) {
		return r.name
	}
	return message.ArtifactPath(r.name)
}

func (r lintReport) show(p *printer) {
	if r.SARIF != nil {
		p.text(string(r.SARIF))
		return
	}
	var src *source
	if r.text != "" {
		src = newSource(r.text)
	}
	p.findings(r.Findings, src)
	p.findings(violations(r.Report), src)
	if len(r.Checklist) > 0 {
		p.print("For a person to judge:\n")
	}
	for _, question := range r.Checklist {
		p.print("  [ ] %s\n", visible(question))
	}
	if p.failed {
		p.explain(violations(r.Report))
		return
	}
	p.note("valid, %s", tally(violations(r.Report)))
	p.next("brenner", "artifact", "show", r.name, "--format", "html")
}
