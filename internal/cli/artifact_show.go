package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/artifact"
	"brenner/artifact/markdown"
	"brenner/protocol"
)

var artifactFormats = []string{"md", "json", "html"}

func newArtifactShow(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Print an artifact as Markdown, JSON or an HTML page",
		Long: `Print the artifact in a Markdown file, or the one that the messages in a thread file
(.jsonl) fold to.`,
		Example: "  brenner artifact show artifact.md --format html > artifact.html\n" +
			"  brenner artifact show thread.jsonl --json",
		Args: exactly("FILE"),
	}
	formatFlag(cmd, &format, artifactFormats)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := checkFormat(cmd, format, artifactFormats); err != nil {
			return nil, err
		}
		if !isFile(args[0]) {
			return nil, protocol.Errorf(protocol.NotFound, "No artifact found for thread %s", args[0])
		}
		doc, err := a.readArtifact(ctx, args[0])
		if err != nil {
			return nil, err
		}
		a.flags.json = a.flags.json || format == "json"
		r := artifactReport{Metadata: doc.Metadata, Sections: doc.Artifact, Findings: nonNil(doc.findings), file: args[0]}
		switch format {
		case "md":
			r.content = markdown.Render(doc.Document)
		case "html":
			r.content = markdown.HTML(doc.Document)
		}
		return r, verdict("the file", doc.findings)
	})
}

type artifactReport struct {
	Metadata artifact.Metadata  `json:"metadata"`
	Sections *artifact.Artifact `json:"sections"`
	Findings []protocol.Finding `json:"findings"`

	file, content string
}

func (r artifactReport) show(p *printer) {
	if !p.failed {
		p.text(r.content)
	}
	if !p.quiet {
		p.findingsOnErr(r.Findings)
	}
	p.next("brenner", "lint", r.file)
}

// formatFlag defines --format with the first format as its default.
func formatFlag(cmd *cobra.Command, format *string, formats []string) {
	cmd.Flags().StringVar(format, "format", formats[0], "`FORMAT` of the output: "+strings.Join(formats, ", "))
	if err := cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was defined a line above
	}
}

func checkFormat(cmd *cobra.Command, format string, formats []string) error {
	if slices.Contains(formats, format) {
		return nil
	}
	return usageFor(cmd, "there is no format %q, only %s", format, strings.Join(formats, ", "))
}
