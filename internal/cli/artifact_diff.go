package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/artifact/diff"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/usecase"
)

func newArtifactDiff(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff T [N [M]] | FILE FILE",
		Short: "Show what changed between two versions, or two files",
		Long: `Compare two artifacts item by item and field by field: what was added, edited and killed, and by
whom. Of a thread: the last version against the one before it, version N against the one before it, or N
against M. The first version is compared with the empty artifact. A file is Markdown, or the lines of a
thread (.jsonl).`,
		Example: "  brenner artifact diff RS-20260110-cells-turn\n" +
			"  brenner artifact diff RS-20260110-cells-turn v1 v3\n" +
			"  brenner artifact diff before.md after.md",
		Args: between([]string{"T"}, "N", "M"),

		ValidArgsFunction: a.completeThreadThenVersions,
	}
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if !isFile(args[0]) {
			req, err := diffRequest(args)
			if err != nil {
				return nil, err
			}
			return a.inSession(func(ctx context.Context, s *session.Session, _ []string) (report, error) {
				d, err := usecase.Diff.Do(ctx, usecase.At{Session: s}, req)
				if err != nil {
					return nil, err
				}
				return diffReport{d.Report, []protocol.Finding{}, d.Text, args[0]}, nil
			})(ctx, args)
		}
		if err := exactly("FILE", "FILE")(cmd, args); err != nil {
			return nil, err
		}
		return a.diffFiles(ctx, cmd, args)
	})
}

// diffRequest reads the versions after a thread: none, N (against the one before it), or N and M.
func diffRequest(args []string) (usecase.DiffRequest, error) {
	req := usecase.DiffRequest{Thread: args[0]}
	var versions []*int
	for _, text := range args[1:] {
		n, err := parseVersion(text)
		if err != nil {
			return req, err
		}
		versions = append(versions, &n)
	}
	switch len(versions) {
	case 1:
		req.To = versions[0]
	case 2:
		req.From, req.To = versions[0], versions[1]
	}
	return req, nil
}

func (a *app) diffFiles(ctx context.Context, cmd *cobra.Command, args []string) (report, error) {
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
	return diffReport{d.Report(diff.Label{File: args[0]}, diff.Label{File: args[1]}), protocol.NonNil(findings), d.Text(), args[1]}, nil
}

type diffReport struct {
	diff.Report
	Findings []protocol.Finding `json:"findings"` // about the files; path names the file

	text, name string // name is the thread, or the later file
}

func (r diffReport) show(p *printer) {
	p.text(r.text)
	if !p.quiet {
		p.findingsOnErr(r.Findings)
	}
	p.next("brenner", "artifact", "show", r.name)
}
