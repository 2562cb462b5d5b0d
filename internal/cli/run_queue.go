package cli

import (
	"context"
	"strconv"
	"sync"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/turn"
)

// playQueue plays the runs of many sessions.
func (a *app) playQueue(f runFlags) projectFunc {
	return func(ctx context.Context, p *project.App, args []string) (report, error) {
		if _, err := f.over(f.kept(p.Config.Run)); err != nil { // before anything is noted
			return nil, err
		}
		o, err := a.runOptions(ctx, p, f, f.kept(p.Config.Run))
		if err != nil {
			return nil, err
		}
		for _, thread := range args {
			if err := registerPrograms(ctx, p, thread, programChoices(f.programs)); err != nil {
				return nil, err
			}
		}
		ctx, cancel := f.limited(ctx)
		defer cancel()
		n, err := a.notifier(p)
		if err != nil {
			return nil, err
		}
		var asking sync.Mutex // one question at a time
		q := runner.Queue{Mail: p.Mail, Root: p.Project.Root, Jobs: f.jobs, Now: p.Mail.Now, Tell: a.queueTeller()}
		q.Kept = func(before *runner.Kept) runner.Kept {
			if before == nil {
				before = new(f.kept(p.Config.Run))
			}
			k, _ := f.over(*before) // it was good before
			return k
		}
		q.Play = func(ctx context.Context, thread string, k runner.Kept) (runner.Report, error) {
			o := o
			o.Kept, o.Ask = k, nil
			o.ThreadID, o.Tell = thread, a.telling(ctx, n, thread, a.runTeller(thread+"  "))
			o.Free = func(ctx context.Context) error { return a.noCockpit(ctx, p, thread) }
			if k.Gate || f.pass {
				ask := a.gate(p, f, k) // --go passes a gate of each session
				o.Ask = func(ctx context.Context, r runner.Report, next int) (bool, error) {
					asking.Lock()
					defer asking.Unlock()
					return ask(ctx, r, next)
				}
			}
			return runner.Run(ctx, o)
		}
		list, err := q.Run(ctx, args...)
		if err == nil {
			err = runner.Failure(list)
		}
		if list == nil {
			return nil, err
		}
		return newQueueReport(f.jobs, list), err
	}
}

// queueTeller tells a person which session begins or ends.
func (a *app) queueTeller() func(runner.Queued, runner.QueueCounts) {
	if a.flags.json || a.flags.quiet {
		return nil
	}
	p := newPrinter(a)
	return func(e runner.Queued, c runner.QueueCounts) {
		what := "begins"
		if e.State != runner.Plays {
			what = queuedText(e)
		}
		p.note("%s  %s; %d over, %d at play, %d waiting", visible(e.ThreadID), visible(what), c.Over, c.Plays, c.Waits)
		p.err.Flush()
	}
}

func (a *app) queueStatus(ctx context.Context, p *project.App, _ []string) (report, error) {
	list, err := runner.LoadQueue(ctx, p.Mail)
	if err != nil {
		return nil, err
	}
	return newQueueReport(0, list), nil
}

type queueReport struct {
	Jobs     int                `json:"jobs"` // 0: the queue is only looked at
	Sessions []runner.Queued    `json:"sessions"`
	Counts   runner.QueueCounts `json:"counts"`
	Usage    turn.Usage         `json:"usage"`
}

func newQueueReport(jobs int, list []runner.Queued) queueReport {
	r := queueReport{Jobs: jobs, Sessions: protocol.NonNil(list)}
	for _, e := range list {
		switch e.State {
		case runner.Plays:
			r.Counts.Plays++
		case runner.Over:
			r.Counts.Over++
		default:
			r.Counts.Waits++
		}
		r.Usage.Add(e.Usage)
	}
	return r
}

func queuedText(e runner.Queued) string {
	switch {
	case e.State != runner.Over:
		return string(e.State)
	case e.Status != "":
		return string(e.Status)
	}
	return string(e.Code)
}

func (r queueReport) show(p *printer) {
	if len(r.Sessions) == 0 {
		p.note("no queue was ever played here, or it was played to its end")
		p.next("brenner", "session", "list")
		return
	}
	var rows [][]string
	for _, e := range r.Sessions {
		version, round := "-", "-"
		if e.Version > 0 {
			version = versionText(e.Version)
		}
		if e.Round > 0 {
			round = strconv.Itoa(e.Round)
		}
		rows = append(rows, []string{e.ThreadID, queuedText(e), round, version, usageText(&e.Usage), e.Reason})
	}
	p.table(columns("Session", "State", "Round", "Version", "Spent?", "Why…"), rows)
	p.print("%d over, %d at play, %d waiting\n", r.Counts.Over, r.Counts.Plays, r.Counts.Waits)
	if r.Counts.Over < len(r.Sessions) {
		p.next("brenner", "run", "--resume")
		return
	}
	p.next("brenner", "session", "list")
}

// usageText says what programs used; "-": they do not say.
func usageText(u *turn.Usage) string {
	if u == nil || u.Tokens() == 0 {
		return "-"
	}
	text := strconv.FormatInt(u.Tokens(), 10) + " tokens"
	if u.Dollars != nil {
		text += " ($" + strconv.FormatFloat(*u.Dollars, 'f', 2, 64) + ")"
	}
	return text
}
