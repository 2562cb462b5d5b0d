package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"brenner/artifact/lint"
	"brenner/protocol"
)

var lintFormats = []string{"text", "json", "sarif"}

func newLint(a *app) *cobra.Command {
	var format string
	var strict bool
	cmd := &cobra.Command{
		Use:   "lint FILE",
		Short: "Judge an artifact by the rules of good research",
		Long: `Judge the artifact in a Markdown file, or the one that a thread file (.jsonl) folds to. What
only a person can judge is printed as a checklist. Exit code 3 if an error stands; with
--strict also if a warning does.`,
		Example: "  brenner lint artifact.md\n  brenner lint artifact.md --format sarif > lint.sarif",
		Args:    exactly("FILE"),
	}
	formatFlag(cmd, &format, lintFormats)
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on warnings too")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := checkFormat(cmd, format, lintFormats); err != nil {
			return nil, err
		}
		if !isFile(args[0]) {
			return nil, protocol.Errorf(protocol.NotFound, "there is no thread %q", args[0])
		}
		doc, err := a.readDocument(ctx, args[0])
		if err != nil {
			return nil, err
		}
		a.flags.json = a.flags.json || format == "json"
		r := newLintReport(doc)
		if format == "sarif" {
			r.SARIF = lint.SARIF(r.Report, doc.name)
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

	file, text string
}

func newLintReport(doc document) lintReport {
	in := lint.Input{Document: doc.Document, Outline: doc.outline}
	if doc.Metadata.SessionID == "" {
		in.Name = doc.name
	}
	return lintReport{Report: lint.Check(in), Findings: nonNil(doc.findings), file: doc.name, text: doc.text}
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
	p.next("brenner", "artifact", "show", r.file, "--format", "html")
}
