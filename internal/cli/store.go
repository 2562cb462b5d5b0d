package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
)

func newStore(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "store",
		Short:   "Move a store to another engine",
		Example: "  brenner store migrate --from sqlite:.brenner/brenner.db --to postgres://brenner@localhost/brenner",
	}, newStoreMigrate(a))
}

func newStoreMigrate(a *app) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "migrate --from DSN --to DSN",
		Short: "Copy a store into another one that is empty",
		Long: `Copy everything from one store into another, with every id, time and hash as it was. The source stays
as it is and may be in use; what arrives there during the copy is not taken along. The target must hold no
messages or agents (exit code 6).`,
		Example: "  brenner store migrate --from sqlite:.brenner/brenner.db --to postgres://brenner@localhost/brenner",
		Args:    exactly(),
	}
	cmd.Flags().StringVar(&from, "from", "", "`DSN` of the store to copy")
	cmd.Flags().StringVar(&to, "to", "", "`DSN` of the store to fill")
	required(cmd, "from", "to")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		if from == to || sameStore(from, to) {
			return nil, usageFor(cmd, "--from and --to name the same store")
		}
		if !project.StoreExists(from) {
			return nil, protocol.Errorf(protocol.NotFound, "there is no store at %s", project.Redacted(from))
		}
		source, err := project.OpenStore(ctx, from)
		if err != nil {
			return nil, err
		}
		defer source.Close()
		archive, err := archiver(source)
		if err != nil {
			return nil, err
		}
		target, err := project.OpenStore(ctx, to)
		if err != nil {
			return nil, err
		}
		defer target.Close()
		t := loading{app: a, doing: "migrating", root: a.ownRoot(ctx, from), to: target, act: a.entry(nil)}
		if err := t.run(ctx, project.Records(ctx, archive)); err != nil {
			return nil, err
		}
		return migrateReport{project.Redacted(from), project.Redacted(to), t.records}, nil
	})
}

// ownRoot is the project's folder if the DSN is its own store, which follows the folder when it
// is moved; in a shared store it must be known by its path.
func (a *app) ownRoot(ctx context.Context, dsn string) string {
	found, err := a.find(ctx)
	if err != nil || !sameStore(dsn, found.DefaultStore()) {
		return ""
	}
	return found.Root
}

type migrateReport struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Records int    `json:"records"`
}

func (r migrateReport) show(p *printer) {
	p.print("%s copied to %s\n", count(r.Records, "record"), visible(r.To))
	p.hint("use it with --store or $BRENNER_STORE")
}
