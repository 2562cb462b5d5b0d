package cli

import (
	"context"
	"fmt"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/operator"
	"brenner/internal/session"
)

// hands act for the person at the terminal view.
type hands struct {
	app     *app
	project *project.App
}

// record does what the audit log then has a line of.
func (h hands) record(ctx context.Context, act, target string, do func() error) error {
	e := h.app.entry(nil)
	e.Act, e.Target = act, target
	return h.app.record(ctx, h.project, e, do)
}

// Restart implements tui.Hands.
func (h hands) Restart(ctx context.Context, threadID, agent string) (string, error) {
	var done operator.Restarted
	err := h.record(ctx, "restart", threadID+" "+agent, func() (err error) {
		done, err = h.project.Programs.Restart(ctx, threadID, agent)
		return err
	})
	switch {
	case err != nil:
		return "", err
	case !done.Started:
		return fmt.Sprintf("%s starts again with the next run: brenner run %s", agent, threadID), nil
	}
	return agent + " starts again", nil
}

// Pause implements tui.Hands.
func (h hands) Pause(ctx context.Context, threadID, agent string) (string, error) {
	var n int
	err := h.record(ctx, "pause", threadID+" "+agent, func() (err error) {
		n, err = h.project.Programs.Pause(ctx, threadID, agent)
		return err
	})
	return fmt.Sprintf("%s: %s paused; its deadline is not moved", agent, processes(n)), err
}

// Resume implements tui.Hands.
func (h hands) Resume(ctx context.Context, threadID, agent string) (string, error) {
	var n int
	err := h.record(ctx, "resume", threadID+" "+agent, func() (err error) {
		n, err = h.project.Programs.Resume(ctx, threadID, agent)
		return err
	})
	return fmt.Sprintf("%s: %s let go on", agent, processes(n)), err
}

// Nudge implements tui.Hands.
func (h hands) Nudge(ctx context.Context, threadID, agent string) (string, error) {
	as, err := h.app.sender(ctx, h.project)
	if err != nil {
		return "", err
	}
	var m mail.Message
	err = h.record(ctx, "nudge", threadID+" "+agent, func() error {
		m, err = operator.Nudge(ctx, h.project.Sessions, threadID, agent, as, "")
		return err
	})
	return fmt.Sprintf("message %d asks %s how it goes", m.ID, agent), err
}

// Tell implements tui.Hands.
func (h hands) Tell(ctx context.Context, threadID string, word session.Word) (string, error) {
	as, err := h.app.sender(ctx, h.project)
	if err != nil {
		return "", err
	}
	var m mail.Message
	err = h.record(ctx, "tell", threadID+" "+string(word), func() error {
		m, err = h.project.Sessions.TellRun(ctx, threadID, as, word, "")
		return err
	})
	if err != nil {
		return "", err
	}
	run, _, err := h.project.Programs.Run(ctx, threadID)
	if err == nil && !run.Live {
		return fmt.Sprintf("message %d; no run is at work: brenner run %s", m.ID, threadID), nil
	}
	return fmt.Sprintf("message %d tells the run", m.ID), err
}

// Log implements tui.Hands.
func (h hands) Log(ctx context.Context, threadID, agent string) (string, error) {
	log, err := h.project.Programs.Log(ctx, threadID, agent, 0)
	if err != nil || log.Where == session.InCockpit {
		return log.Screen, err
	}
	text, err := readLog(log.Output)
	if text == "" && err == nil {
		text, err = readLog(log.Errors)
	}
	return text, err
}
