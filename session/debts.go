package session

import (
	"context"
	"slices"
	"time"

	"brenner/liveness"
	"brenner/mail"
	"brenner/protocol"
)

// debts adds what agents were asked for and have not done: acknowledgements that nothing settled
// (PROTOCOL 11), and a contribution to each round that they were called to. Imported mail binds nobody
// here, and a completed session nobody any more.
func (q *inquiry) debts(ctx context.Context, agents []mail.Agent, at map[string]*liveness.Facts) error {
	query := mail.PendingQuery{Thread: q.thread}
	if len(agents) == 1 {
		query.Agent = agents[0].Name
	}
	pending, err := q.owed(ctx, query)
	if err != nil {
		return err
	}
	for _, p := range pending {
		f := at[mail.NameKey(p.Agent)]
		if f == nil || p.Deadline.IsZero() || p.SettledBy != 0 {
			continue
		}
		f.Debts = append(f.Debts, liveness.Debt{
			Message: p.Message.ID, Thread: p.Message.ThreadID, What: liveness.Acknowledgement, Call: p.Message.Type == protocol.TypeKickoff,
			Since: p.Message.CreatedAt, Fetched: p.FetchedAt, Deadline: p.Deadline,
		})
	}
	for i := range agents {
		f := at[mail.NameKey(agents[i].Name)]
		if err := q.contributions(ctx, agents[i].Name, f); err != nil {
			return err
		}
	}
	return nil
}

// How far back an agent's calls to a round are looked for, and how many.
const (
	kickoffsSince = 7 * 24 * time.Hour
	kickoffsMost  = 8
)

// contributions adds the rounds that an agent was called to and has sent nothing for. It has as long
// as an acknowledgement may take, counted from its own acknowledgement if it gave one.
func (q *inquiry) contributions(ctx context.Context, agent string, f *liveness.Facts) error {
	kickoffs, err := q.mail.Inbox(ctx, mail.InboxQuery{
		Agent: agent, Thread: q.thread, Types: []protocol.MessageType{protocol.TypeKickoff}, Since: q.now.Add(-kickoffsSince), Limit: kickoffsMost,
	})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range kickoffs {
		k := &kickoffs[i]
		m := &k.Message
		if seen[m.ThreadID] || m.Imported { // the latest round counts
			continue
		}
		seen[m.ThreadID] = true
		// That it was fetched says nothing: others look into inboxes too. Who fetches over MCP is noted there.
		if read := latest(k.Delivery.ReadAt, k.Delivery.AckAt); read.After(f.LastRead) {
			f.LastRead, f.ReadOn = read, m.ThreadID
		}
		owesAck := slices.ContainsFunc(f.Debts, func(d liveness.Debt) bool { return d.Message == m.ID })
		if owesAck || m.ThreadID == "" || k.Delivery.Kind != mail.To {
			continue
		}
		if done, err := q.complete(ctx, m.ThreadID); err != nil || done {
			if err != nil {
				return err
			}
			continue
		}
		sent, err := q.store().Messages(ctx, mail.MessageQuery{
			Project: q.project(), Thread: m.ThreadID, From: agent, After: m.ID, Types: contributing, Limit: 1,
		})
		if err != nil {
			return err
		}
		if len(sent) > 0 {
			f.Done = append(f.Done, liveness.Done{Thread: m.ThreadID, At: sent[0].CreatedAt})
			continue
		}
		f.Debts = append(f.Debts, liveness.Debt{
			Message: m.ID, Thread: m.ThreadID, What: liveness.Contribution, Call: true,
			Since: m.CreatedAt, Fetched: k.Delivery.DeliveredAt, Deadline: latest(m.CreatedAt, k.Delivery.AckAt).Add(q.mail.AckTime(protocol.TypeKickoff)),
		})
	}
	return nil
}

func latest(t time.Time, others ...time.Time) time.Time {
	for _, other := range others {
		if other.After(t) {
			t = other
		}
	}
	return t
}

// contributing are the types that answer a KICKOFF: all but its acknowledgement.
var contributing = slices.DeleteFunc(protocol.MessageTypes(), func(t protocol.MessageType) bool {
	return t == protocol.TypeAck || t == protocol.TypeKickoff
})

// complete tells whether a thread is a session that was completed.
func (q *inquiry) complete(ctx context.Context, threadID string) (bool, error) {
	if done, known := q.completed[threadID]; known {
		return done, nil
	}
	thread, err := q.mail.Thread(ctx, threadID)
	if err != nil {
		return false, err
	}
	by, err := q.completion(ctx, thread)
	q.completed[threadID] = by != 0
	return by != 0, err
}
