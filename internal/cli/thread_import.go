package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail/transfer"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

func newThreadImport(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Take in the lines of an export, all of them or none",
		Long: `Take in messages from JSON Lines. Agents that are unknown are registered; a line that is there
already is skipped. Deltas of imported messages are read leniently: what is missing but has a neutral
value gets it, with a warning. A crate (FILE.zip, FILE.eln) is verified first; its thread and its evidence go in together or
not at all.`,
		Example: "  brenner thread import thread.jsonl\n  brenner thread import cells.zip",
		Args:    exactly("FILE"),
	}
	run := a.inNewProject(a.acting(func(ctx context.Context, p *project.App, args []string) (report, error) {
		defer a.busy("importing")()
		if isCrate(args[0]) {
			return a.importCrate(ctx, p, args[0])
		}
		in, err := a.reader(ctx, args[0])
		if err != nil {
			return nil, err
		}
		defer in.Close()
		done, err := transfer.Import(ctx, p.Mail, in)
		r := importReport{done.Imported, done.Skipped, protocol.NonNil(done.Threads), protocol.NonNil(done.Findings), done.More, []string{},
			0}
		return r, err
	}))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if _, err := os.Stat(args[0]); args[0] != "-" && errors.Is(err, fs.ErrNotExist) { // before a store is made
			return nil, protocol.Errorf(protocol.NotFound, "there is no file %q", args[0])
		}
		return run(ctx, args)
	})
}

// reader opens a file argument for reading as a stream. What is no regular file comes through "-".
func (a *app) reader(ctx context.Context, path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(a.stdin(ctx)), nil
	}
	f, err := projectfs.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}

type importReport struct {
	Imported int                `json:"imported"`
	Skipped  int                `json:"skipped"`
	Threads  []string           `json:"threads"`
	Findings []protocol.Finding `json:"findings"`
	More     int                `json:"more"`     // findings that are counted only
	Evidence []string           `json:"evidence"` // sources that came with a crate
	Excerpts int                `json:"excerpts"` // new ones of sources that were there
}

func (r importReport) show(p *printer) {
	p.findings(r.Findings, nil)
	p.more(r.More, "finding")
	if p.failed {
		return
	}
	p.print("%s imported, %d skipped\n", count(r.Imported, "message"), r.Skipped)
	if n := len(r.Evidence); n > 0 {
		p.print("%s and %s of evidence added\n", count(n, "source"), count(r.Excerpts, "excerpt"))
	}
	if len(r.Threads) > 0 {
		p.next("brenner", "compile", r.Threads[0])
		return
	}
	p.next("brenner", "thread", "list")
}
