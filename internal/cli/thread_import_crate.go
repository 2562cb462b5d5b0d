package cli

import (
	"context"

	project "brenner/internal/app"
	"brenner/internal/protocol"
)

// importCrate takes in a crate: what does not verify is refused, and thread and evidence go in together.
func (a *app) importCrate(ctx context.Context, p *project.App, path string) (report, error) {
	checked, closeFile, err := a.openCrate(path, trusted{})
	if err != nil {
		return nil, err
	}
	defer closeFile()
	if err := newCrateReport(checked.Verification).failure(); err != nil {
		return nil, err
	}
	done, err := checked.Import(ctx, p.Witness(a.identity()), p.Evidence)
	return importReport{
		Imported: done.Imported.Imported, Skipped: done.Skipped, Threads: protocol.NonNil(done.Threads),
		Findings: protocol.NonNil(append(checked.Findings, done.Findings...)),
		More:     done.More, Evidence: protocol.NonNil(done.Evidence.Added), Excerpts: done.Evidence.Excerpts,
	}, err
}
