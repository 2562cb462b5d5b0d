package session

import (
	"context"
	"slices"

	"brenner/internal/fold"
	"brenner/internal/liveness"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// participation is who takes part in a session: what verdicts about them need of its messages.
type participation struct {
	threadID string
	complete bool
	agents   []AgentState // without a verdict
	calls    []fold.Call
}

func (s *Sessions) participation(v *fold.View) participation {
	return participation{v.Fold.ThreadID(), v.Complete(), s.parts(v), v.Called()}
}

// kickoffs adds the messages of the calls.
func (p *participation) kickoffs(ids []int64) []int64 {
	for i := range p.calls {
		ids = append(ids, p.calls[i].Kickoff)
	}
	return ids
}

// take gathers facts about all who take part in sessions. pending is what is owed there at least, received has the
// deliveries of what they were called by.
func (q *inquiry) take(ctx context.Context, list []*participation, pending []mail.PendingAck, received map[int64][]mail.Delivery) error {
	var names []string
	for _, p := range list {
		for _, a := range p.agents {
			names = append(names, a.Name)
		}
	}
	facts, err := q.known(ctx, oncePerAgent(names)...)
	q.facts, q.pending, q.received = make(map[string]*liveness.Facts, len(facts)), map[string][]*mail.PendingAck{}, received
	for i := range facts {
		q.facts[mail.NameKey(facts[i].Agent)] = &facts[i]
	}
	for i := range pending {
		thread := pending[i].Message.ThreadID
		q.pending[thread] = append(q.pending[thread], &pending[i])
	}
	return err
}

// verdict judges an agent by what concerns one session; false: it is not registered.
func (q *inquiry) verdict(p *participation, agent string) (liveness.Verdict, bool) {
	known := q.facts[mail.NameKey(agent)]
	if known == nil {
		return liveness.Verdict{}, false
	}
	f := known.On(p.threadID)
	f.Complete = p.complete
	for _, owed := range q.pending[p.threadID] {
		if protocol.SameAgent(owed.Agent, agent) {
			addAck(&f, owed)
		}
	}
	for i := range p.calls {
		if c := &p.calls[i]; protocol.SameAgent(c.Agent, agent) {
			q.addCall(&f, p.threadID, c, q.delivery(c))
		}
	}
	return liveness.Judge(f, q.now), true
}

// delivery is that of a call.
func (q *inquiry) delivery(c *fold.Call) *mail.Delivery {
	list := q.received[c.Kickoff]
	if i := slices.IndexFunc(list, func(d mail.Delivery) bool { return protocol.SameAgent(d.Agent, c.Agent) }); i >= 0 {
		return &list[i]
	}
	return &mail.Delivery{}
}

// inquireInto gathers facts about all who take part in sessions, with few questions for any number of them.
func (s *Sessions) inquireInto(ctx context.Context, list ...*participation) (*inquiry, error) {
	q := s.inquire()
	var ids []int64
	threads := make([]string, len(list))
	for i, p := range list {
		ids, threads[i] = p.kickoffs(ids), p.threadID
	}
	pending, err := s.owedOn(ctx, threads)
	if err != nil {
		return nil, err
	}
	received, err := s.received(ctx, ids)
	if err != nil {
		return nil, err
	}
	return q, q.take(ctx, list, pending, received)
}

// received returns the deliveries of messages.
func (s *Sessions) received(ctx context.Context, ids []int64) (map[int64][]mail.Delivery, error) {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	received := make(map[int64][]mail.Delivery, len(ids))
	for some := range slices.Chunk(ids, page) {
		deliveries, err := s.store().Deliveries(ctx, mail.DeliveryQuery{Project: s.project(), Messages: some})
		if err != nil {
			return nil, err
		}
		for _, d := range deliveries {
			received[d.Message] = append(received[d.Message], d)
		}
	}
	return received, nil
}

// statesIn gives the verdicts about those who take part in a session; who is not registered is left out.
func (q *inquiry) statesIn(p *participation) []AgentState {
	list := []AgentState{}
	for _, a := range p.agents {
		if v, ok := q.verdict(p, a.Name); ok {
			list = append(list, AgentState{Name: v.Agent, Role: a.Role, State: v.State, Reason: v.Reason})
		}
	}
	return list
}

func participations(list []*summary) []*participation {
	all := make([]*participation, len(list))
	for i, m := range list {
		all[i] = &m.participation
	}
	return all
}
