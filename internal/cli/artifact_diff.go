package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/artifact/diff"
	"brenner/protocol"
)

func newArtifactDiff(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Show what changed between two artifacts",
		Long: `Compare two artifacts item by item and field by field: what was added, edited and killed.
Each file is Markdown, or the lines of a thread (.jsonl); only the latter know who made a change.`,
		Example: "  brenner artifact diff before.md after.md",
		Args:    exactly("FILE", "FILE"),
	}
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		var docs [2]document
		var findings []protocol.Finding
		for i, path := range args {
			if !isFile(path) {
				return nil, usageFor(cmd, "%q is not a file: a path, or a name that ends in .md or .jsonl", path)
			}
			doc, err := a.readArtifact(ctx, path)
			if err != nil {
				return nil, err
			}
			docs[i] = doc
			for _, f := range doc.findings {
				findings = append(findings, f.In(path))
			}
		}
		if err := verdict("a file", findings); err != nil {
			return nil, err
		}
		d := diff.Between(docs[0].Artifact, docs[1].Artifact)
		return diffReport{d.Report(diff.Label{File: args[0]}, diff.Label{File: args[1]}), nonNil(findings), d.Text()}, nil
	})
}

type diffReport struct {
	diff.Report
	Findings []protocol.Finding `json:"findings"` // about the files; path names the file

	text string
}

func (r diffReport) show(p *printer) {
	p.text(r.text)
	if !p.quiet {
		p.findingsOnErr(r.Findings)
	}
	p.next("brenner", "artifact", "show", r.To.String())
}
