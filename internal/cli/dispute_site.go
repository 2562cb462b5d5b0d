package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"brenner/internal/dispute/gallery"
	"brenner/internal/protocol"
)

func newDisputeSite(a *app) *cobra.Command {
	var plays string
	cmd := &cobra.Command{
		Use:   "site DIR [NAME|DIR…]",
		Short: "Write the disputes as static pages, with the table of baselines",
		Long: `Write disputes, all that come with the program unless some are named, as pages that need no script and ask no
other host for anything: each with what was believed as its seals were opened, its report, its crate and how to
verify it, and the table of the six baselines, which play what they have not played yet.`,
		Example: "  brenner dispute site public\n  brenner dispute site public --plays plays",
		Args:    atLeast("DIR"),
	}
	cmd.Flags().StringVar(&plays, "plays", "", "where the baselines play (`DIR`; default: a temporary folder)")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		all, err := fitDisputes(args[1:])
		if err != nil {
			return nil, err
		}
		if plays == "" {
			if plays, err = os.MkdirTemp("", "brenner-disputes-"); err != nil {
				return nil, protocol.Errorf(protocol.Unwritable, "no scratch folder: %w", err)
			}
			defer os.RemoveAll(plays)
		}
		p := newPrinter(a)
		written, err := gallery.Write(ctx, gallery.Options{Dir: args[0], Plays: plays, Disputes: all, Version: currentVersion().build(),
			Tell: func(name string) {
				p.note("playing %s", visible(name))
				p.err.Flush() // there is no place left to complain
			}})
		return disputeSiteReport{written}, err
	})
}

type disputeSiteReport struct{ gallery.Written }

func (r disputeSiteReport) show(p *printer) {
	if p.failed {
		return
	}
	p.print("%s of %s written to %s\n", count(r.Files, "file"), count(len(r.Disputes), "dispute"), visible(r.Dir))
	p.hint("open %s in a browser", visible(filepath.Join(r.Dir, "index.html")))
}
