package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/atomicfile"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

func newThreadExport(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "export T",
		Short: "Write a thread as JSON Lines, with all that verifying and importing need",
		Long: `Write a thread as JSON Lines: every message with its chain hash, its recipients and what became of
it. brenner verify proves such a file, brenner thread import takes it in again.`,
		Example: "  brenner thread export RS-20260110-cell-fate -o thread.jsonl\n" +
			"  brenner thread export RS-20260110-cell-fate | brenner verify -",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "`FILE` to write, instead of stdout")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		if file == "" || file == "-" {
			if a.streams.OutIsTerminal {
				return streamed{}, transfer.Export(ctx, p.Mail, args[0], visibleLines{a.streams.Out})
			}
			return streamed{}, export(ctx, p, args[0], a.streams.Out)
		}
		return exportFile(ctx, p, args[0], file)
	}))
}

// visibleLines shows lines of JSON on a terminal: the same values, without a character that could drive it. Each call writes whole lines.
type visibleLines struct{ w io.Writer }

func (v visibleLines) Write(line []byte) (int, error) {
	_, err := v.w.Write(termtext.VisibleJSON(line))
	return len(line), err
}

// export writes lines in large pieces.
func export(ctx context.Context, p *project.App, thread string, w io.Writer) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	if err := transfer.Export(ctx, p.Mail, thread, buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// exportFile writes a file whole or not at all.
func exportFile(ctx context.Context, p *project.App, thread, file string) (report, error) {
	r := exportReport{ThreadID: thread, File: file}
	err := atomicfile.Fill(file, 0o600, func(w io.Writer) error {
		return export(ctx, p, thread, &lineCounter{w: w, lines: &r.Messages})
	})
	if err != nil {
		return nil, unwritable(file, err)
	}
	return r, nil
}

// unwritable says which file could not be written; errors with a code of their own pass.
func unwritable(file string, err error) error {
	if protocol.CodeOf(err) != protocol.Internal {
		return err
	}
	return protocol.Errorf(protocol.Unwritable, "cannot write %q: %w", file, err)
}

// lineCounter counts the lines that pass.
type lineCounter struct {
	w     io.Writer
	lines *int
}

func (c *lineCounter) Write(data []byte) (int, error) {
	*c.lines += bytes.Count(data, []byte{'\n'})
	return c.w.Write(data)
}

type exportReport struct {
	ThreadID string `json:"thread_id"`
	File     string `json:"file"`
	Messages int    `json:"messages"`
}

func (r exportReport) show(p *printer) {
	p.note("%s written to %s", count(r.Messages, "message"), visible(r.File))
	p.next("brenner", "verify", r.File)
}
