package planner

import (
	"slices"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Append plans one call: all of its entries or, with an error, none. The facts of Wants must be
// known. The messages come back as they will be stored; for an entry whose key was used before it is
// that earlier message.
func (p *Plan) Append(project mail.ProjectID, at time.Time, entries []Prepared) ([]mail.Message, error) {
	undo := p.mark()
	messages := make([]mail.Message, 0, len(entries))
	for i := range entries {
		m, err := p.append(undo, project, at, &entries[i])
		if err != nil {
			p.undo(undo)
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

func (p *Plan) append(undo *mark, project mail.ProjectID, at time.Time, e *Prepared) (mail.Message, error) {
	if e.Key != "" {
		if first := p.keys[factKey{project, e.Key}]; first != nil {
			if first.Payload != e.Payload {
				return mail.Message{}, protocol.Errorf(protocol.IdempotencyConflict,
					"the idempotency key was used before, for message %d with another payload", first.ID)
			}
			return *first, nil
		}
	}
	agents, err := p.correspondents(undo, project, at, e)
	if err != nil {
		return mail.Message{}, err
	}
	thread := p.threads[factKey{project, e.Message.ThreadID}]
	if thread != nil {
		if err := thread.CheckPresent(); err != nil {
			return mail.Message{}, err
		}
	}
	if err := p.admit(undo, project, e, thread); err != nil {
		return mail.Message{}, err
	}
	if e.Opens && thread != nil {
		return mail.Message{}, mail.ErrThreadOpened
	}
	if e.Gapless && (thread == nil && e.Version != 1 || thread != nil && e.Version != thread.LatestVersion+1) {
		return mail.Message{}, mail.ErrVersionTaken
	}
	if e.Follows != 0 && (thread == nil || thread.HeadID != e.Follows) {
		return mail.Message{}, mail.ErrThreadMoved
	}
	m := p.place(project, at, e, agents[0].ID, thread)
	p.record(undo, &m, e, agents, thread)
	p.enter(undo, &m, e)
	return m, nil
}

// correspondents returns the sender, then the agent of each delivery. An import registers
// those that are unknown (CLI, thread import).
func (p *Plan) correspondents(undo *mark, project mail.ProjectID, at time.Time, e *Prepared) ([]*mail.Agent, error) {
	list := make([]*mail.Agent, 0, 1+len(e.deliveries))
	for i := range 1 + len(e.deliveries) {
		name := e.Message.From
		if i > 0 {
			name = e.deliveries[i-1].Agent
		}
		a := p.agents[factKey{project, e.names[i]}]
		switch {
		case a == nil && !e.Imported:
			return nil, mail.UnknownAgent(name)
		case a == nil:
			a = p.register(undo, project, name, mail.Truncate(at))
		case a.Retired() && !e.Imported:
			return nil, mail.AgentRetired(a.Name)
		}
		list = append(list, a)
	}
	return list, nil
}

func (p *Plan) register(undo *mark, project mail.ProjectID, name string, at time.Time) *mail.Agent {
	p.lastAgent++
	a := &mail.Agent{ID: p.lastAgent, Project: project, Name: name, InceptionAt: at, LastActiveAt: at}
	key := factKey{project, mail.NameKey(name)}
	undo.agents = append(undo.agents, key)
	p.agents[key] = a
	p.rows.Agents = append(p.rows.Agents, *a)
	return a
}

// place gives the message its id, its time and its link of the chain.
func (p *Plan) place(project mail.ProjectID, at time.Time, e *Prepared, sender mail.AgentID, thread *mail.Thread) mail.Message {
	p.lastID++
	m := mail.Message{
		Message: e.Message, Project: project, SenderID: sender, Type: e.Type, Version: e.Version,
		ReplyOrigin: e.ReplyOrigin, ArtifactHash: e.ArtifactHash,
		Key: e.Key, Payload: e.Payload,
	}
	m.ID, m.Imported = p.lastID, e.Imported
	m.CreatedAt = p.timeOf(e, at)
	if !e.Imported {
		p.lastTime = m.CreatedAt
	}
	m.To, m.Cc, m.Bcc = ownNames(m.To), ownNames(m.Cc), ownNames(m.Bcc)
	var previous canon.Hash
	if thread != nil {
		previous = thread.ChainHash
	}
	line := e.line
	if e.Imported {
		line = mail.NewChainLine(&e.Message, e.ReplyOrigin)
	}
	m.ChainHash = line.Chain(previous, m.OriginID(), m.CreatedAt)
	return m
}

// ownNames copies a list; an empty one is nil, as it is read back.
func ownNames(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return slices.Clone(names)
}

// record adds the rows of a message.
func (p *Plan) record(undo *mark, m *mail.Message, e *Prepared, agents []*mail.Agent, thread *mail.Thread) {
	p.rows.Messages = append(p.rows.Messages, *m)
	for i, d := range e.deliveries {
		p.rows.Deliveries = append(p.rows.Deliveries, deliveryRow(m, d, e.Deliveries, agents[i+1]))
	}
	if m.ThreadID != "" {
		p.extend(undo, m, thread)
	}
	event := mail.Event{
		Project: m.Project, Kind: mail.EventMessage, Message: m.ID, Thread: m.ThreadID, Agent: m.From, At: m.CreatedAt,
	}
	p.rows.Events = append(p.rows.Events, event)
	if m.Type == protocol.TypeCompiled {
		event.Kind, event.Version = mail.EventCompiled, m.Version
		p.rows.Events = append(p.rows.Events, event)
	}
	for i, ack := range e.Acks {
		if a := p.agents[factKey{m.Project, e.names[1+len(e.deliveries)+i]}]; a != nil {
			p.rows.Acks = append(p.rows.Acks, AckRow{m.Project, ack.Message, a.ID, m.CreatedAt})
		}
	}
	if !e.Imported {
		p.rows.Active = append(p.rows.Active, Activity{agents[0].ID, m.CreatedAt})
	}
	if m.Key != "" {
		key := factKey{m.Project, m.Key}
		undo.keys = append(undo.keys, key)
		p.keys[key] = &p.rows.Messages[len(p.rows.Messages)-1] // rows are written, never changed
	}
}

func deliveryRow(m *mail.Message, d mail.Delivery, given []mail.Delivery, agent *mail.Agent) mail.DeliveryRow {
	for _, g := range given {
		if mail.NameKey(g.Agent) == mail.NameKey(d.Agent) {
			d.DeliveredAt, d.ReadAt, d.AckAt = mail.Truncate(g.DeliveredAt), mail.Truncate(g.ReadAt), mail.Truncate(g.AckAt)
		}
	}
	d.Message, d.Agent = m.ID, agent.Name
	return mail.DeliveryRow{
		Delivery: d, Project: m.Project, AgentID: agent.ID,
		Owed:   m.AckRequired && d.Owes(),
		Urgent: m.Importance == message.High || m.Importance == message.Urgent,
	}
}

// extend moves the summary of the thread.
func (p *Plan) extend(undo *mark, m *mail.Message, thread *mail.Thread) {
	key := factKey{m.Project, m.ThreadID}
	undo.save(key, thread)
	if thread == nil {
		thread = &mail.Thread{Project: m.Project, ID: m.ThreadID}
		p.threads[key] = thread
	}
	thread.Extend(m)
	p.rows.Threads = append(p.rows.Threads, thread)
}
