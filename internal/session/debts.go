package session

import (
	"context"

	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// debts adds what agents were asked for in the whole project and have not done: acknowledgements that nothing settled
// (PROTOCOL 11), and a contribution to each round that they were called to. Imported mail and completed sessions ask for
// nothing.
func (q *inquiry) debts(ctx context.Context, agents []mail.Agent, at map[string]*liveness.Facts) error {
	query := mail.PendingQuery{}
	if len(agents) == 1 {
		query.Agent = agents[0].Name
	}
	pending, err := q.owed(ctx, query)
	if err != nil {
		return err
	}
	for i := range pending {
		if f := at[mail.NameKey(pending[i].Agent)]; f != nil {
			addAck(f, &pending[i])
		}
	}
	for i := range agents {
		f := at[mail.NameKey(agents[i].Name)]
		if err := q.contributions(ctx, agents[i].Name, f); err != nil {
			return err
		}
	}
	return nil
}

// addAck adds an acknowledgement that is owed, unless it was settled or has no deadline.
func addAck(f *liveness.Facts, p *mail.PendingAck) {
	if p.Deadline.IsZero() || p.SettledBy != 0 {
		return
	}
	f.Debts = append(f.Debts, liveness.Debt{
		Message: p.Message.ID, Thread: p.Message.ThreadID, What: liveness.Acknowledgement, Call: p.Message.Type == protocol.TypeKickoff,
		Since: p.Message.CreatedAt, Fetched: p.FetchedAt, Deadline: p.Deadline,
	})
}

// kickoffsMost is how many of an agent's latest calls are looked at where no session is named.
const kickoffsMost = 8

// contributions adds the rounds that an agent was called to, whatever the session.
func (q *inquiry) contributions(ctx context.Context, agent string, f *liveness.Facts) error {
	kickoffs, err := q.mail.Inbox(ctx, mail.InboxQuery{
		Agent: agent, Types: []protocol.MessageType{protocol.TypeKickoff}, Since: q.now.Add(-kickoffsSince), Limit: kickoffsMost,
	})
	if err != nil {
		return err
	}
	seen := map[string]bool{"": true}
	for i := range kickoffs {
		m := &kickoffs[i].Message
		if seen[m.ThreadID] || m.Imported { // the latest round counts
			continue
		}
		seen[m.ThreadID] = true
		v, err := q.view(ctx, m.ThreadID)
		if err != nil {
			return err
		}
		if at := v.CallOf(agent); at >= 0 {
			q.addCall(f, m.ThreadID, &v.Called()[at], &kickoffs[i].Delivery)
		}
	}
	return nil
}
