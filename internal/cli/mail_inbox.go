package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

const defaultLimit = 20

func newMailInbox(a *app) *cobra.Command {
	var unread, overdue bool
	var types []string
	var limit int
	cmd := &cobra.Command{
		Use:   "inbox [AGENT]",
		Short: "List what an agent received, newest first",
		Long: "List what an agent received, newest first. Without AGENT it is yours: --as, $AGENT_NAME, or Operator. Looking changes " +
			"nothing but that the messages count as delivered.",
		Example: "  brenner mail inbox BlueLake --unread\n  brenner mail inbox --as BlueLake --type KICKOFF,CRITIQUE",
		Args:    between(nil, "AGENT"),

		ValidArgsFunction: a.completeAgents,
	}
	flags := cmd.Flags()
	flags.BoolVar(&unread, "unread", false, "only what was not read")
	flags.BoolVar(&overdue, "overdue", false, "only what should have been acknowledged by now")
	flags.StringSliceVar(&types, "type", nil, "only these `TYPES`, separated by commas")
	flags.IntVar(&limit, "limit", defaultLimit, "at most `N` messages; 0 for all")
	completeFlag(cmd, "type", completeTypes)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		wanted, err := parseTypes(types)
		if err != nil {
			return nil, err
		}
		if limit < 0 {
			return nil, usageError("--limit takes a number from 0")
		}
		name := a.identity()
		if len(args) > 0 {
			name = args[0]
		}
		agent, err := p.Mail.Agent(ctx, name)
		if protocol.CodeOf(err) == protocol.UnknownAgent && len(args) == 0 && name == mail.Operator {
			return inboxReport{Agent: name, Messages: []mail.Object{}, now: p.Mail.Now()}, nil // made with the first message
		}
		if err != nil {
			return nil, err
		}
		if mail.NameKey(a.identity()) == mail.NameKey(agent.Name) { // who looks into the inbox of another is not that one
			p.NoteCommand(ctx, agent.Name)
		}
		late, err := overdueOf(ctx, p, agent.Name)
		if err != nil {
			return nil, err
		}
		q := mail.InboxQuery{Agent: agent.Name, Unread: unread, Types: wanted, Owed: overdue, Limit: limit}
		if overdue {
			q.Limit = 0 // which are late is decided below
		}
		received, err := p.Mail.Fetch(ctx, q)
		if err != nil {
			return nil, err
		}
		if overdue {
			received = onlyLate(received, late, limit)
		}
		return inboxReport{
			Agent: agent.Name, Count: len(received), Messages: objects(received, agent.Name), late: late, now: p.Mail.Now(),
		}, nil
	}))
}

// overdueOf says which messages an agent should have acknowledged by now.
func overdueOf(ctx context.Context, p *project.App, agent string) (map[int64]bool, error) {
	pending, err := p.Mail.Pending(ctx, mail.PendingQuery{Agent: agent, Overdue: true})
	late := make(map[int64]bool, len(pending))
	for _, ack := range pending {
		late[ack.Message.ID] = true
	}
	return late, err
}

func onlyLate(received []mail.Received, late map[int64]bool, limit int) []mail.Received {
	var list []mail.Received
	for _, r := range received {
		if late[r.Message.ID] && (limit == 0 || len(list) < limit) {
			list = append(list, r)
		}
	}
	return list
}

// inboxReport lists messages as an agent sees them.
type inboxReport struct {
	Agent    string        `json:"agent"`
	Count    int           `json:"count"`
	Messages []mail.Object `json:"messages"`

	late map[int64]bool
	now  time.Time
}

func (r inboxReport) show(p *printer) {
	if r.Count == 0 {
		p.note("no messages")
		p.next("brenner", "thread", "list")
		return
	}
	var rows [][]string
	for _, m := range r.Messages {
		thread := ""
		if m.ThreadID != nil {
			thread = *m.ThreadID
		}
		rows = append(rows, []string{m.From, m.Subject, thread, age(m.CreatedAt, r.now), r.state(m), "#" + formatInt(m.ID)})
	}
	p.table(columns("From?", "Subject…", "Thread?", "Age?", "State", "ID"), rows)
	p.next("brenner", "mail", "read", formatInt(r.Messages[0].ID), "--as", r.Agent)
}

func (r inboxReport) state(m mail.Object) string {
	switch {
	case m.AckAt != nil:
		return "acknowledged"
	case r.late[m.ID]:
		return "overdue"
	case m.AckRequired && m.Kind != nil && *m.Kind != mail.Bcc:
		return "ack owed"
	case m.ReadAt != nil:
		return "read"
	case m.Kind != nil:
		return "new"
	}
	return ""
}
