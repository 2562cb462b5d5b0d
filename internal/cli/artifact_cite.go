package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/dossier"
)

func newArtifactCite(a *app) *cobra.Command {
	var format, version string
	cmd := &cobra.Command{
		Use:   "cite T",
		Short: "Say how to cite a published version",
		Long: `Say how to cite a published version: as text, as BibTeX, or as a Citation File (CITATION.cff). The authors are
those of the project file (crate.authors), else the agents that contributed. The hash names the version wherever it is kept.`,
		Example:           "  brenner artifact cite RS-20260110-cells-turn --format bibtex >> references.bib",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	formatFlag(cmd, &format, dossier.CiteFormats())
	cmd.Flags().StringVar(&version, "version", "", "version `N` of the thread (2 or v2); default: the latest")
	completeFlag(cmd, "version", a.completeOfSession(completeVersions))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := checkFormat(cmd, format, dossier.CiteFormats()); err != nil {
			return nil, err
		}
		number, err := publishedVersion(version)
		if err != nil {
			return nil, err
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			bundle, err := p.Dossiers(currentVersion().build()).Make(ctx, args[0], number)
			if err != nil {
				return nil, err
			}
			return citeReport{args[0], bundle.Version, format, bundle.Cite(dossier.CiteFormat(format)), bundle.Hash.String()}, nil
		})(ctx, args)
	})
}

type citeReport struct {
	ThreadID     string `json:"thread_id"`
	Version      int    `json:"version"`
	Format       string `json:"format"`
	Citation     string `json:"citation"`
	ArtifactHash string `json:"artifact_hash"`
}

func (r citeReport) show(p *printer) {
	p.text(r.Citation)
	if r.Format == string(dossier.CiteText) {
		p.text("\n")
	}
	p.next("brenner", "export", r.ThreadID, "--crate", r.ThreadID+".zip")
}
