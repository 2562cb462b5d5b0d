package cli

import (
	"context"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
)

func newAcks(a *app) *cobra.Command {
	var q mail.PendingQuery
	var from string
	cmd := &cobra.Command{
		Use:     "acks",
		Short:   "Show who owes which acknowledgement",
		Example: "  brenner acks --overdue\n  brenner acks run-once",
		Args:    exactly(),
	}
	flags := cmd.Flags()
	flags.StringVar(&from, "from", "", "only what this `AGENT` asked for")
	flags.StringVar(&q.Thread, "thread", "", "only this thread")
	flags.BoolVar(&q.Overdue, "overdue", false, "only what is past its deadline")
	a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		if q.From = from; from != "" {
			if _, err := p.Mail.Agent(ctx, from); err != nil {
				return nil, err
			}
		}
		var err error
		if q.Thread, err = threadNamed(ctx, p, q.Thread); err != nil {
			return nil, err
		}
		if q.Thread != "" {
			if _, err := p.Mail.Thread(ctx, q.Thread); err != nil {
				return nil, err
			}
		}
		pending, err := p.Mail.Pending(ctx, q)
		if err != nil {
			return nil, err
		}
		return acksReport{mail.AckObjects(pending)}, nil
	}))
	cmd.AddCommand(newAcksRunOnce(a))
	return cmd
}

type acksReport struct {
	Pending []mail.AckObject `json:"pending"`
}

func (r acksReport) show(p *printer) {
	if len(r.Pending) == 0 {
		p.note("no acknowledgement is owed")
		p.next("brenner", "session", "list")
		return
	}
	var rows [][]string
	for _, a := range r.Pending {
		thread, deadline, state := "", "", ""
		if a.ThreadID != nil {
			thread = *a.ThreadID
		}
		if a.Deadline != nil {
			deadline = p.age(*a.Deadline)
		}
		switch {
		case a.Overdue:
			state = "overdue"
		case a.SettledBy != nil:
			state = "settled by #" + formatInt(*a.SettledBy)
		}
		rows = append(rows, []string{a.Agent, string(a.Type) + " #" + formatInt(a.MessageID), a.From, thread, deadline, state})
	}
	p.table(columns("Agent", "Owes", "Of?", "Thread", "Due", ""), rows)
	p.next("brenner", "mail", "ack", formatInt(r.Pending[0].MessageID), "--as", r.Pending[0].Agent)
}

func newAcksRunOnce(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "run-once",
		Short: "Send the reminders and escalations that are due now",
		Long: `Make one pass over overdue acknowledgements, as a running server does by itself: remind those
who owe, and after the last reminder tell the operator. Running it again repeats nothing.`,
		Example: "  */5 * * * * brenner acks run-once --project ~/research",
		Args:    exactly(),
	}, a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
		run, err := p.Mail.RunAcks(ctx)
		r := ackRunReport{Reminders: []int64{}, Escalations: []int64{}}
		for _, m := range run.Reminders {
			r.Reminders = append(r.Reminders, m.ID)
		}
		for _, m := range run.Escalations {
			r.Escalations = append(r.Escalations, m.ID)
		}
		return r, err
	}))
}

type ackRunReport struct {
	Reminders   []int64 `json:"reminders"`
	Escalations []int64 `json:"escalations"`
}

func (r ackRunReport) show(p *printer) {
	p.print("%s and %s sent\n", count(len(r.Reminders), "reminder"), count(len(r.Escalations), "escalation"))
	p.next("brenner", "acks")
}
