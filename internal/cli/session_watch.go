package cli

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var phases = []fold.Phase{
	fold.PhaseKickoff, fold.PhaseCollecting, fold.PhaseCompiled, fold.PhaseCritique, fold.PhaseComplete,
}

func newSessionWatch(a *app) *cobra.Command {
	var until string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "watch T",
		Short: "Show what happens in a session as it happens",
		Long: `Follow a session: messages, who read and acknowledged them, published versions. It ends with Ctrl-C
(exit code 130), when the phase of --until is reached (0), or after --timeout (8). With --json the
events are printed as one object at the end.`,
		Example: "  brenner session watch RS-20260110-cells-turn\n" +
			"  brenner session watch RS-20260110-cells-turn --until collecting --timeout 10m",
		Args:              exactly("T"),
		ValidArgsFunction: a.completeThreads,
	}
	flags := cmd.Flags()
	flags.StringVar(&until, "until", "", "end when the session reaches `PHASE`: kickoff, collecting, compiled, critique or complete")
	flags.DurationVar(&timeout, "timeout", 0, "end after this `TIME` (90s, 10m) with exit code 8")
	completeFlag(cmd, "until", fixed(phases))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if until != "" && !slices.Contains(phases, fold.Phase(until)) {
			return nil, usageFor(cmd, "there is no phase %q, only kickoff, collecting, compiled, critique and complete", until)
		}
		if timeout < 0 {
			return nil, usageFor(cmd, "--timeout takes a time above 0")
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			w := watcher{
				app: a, project: p, until: fold.Phase(until), timeout: timeout,
				report: watchReport{ThreadID: args[0], Events: []watchEvent{}},
			}
			return w.run(ctx)
		})(ctx, args)
	})
}

// watcher follows one thread.
type watcher struct {
	app     *app
	project *project.App
	until   fold.Phase
	timeout time.Duration // 0: none
	report  watchReport
	told    int64 // id of the last message that was told
	more    bool  // that was a COMPILED: that it published a version comes next
}

type watchReport struct {
	ThreadID string       `json:"thread_id"`
	Phase    fold.Phase   `json:"phase"`
	Events   []watchEvent `json:"events"`
}

// show has nothing to add: the events were printed as they came.
func (r *watchReport) show(p *printer) {
	p.note("%s is in phase %s", visible(r.ThreadID), r.Phase)
	p.next("brenner", "session", "status", r.ThreadID)
}

// watchEvent is one thing that happened.
type watchEvent struct {
	Kind      mail.EventKind `json:"kind"`
	MessageID int64          `json:"message_id"`
	Agent     string         `json:"agent"`
	Subject   *string        `json:"subject"` // of a message
	State     *string        `json:"state"`   // of a delivery
	Version   *int           `json:"version"` // of a published version
	At        string         `json:"at"`
}

// run prints events until the phase is reached or the context ends.
func (w *watcher) run(ctx context.Context) (report, error) {
	// The cursor comes first: what happens while the phase is read is not missed.
	cursor, err := w.project.Mail.Cursor(ctx)
	if err != nil {
		return nil, err
	}
	w.told = math.MaxInt64 // what is there is not told
	if reached, err := w.reached(ctx); err != nil {
		return nil, err
	} else if reached {
		return &w.report, nil
	}
	w.told = 0
	p := newPrinter(w.app)
	p.note("watching %s, now in phase %s; Ctrl-C ends", visible(w.report.ThreadID), w.report.Phase)
	p.flush()
	if w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.timeout)
		defer cancel()
	}
	for e, err := range w.project.Mail.Follow(ctx, cursor) {
		if err == nil && e.Thread != w.report.ThreadID {
			continue
		}
		if err == nil {
			err = w.tell(ctx, e)
		}
		if err != nil {
			return &w.report, watchError(ctx, err)
		}
		if reached, err := w.reached(ctx); err != nil || reached {
			return &w.report, watchError(ctx, err)
		}
	}
	return &w.report, nil
}

// watchError names the end of the time allowed, whatever noticed it first.
func watchError(ctx context.Context, err error) error {
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return protocol.Errorf(protocol.TimedOut, "the time allowed is over")
	}
	return err
}

// reached tells whether the session has reached the phase. The messages that led there are told first.
func (w *watcher) reached(ctx context.Context) (bool, error) {
	s, err := w.project.Sessions.Session(ctx, w.report.ThreadID)
	if err != nil {
		return false, err
	}
	v := s.View
	w.report.Phase = v.Phase()
	return w.until != "" && w.report.Phase == w.until && v.Head <= w.told && !w.more, nil
}

// tell records an event and prints it at once.
func (w *watcher) tell(ctx context.Context, e mail.Event) error {
	row := watchEvent{Kind: e.Kind, MessageID: e.Message, Agent: e.Agent, At: mail.FormatTime(e.At)}
	text := ""
	w.more = false
	switch e.Kind {
	case mail.EventMessage:
		m, err := w.project.Mail.Message(ctx, e.Message)
		if err != nil {
			return err
		}
		row.Subject = &m.Subject
		w.told, w.more = m.ID, m.Type == protocol.TypeCompiled
		text = m.From + ": " + m.Subject
	case mail.EventDelivery:
		state := e.State.String()
		row.State = &state
		text = e.Agent + " " + state + " it"
	case mail.EventCompiled:
		row.Version = &e.Version
		text = "published " + versionText(e.Version)
	}
	w.report.Events = append(w.report.Events, row)
	if w.app.flags.json {
		return nil
	}
	p := newPrinter(w.app)
	p.print("%s  #%d  %s\n", e.At.Local().Format(time.TimeOnly), e.Message, visible(text))
	return p.flush()
}
