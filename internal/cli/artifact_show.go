package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

var artifactFormats = []string{"md", "json", "html"}

func newArtifactShow(a *app) *cobra.Command {
	var format, version string
	cmd := &cobra.Command{
		Use:   "show T|FILE",
		Short: "Print an artifact as Markdown, JSON or an HTML page",
		Long: `Print the latest published version of a thread (or the one --version names), the artifact in a
Markdown file, or the one that the messages in a thread file (.jsonl) fold to. Where no version was
published, the file artifacts/T.md answers for the thread.`,
		Example: "  brenner artifact show RS-20260110-cells-turn --version 2\n" +
			"  brenner artifact show artifact.md --format html > artifact.html\n" +
			"  brenner artifact show thread.jsonl --json",
		Args: exactly("T|FILE"),

		ValidArgsFunction: a.completeThreadsOrFiles,
	}
	formatFlag(cmd, &format, artifactFormats)
	versionFlag(a, cmd, &version)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := checkFormat(cmd, format, artifactFormats); err != nil {
			return nil, err
		}
		read := a.readPublished(version)
		if isFile(args[0]) {
			if version != "" {
				return nil, usageFor(cmd, "--version belongs to a thread, not to a file")
			}
			read = a.readArtifact
		}
		doc, err := read(ctx, args[0])
		if err != nil {
			return nil, err
		}
		a.flags.json = a.flags.json || format == "json"
		r := artifactReport{Metadata: doc.Metadata, Sections: doc.Artifact, Findings: protocol.NonNil(doc.findings), name: args[0]}
		switch format {
		case "md":
			r.content = markdown.Render(doc.Document)
		case "html":
			r.content = markdown.HTML(doc.Document)
		}
		return r, verdict("the file", doc.findings)
	})
}

// readPublished reads a published version of a thread; empty is the latest.
func (a *app) readPublished(version string) func(ctx context.Context, thread string) (document, error) {
	return func(ctx context.Context, thread string) (document, error) {
		number, err := versionGiven(version)
		if err != nil {
			return document{}, err
		}
		doc := document{name: thread}
		_, err = a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			in := usecase.ArtifactRequest{Thread: thread, Version: number}
			answer, err := usecase.Artifact.Do(ctx, usecase.At{Sessions: p.Sessions}, in)
			doc.Document = answer.Document
			return nil, err
		})(ctx, nil)
		return doc, err
	}
}

type artifactReport struct {
	Metadata artifact.Metadata  `json:"metadata"`
	Sections *artifact.Artifact `json:"sections"`
	Findings []protocol.Finding `json:"findings"`

	name, content string // name is the thread or the file
}

func (r artifactReport) show(p *printer) {
	if !p.failed {
		p.text(r.content)
	}
	if !p.quiet {
		p.findingsOnErr(r.Findings)
	}
	p.next("brenner", "lint", r.name)
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
