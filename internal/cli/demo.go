package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/demo"
	"brenner/internal/protocol"
)

func newDemo(a *app) *cobra.Command {
	var dir string
	var open bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a whole session with scripted agents, in a scratch project",
		Long: `Play a session from the kickoff to a committed artifact: three scripted agents, each a process
of its own, read their mail over MCP, acknowledge, contribute, are refused once and mend what they sent, misquote a
source and are caught, attack and answer. Tests get results, and a prediction written afterwards is shown as such. Nothing leaves
the machine, no model is called, and it takes a few seconds.`,
		Example: "  brenner demo\n  brenner demo --open\n  brenner demo --dir ./try-it",
		Args:    exactly(),
	}
	cmd.Flags().StringVar(&dir, "dir", "", "empty or new `DIR` for the scratch project (default: a temporary one)")
	cmd.Flags().BoolVar(&open, "open", false, "then show it in the web app, with a tour of six stops, until Ctrl-C")
	a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		if open && a.flags.json {
			return nil, usageFor(cmd, "--open is for people; a script calls brenner demo --json and brenner serve")
		}
		program, err := os.Executable()
		if err != nil {
			return nil, err
		}
		result, err := demo.Run(ctx, demo.Options{
			Dir: dir, Program: program, Tell: a.narrator(),
		})
		if err == nil && open {
			err = a.openDemo(ctx, result)
		}
		return demoReport{result}, err
	})
	return cmd
}

// narrator tells a person what happens while it happens.
func (a *app) narrator() func(demo.Moment) {
	if a.flags.json || a.flags.quiet {
		return nil
	}
	p := newPrinter(a)
	p.color = a.streams.ErrIsTerminal && !a.flags.noColor && !a.streams.plain()
	return func(m demo.Moment) {
		defer p.err.Flush()
		switch {
		case m.Message != nil:
			p.note("%s  %s", p.style(styleBold, fmt.Sprintf("%-14s", visible(m.Message.From))), visible(m.Message.Subject))
		case m.Said != nil:
			p.note("%s  %s", p.style(styleBold, fmt.Sprintf("%-14s", visible(m.Said.Agent))),
				p.style(severityStyle[protocol.SeverityError], "refused at the door: ")+visible(m.Said.Refused))
			for _, f := range m.Said.Findings {
				if f.Severity == protocol.SeverityError {
					p.note("%16s%s %s", "", p.style(severityStyle[f.Severity], string(f.Code)), visible(f.Message))
				}
			}
			p.note("%16smended: %s", "", visible(strings.Join(m.Said.Repaired, " ")))
		default:
			p.note("%s  %s", p.style(styleDim, fmt.Sprintf("%-14s", "·")), visible(m.Note))
		}
	}
}

type demoReport struct{ demo.Result }

func (r demoReport) show(p *printer) {
	if p.failed {
		return
	}
	p.print("%s v%d: %s, %s; %s in %.1f s\n", r.ThreadID, r.Version,
		count(r.Errors, "lint error"), count(r.Warnings, "warning"), count(r.Messages, "message"), r.Seconds)
	p.print("artifact  %s/%s\n", r.Project, r.Persistence.Path)
	if r.Persistence.Commit != nil {
		p.print("commit    %s\n", *r.Persistence.Commit)
	}
	p.note("look around: cd %s", r.Project)
	p.note("             brenner artifact show %s", r.ThreadID)
	p.note("             brenner artifact diff %s", r.ThreadID)
	p.note("             brenner artifact blame %s H2.mechanism", r.ThreadID)
	p.note("begin your own: brenner session start --question '…' --context '…' --to NAME --role hypothesis_generator")
}
