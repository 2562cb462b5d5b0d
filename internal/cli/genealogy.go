package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/genealogy"
	"brenner/internal/genealogy/draw"
)

var genealogyFormats = []string{"tree", "json", "dot", "mermaid", "svg"}

func newGenealogy(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "genealogy [T | T#ITEM]",
		Short: "Show how ideas descend from each other across sessions",
		Long: `Show the references between items of all sessions: what extends, refines, refutes, supersedes or
replicates what, and where each chain began. With a session or an item only what is related to it.`,
		Example: "  brenner genealogy\n  brenner genealogy RS-20260110-cells-turn#H2 --format svg > h2.svg",
		Args:    between(nil, "T"),

		ValidArgsFunction: a.completeThreads,
	}
	formatFlag(cmd, &format, genealogyFormats)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := checkFormat(cmd, format, genealogyFormats); err != nil {
			return nil, err
		}
		a.flags.json = a.flags.json || format == "json"
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			graph, err := p.Sessions.Genealogy(ctx, nil)
			if err == nil && len(args) > 0 {
				graph, err = graph.Focus(args[0])
			}
			if err != nil {
				return nil, err
			}
			return genealogyReport{graph.Report(), drawing(graph, format)}, nil
		})(ctx, args)
	})
}

func drawing(g *genealogy.Graph, format string) string {
	switch format {
	case "dot":
		return draw.DOT(g)
	case "mermaid":
		return draw.Mermaid(g)
	case "svg":
		return draw.SVG(g)
	}
	return draw.Tree(g)
}

type genealogyReport struct {
	genealogy.Report

	drawing string
}

func (r genealogyReport) show(p *printer) {
	p.findingsOnErr(r.Findings)
	if len(r.Nodes) == 0 {
		p.note("no item refers to another session")
	}
	p.text(r.drawing)
	p.next("brenner", "genealogy", "--format", "svg")
}
