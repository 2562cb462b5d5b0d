package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
)

func newUpgradeCheck(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "upgrade-check",
		Short: "Say what this version of brenner would do to the store",
		Long: `Compare the schema of the store with the one of this program. The store is only looked at: a store of an
earlier schema is upgraded when another command opens it, and programs of before refuse it afterwards. A store of a
newer program is SCHEMA_TOO_NEW. Nothing is asked over the network but the store itself.`,
		Example: "  brenner upgrade-check && brenner backup before-upgrade.jsonl",
		Args:    exactly(),
	}, func(ctx context.Context, _ []string) (report, error) {
		dsn, err := a.storeDSN(ctx)
		if err != nil {
			return nil, err
		}
		if !project.StoreExists(dsn) {
			return nil, protocol.Errorf(protocol.NotFound, "there is no store at %s", project.Redacted(dsn))
		}
		has, ours, err := project.StoreSchema(ctx, dsn)
		if err != nil {
			return nil, err
		}
		return upgradeReport{Version: version, Store: project.Redacted(dsn), StoreSchema: has, ProgramSchema: ours, Upgrade: has < ours},
			nil
	})
}

type upgradeReport struct {
	Version       string `json:"version"`
	Store         string `json:"store"`
	StoreSchema   int    `json:"store_schema"`
	ProgramSchema int    `json:"program_schema"`
	Upgrade       bool   `json:"upgrade"` // opening the store would change its schema
}

func (r upgradeReport) show(p *printer) {
	if !r.Upgrade {
		p.print("%s has schema %d, as brenner %s has\n", visible(r.Store), r.StoreSchema, visible(r.Version))
		p.next("brenner", "doctor")
		return
	}
	p.print("%s has schema %d; brenner %s would upgrade it to %d\n", visible(r.Store), r.StoreSchema, visible(r.Version), r.ProgramSchema)
	p.print("copy it first: backup with the earlier program, or copy the file while nothing uses it\n")
	p.next("brenner", "doctor")
}
