package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/operator"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/turn"
)

type logsFlags struct {
	round  int
	follow bool
	errors bool
	raw    bool
}

func newLogs(a *app) *cobra.Command {
	var f logsFlags
	cmd := &cobra.Command{
		Use:   "logs T AGENT",
		Short: "Print what the program of an agent printed",
		Long: `Print what the program of an agent printed in the latest round in which it was started, or what its pane shows; the
stream of a program as run transcript shows it, --raw as it is. -f goes on with what comes, until
Ctrl-C or until the program has ended. What programs print is other people's text: on a terminal it is made harmless,
into a file or pipe it goes as it is.`,
		Example: "  brenner logs RS-20260110-cells-turn BlueLake -f\n  brenner logs RS-20260110-cells-turn BlueLake --round 1 --errors",
		Args:    exactly("T", "AGENT"), ValidArgsFunction: a.completeThreadThenAgent,
	}
	flags := cmd.Flags()
	flags.IntVar(&f.round, "round", 0, "of round `N` (default: the latest)")
	flags.BoolVarP(&f.follow, "follow", "f", false, "go on with what comes")
	flags.BoolVar(&f.raw, "raw", false, "the stream as it was printed, for programs that print one")
	flags.BoolVar(&f.errors, "errors", false, "what it printed as errors")
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if f.round < 0 {
			return nil, usageFor(cmd, "rounds count from 1")
		}
		if f.follow && a.flags.json {
			return nil, usageFor(cmd, "-f is for people; a script reads the file that --json names")
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			return a.logs(ctx, p, args[0], args[1], f)
		})(ctx, args)
	})
}

func (a *app) logs(ctx context.Context, p *project.App, thread, agent string, f logsFlags) (report, error) {
	log, err := p.Programs.Log(ctx, thread, agent, f.round)
	if err != nil {
		return nil, err
	}
	r := logsReport{ThreadID: thread, Agent: agent, Where: log.Where, Round: log.Round, File: log.Output, text: log.Screen,
		raw: f.raw || f.errors}
	if f.errors {
		r.File = log.Errors
	}
	if f.follow {
		return streamed{}, a.followLog(ctx, p, r)
	}
	if log.Where == session.InRun {
		r.text, err = readLog(r.File)
	}
	r.Text = r.text
	if t := turn.Of([]byte(r.text)); !f.raw && !f.errors && t.Format != "text" {
		r.steps, r.more = t.Steps, t.More
	}
	return r, err
}

// maxLog is how much of a log is printed: its end.
const maxLog = 4 << 20

func readLog(path string) (string, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() > maxLog {
		if _, err := file.Seek(-maxLog, io.SeekEnd); err != nil {
			return "", protocol.Errorf(protocol.Unreadable, "%w", err)
		}
	}
	data, err := io.ReadAll(io.LimitReader(file, maxLog))
	if err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), nil
}

type logsReport struct {
	ThreadID string        `json:"thread_id"`
	Agent    string        `json:"agent"`
	Where    session.Place `json:"where"`
	Round    int           `json:"round"` // 0: in a pane
	File     string        `json:"file"`  // empty: in a pane
	Text     string        `json:"text"`  // its last 4 MiB

	text  string
	raw   bool        // it is shown as it is
	steps []turn.Step // of a stream
	more  int
}

func (r logsReport) show(p *printer) {
	if len(r.steps) > 0 {
		showSteps(p, r.steps)
		p.more(r.more, "step")
		p.next("brenner", "ps", r.ThreadID)
		return
	}
	p.text(r.text)
	if r.text != "" && !strings.HasSuffix(r.text, "\n") {
		p.print("\n")
	}
	if r.text == "" {
		p.note("%s has printed nothing", visible(r.Agent))
	}
	p.next("brenner", "ps", r.ThreadID)
}

// logPace is how often a log that is followed is looked at.
const logPace = 300 * time.Millisecond

// followLog prints what comes until the context ends or the program has.
func (a *app) followLog(ctx context.Context, p *project.App, r logsReport) error {
	at, shown := int64(0), ""
	var meter turn.Meter
	seen := 0
	for {
		log, err := p.Programs.Log(ctx, r.ThreadID, r.Agent, r.Round)
		if err != nil {
			return err
		}
		var news string
		if r.File != "" {
			news, at, err = tail(r.File, at)
		} else if news = added(shown, log.Screen); log.Screen != shown {
			shown = log.Screen
		}
		if err != nil {
			return err
		}
		out := newPrinter(a)
		_, _ = meter.Write([]byte(news)) // it never fails
		if t := meter.Turn(); r.raw || t.Format == "" || t.Format == "text" {
			out.text(news)
		} else {
			showSteps(out, t.Steps[seen:])
			seen = len(t.Steps)
		}
		if err := out.flush(); err != nil {
			return err
		}
		if over, err := ended(ctx, p, r, log); err != nil || over && news == "" {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(logPace):
		}
	}
}

// tail reads what a file has got since, in whole lines where it can.
func tail(path string, at int64) (string, int64, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", at, nil
	}
	if err != nil {
		return "", at, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", at, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	if info.Size() < at { // it was begun anew
		at = 0
	}
	data, err := io.ReadAll(io.NewSectionReader(file, at, maxLog))
	if err != nil {
		return "", at, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), at + int64(len(data)), nil
}

// added is what a screen shows that it did not show before: the lines after those that both have.
func added(before, now string) string {
	if rest, ok := strings.CutPrefix(now, strings.TrimRight(before, "\n ")); ok {
		return rest
	}
	lines := strings.SplitAfter(before, "\n")
	for i := range lines { // the upper lines went over the edge
		if rest, ok := strings.CutPrefix(now, strings.TrimRight(strings.Join(lines[i:], ""), "\n ")); ok && i < len(lines)-1 {
			return rest
		}
	}
	return now
}

// ended tells whether nothing more can come.
func ended(ctx context.Context, p *project.App, r logsReport, log operator.Log) (bool, error) {
	works, err := p.Programs.Work(ctx, r.ThreadID)
	if err != nil || log.Where == session.InCockpit {
		return false, err
	}
	for _, w := range works {
		if protocol.SameAgent(w.Agent, r.Agent) && w.Round == log.Round && w.PID > 0 {
			return false, nil
		}
	}
	return true, nil
}
