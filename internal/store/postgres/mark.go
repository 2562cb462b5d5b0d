package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/mail/planner"
)

// Mark implements mail.Mailbox.
func (s *Store) Mark(ctx context.Context, mark mail.Mark) ([]mail.Delivery, error) {
	var marked []mail.Delivery
	err := s.writer.do(ctx, "marking messages", func(ctx context.Context, tx *transaction) (err error) {
		marked, err = tx.mark(ctx, mark)
		return err
	})
	if err != nil {
		return nil, err
	}
	return marked, nil
}

func (tx *transaction) mark(ctx context.Context, mark mail.Mark) ([]mail.Delivery, error) {
	if err := tx.flush(ctx); err != nil { // it may be about a message of this transaction
		return nil, err
	}
	agent, err := tx.agent(ctx, mark.Project, mark.Agent)
	if err != nil {
		return nil, err
	}
	moves := newMoves(tx)
	for _, id := range mark.Messages {
		moves.want(id, agent.id)
	}
	if err := moves.load(ctx); err != nil {
		return nil, err
	}
	for _, id := range mark.Messages {
		if moves.there[deliveryKey{id, agent.id}] == nil {
			return nil, mail.NotReceived(agent.name, id)
		}
	}
	marked := make([]mail.Delivery, 0, len(mark.Messages))
	for _, id := range mark.Messages {
		moves.advance(deliveryKey{id, agent.id}, mark.State, mail.Truncate(mark.At))
		marked = append(marked, moves.there[deliveryKey{id, agent.id}].Delivery)
	}
	moves.write()
	return marked, nil
}

// acknowledge moves the deliveries that messages acknowledge. One that is not there changes
// nothing.
func (tx *transaction) acknowledge(ctx context.Context, acks []planner.AckRow) error {
	moves := newMoves(tx)
	for _, a := range acks {
		moves.want(a.Message, a.AgentID)
	}
	if err := moves.load(ctx); err != nil {
		return err
	}
	for _, a := range acks {
		if d := moves.there[deliveryKey{a.Message, a.AgentID}]; d != nil && d.project == a.Project {
			moves.advance(deliveryKey{a.Message, a.AgentID}, mail.Acknowledged, a.At)
		}
	}
	moves.write()
	return nil
}

// moves are deliveries on their way forward, read and written together.
type moves struct {
	tx       *transaction
	messages []int64
	agents   []int64
	there    map[deliveryKey]*moving
	changed  []*moving
	events   []mail.Event
}

type deliveryKey struct {
	message int64
	agent   mail.AgentID
}

// moving is a delivery with what its event says.
type moving struct {
	mail.Delivery
	project mail.ProjectID
	agentID mail.AgentID
	thread  string
	moved   bool
}

func newMoves(tx *transaction) *moves { return &moves{tx: tx, there: map[deliveryKey]*moving{}} }

func (m *moves) want(message int64, agent mail.AgentID) {
	m.messages, m.agents = append(m.messages, message), append(m.agents, int64(agent))
}

func (m *moves) load(ctx context.Context) error {
	return m.tx.each(ctx, func(rows pgx.Rows) error {
		var (
			d              deliveryRow
			project, agent int64
			thread, name   string
		)
		if err := rows.Scan(append(d.targets(), &project, &agent, &thread, &name)...); err != nil {
			return err
		}
		found := &moving{Delivery: d.delivery(), project: mail.ProjectID(project), agentID: mail.AgentID(agent), thread: thread}
		found.Agent = name
		m.there[deliveryKey{found.Message, found.agentID}] = found
		return nil
	}, "SELECT "+deliveryColumns+`, d.project_id, d.agent_id, m.thread_id, a.name
		FROM unnest($1::bigint[], $2::bigint[]) w (message_id, agent_id)
		JOIN deliveries d ON d.agent_id = w.agent_id AND d.message_id = w.message_id
		JOIN messages m ON m.id = d.message_id JOIN agents a ON a.id = d.agent_id`, m.messages, m.agents)
}

// advance moves a delivery forward, with an event, if it is behind.
func (m *moves) advance(key deliveryKey, to mail.State, at time.Time) {
	d := m.there[key]
	if !d.Advance(to, at) {
		return
	}
	if !d.moved {
		d.moved = true
		m.changed = append(m.changed, d)
	}
	m.events = append(m.events, mail.Event{
		Project: d.project, Kind: mail.EventDelivery, Message: d.Message, Thread: d.thread, Agent: d.Agent, State: to, At: at,
	})
}

func (m *moves) write() {
	if len(m.changed) == 0 {
		return
	}
	m.tx.queue(`UPDATE deliveries d SET delivered_us = n.delivered, read_us = n.read, ack_us = n.ack, owed = d.owed AND n.ack IS NULL
		FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) n (agent_id, message_id, delivered, read, ack)
		WHERE d.agent_id = n.agent_id AND d.message_id = n.message_id`,
		column(m.changed, func(d **moving) int64 { return int64((*d).agentID) }),
		column(m.changed, func(d **moving) int64 { return (*d).Message }),
		column(m.changed, func(d **moving) *int64 { return microOrNull((*d).DeliveredAt) }),
		column(m.changed, func(d **moving) *int64 { return microOrNull((*d).ReadAt) }),
		column(m.changed, func(d **moving) *int64 { return microOrNull((*d).AckAt) }))
	m.tx.insertEvents(m.events)
}
