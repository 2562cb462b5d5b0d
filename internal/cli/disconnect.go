package cli

import (
	"context"

	"github.com/spf13/cobra"

	"brenner/internal/connect"
)

func newDisconnect(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "disconnect PROGRAM",
		Short: "Take brenner out of the MCP settings of claude, codex or gemini",
		Long: `Undo brenner connect: settings come back byte for byte, files that were not there go. Settings
that were edited since keep the edits and lose what connect wrote.`,
		Example:   "  brenner disconnect claude",
		Args:      exactly("PROGRAM"),
		ValidArgs: programNames(),
	}, func(ctx context.Context, args []string) (report, error) {
		program, err := connect.ParseProgram(args[0])
		if err != nil {
			return nil, err
		}
		places, err := a.places(ctx)
		if err != nil {
			return nil, err
		}
		restored, err := connect.Disconnect(program, places)
		r := disconnectReport{Program: program, Files: []restoredFile{}}
		for _, f := range restored {
			r.Files = append(r.Files, restoredFile(f))
		}
		return r, err
	})
}

type restoredFile struct {
	Path    string `json:"path"`
	Removed bool   `json:"removed"`
	Edited  bool   `json:"edited"`
}

type disconnectReport struct {
	Program connect.Program `json:"program"`
	Files   []restoredFile  `json:"files"`
}

func (r disconnectReport) show(p *printer) {
	for _, f := range r.Files {
		switch {
		case f.Removed:
			p.note("removed %s", visible(f.Path))
		case f.Edited:
			p.note("took brenner out of %s and kept later edits", visible(f.Path))
		default:
			p.note("restored %s", visible(f.Path))
		}
	}
	p.next("brenner", "connect", string(r.Program))
}
