package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/literature"
)

func newEvidenceExport(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export --format bibtex|csl|ris [T]",
		Short: "Write the entries of the sources as BibTeX, CSL-JSON or RIS",
		Long: `Write the bibliographic entries of the sources that a thread cites, without one of all sources, to stdout. Keys are the ids
of the evidence pack. A source without an entry gives its title and where it comes from.`,
		Example: "  brenner evidence export --format bibtex > sources.bib\n  brenner evidence export --format csl " +
			"RS-20260110-cells-turn",
		Args:              between(nil, "T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().StringVar(&format, "format", "", "`FORMAT`: bibtex, csl or ris")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		form, ok := literature.ParseFormat(format)
		if !ok {
			return nil, usageFor(cmd, "--format is bibtex, csl or ris, not %q", format)
		}
		var ids []string
		if len(args) == 1 {
			if _, err := a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
				var err error
				ids, err = p.Sessions.CitedSources(ctx, args[0])
				return nil, err
			})(ctx, nil); err != nil {
				return nil, err
			}
		}
		pack, err := a.loadPack(ctx)
		if err != nil {
			return nil, err
		}
		text, err := literature.Render(form, pack.References(ids))
		return exportedEntries{form, text}, err
	})
}

type exportedEntries struct {
	Format literature.Format `json:"format"`
	Text   string            `json:"text"`
}

func (r exportedEntries) show(p *printer) { p.text(r.Text) }
