package foreign

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Messages implements mail.Store: those of a thread, or single ones. The server lists no more
// than that.
func (s *Store) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	p, err := s.project(q.Project)
	if err != nil {
		return nil, err
	}
	var found []mail.Message
	switch {
	case q.Keys != nil:
		return nil, nil // the server keeps the keys; it answers a repeated one itself
	case q.IDs != nil:
		found, err = s.byID(ctx, p, q.IDs)
	case q.Thread != "":
		found, err = s.thread(ctx, p, q.Thread)
	default:
		return nil, notAllowed("a list of all messages")
	}
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(m mail.Message) bool { return !selected(&m, &q) })
	if q.Order == mail.NewestFirst {
		slices.Reverse(found)
	}
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[:q.Limit]
	}
	return found, nil
}

func selected(m *mail.Message, q *mail.MessageQuery) bool {
	return (q.Thread == "" || m.ThreadID == q.Thread) && (len(q.Types) == 0 || slices.Contains(q.Types, m.Type)) &&
		(q.From == "" || mail.NameKey(m.From) == mail.NameKey(q.From)) &&
		(q.At.IsZero() || m.CreatedAt.Equal(q.At)) &&
		m.ID > q.After && (q.Before == 0 || m.ID < q.Before)
}

func (s *Store) byID(ctx context.Context, p mail.Project, ids []int64) ([]mail.Message, error) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	var found []mail.Message
	for _, id := range slices.Compact(ids) {
		var o messageObject
		err := s.caller.Resource(ctx, "message", strconv.FormatInt(id, 10), url.Values{"project": {p.HumanKey}}, &o)
		if err != nil && !absent(err) {
			return nil, err
		}
		if err == nil && int64(o.ID) == id {
			found = append(found, o.message(p.ID))
		}
	}
	return found, nil
}

// thread reads a whole thread in the order of ids, with the chain over it. One that is not there
// is empty.
func (s *Store) thread(ctx context.Context, p mail.Project, id string) ([]mail.Message, error) {
	var data json.RawMessage
	err := s.caller.Resource(ctx, "thread", id, url.Values{"project": {p.HumanKey}, "include_bodies": {"true"}}, &data)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := listOf[messageObject](data, "messages")
	if err != nil {
		return nil, unavailable("thread %s of the server cannot be read: %w", id, err)
	}
	slices.SortFunc(list, func(a, b messageObject) int { return cmp.Compare(a.ID, b.ID) })
	if !slices.ContainsFunc(list, func(o messageObject) bool { return string(o.ThreadID) == id }) {
		for i := range list { // a server that does not repeat what was asked for
			if list[i].ThreadID == "" {
				list[i].ThreadID = word(id)
			}
		}
	}
	var messages []mail.Message
	var previous mail.Message
	for i := range list {
		if string(list[i].ThreadID) != id && list[i].ThreadID != "" {
			continue // what the thread answers comes with it and belongs to another, or to none
		}
		m, err := s.whole(ctx, p, &list[i])
		if err != nil {
			return nil, err
		}
		if m.ThreadID == "" {
			m.ThreadID = string(list[i].ThreadID)
		}
		if m.ThreadID != id {
			continue
		}
		m.ChainHash = mail.ChainNext(previous.ChainHash, &m)
		messages = append(messages, m)
		previous = m
	}
	return messages, nil
}

// whole reads a message that came in a list. Where that shows no texts it is asked for by itself.
func (s *Store) whole(ctx context.Context, p mail.Project, o *messageObject) (mail.Message, error) {
	if o.Body != nil {
		return o.message(p.ID), nil
	}
	found, err := s.byID(ctx, p, []int64{int64(o.ID)})
	if err != nil || len(found) == 0 {
		return o.message(p.ID), err
	}
	return found[0], nil
}

// Threads implements mail.Store. The server lists no threads: those of every agent's mail are
// all there are, since each message has a recipient.
func (s *Store) Threads(ctx context.Context, q mail.ThreadQuery) ([]mail.Thread, error) {
	p, err := s.project(q.Project)
	if err != nil {
		return nil, err
	}
	ids := q.IDs
	if ids == nil {
		if ids, err = s.threadIDs(ctx, p); err != nil {
			return nil, err
		}
	}
	var threads []mail.Thread
	for _, id := range ids {
		messages, err := s.thread(ctx, p, id)
		if err != nil {
			return nil, err
		}
		t := mail.Thread{Project: p.ID, ID: id}
		for i := range messages {
			t.Extend(&messages[i])
		}
		if t.Messages > 0 && (q.Member == "" || membersOf(messages).Has(q.Member)) && (q.Before == 0 || t.HeadID < q.Before) {
			threads = append(threads, t)
		}
	}
	slices.SortFunc(threads, func(a, b mail.Thread) int { return cmp.Compare(b.HeadID, a.HeadID) })
	if q.Limit > 0 && len(threads) > q.Limit {
		threads = threads[:q.Limit]
	}
	return threads, nil
}

func membersOf(messages []mail.Message) mail.Members {
	return mail.MembersOf(func(yield func(*mail.Message) bool) {
		for i := range messages {
			if !yield(&messages[i]) {
				return
			}
		}
	})
}

func (s *Store) threadIDs(ctx context.Context, p mail.Project) ([]string, error) {
	agents, err := s.Agents(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var ids []string
	for _, a := range agents {
		box, err := s.box(ctx, p, a.Name, arguments{})
		if err != nil {
			return nil, err
		}
		for i := range box {
			if id := string(box[i].ThreadID); id != "" && !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// Deliveries implements mail.Store, from the inboxes of the recipients. A recipient without such a
// message there, as far as the server shows it, has not seen it.
func (s *Store) Deliveries(ctx context.Context, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	p, err := s.project(q.Project)
	if err != nil {
		return nil, err
	}
	if q.Messages == nil && q.Thread == "" {
		return s.boxed(ctx, p, q)
	}
	messages, err := s.Messages(ctx, mail.MessageQuery{Project: q.Project, IDs: q.Messages, Thread: q.Thread})
	if err != nil {
		return nil, err
	}
	states := map[string]map[int64]mail.Delivery{}
	var found []mail.Delivery
	for i := range messages {
		for _, d := range recipients(&messages[i], q.Agent) {
			key := mail.NameKey(d.Agent)
			if states[key] == nil {
				if states[key], err = s.states(ctx, p, d.Agent, q.Thread); err != nil {
					return nil, err
				}
			}
			if known, ok := states[key][d.Message]; ok {
				d.DeliveredAt, d.ReadAt, d.AckAt = known.DeliveredAt, known.ReadAt, known.AckAt
			}
			if !q.Owed || messages[i].AckRequired && d.Owes() {
				found = append(found, d)
			}
		}
	}
	return found, nil
}

// recipients lists the deliveries of a message, or that of one agent.
func recipients(m *mail.Message, agent string) []mail.Delivery {
	all := mail.Deliveries(&m.Message)
	if agent == "" {
		return all
	}
	return slices.DeleteFunc(all, func(d mail.Delivery) bool { return mail.NameKey(d.Agent) != mail.NameKey(agent) })
}

func (s *Store) states(ctx context.Context, p mail.Project, agent, thread string) (map[int64]mail.Delivery, error) {
	args := arguments{}
	if thread != "" {
		args["thread_id"] = thread
	}
	box, err := s.box(ctx, p, agent, args)
	if protocol.CodeOf(err) == protocol.UnknownAgent {
		return map[int64]mail.Delivery{}, nil // named in a message, but gone
	}
	if err != nil {
		return nil, err
	}
	states := make(map[int64]mail.Delivery, len(box))
	for i := range box {
		states[int64(box[i].ID)] = box[i].received(p.ID, agent).Delivery
	}
	return states, nil
}

// boxed returns deliveries without messages to begin from: those of one agent, or of all.
func (s *Store) boxed(ctx context.Context, p mail.Project, q mail.DeliveryQuery) ([]mail.Delivery, error) {
	var wanted []string
	if q.Agent != "" {
		wanted = []string{q.Agent}
	}
	agents, err := s.Agents(ctx, p.ID, wanted...)
	if err != nil {
		return nil, err
	}
	var found []placed
	for _, a := range agents {
		box, err := s.box(ctx, p, a.Name, arguments{})
		if err != nil {
			return nil, err
		}
		for i := range box {
			r := box[i].received(p.ID, a.Name)
			if !q.Owed || r.Message.AckRequired && r.Delivery.Owes() {
				found = append(found, placed{r.Delivery, placeOfRecipient(&r)})
			}
		}
	}
	return inOrder(found), nil
}

// placed is a delivery with its place among those of its message.
type placed struct {
	mail.Delivery
	place int
}

func placeOfRecipient(r *mail.Received) int {
	return slices.IndexFunc(mail.Deliveries(&r.Message.Message), func(d mail.Delivery) bool {
		return mail.NameKey(d.Agent) == mail.NameKey(r.Delivery.Agent)
	})
}

// inOrder puts deliveries into the order of a store: by message, and those of one message as it names its recipients.
func inOrder(found []placed) []mail.Delivery {
	slices.SortStableFunc(found, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Message, b.Message), cmp.Compare(a.place, b.place))
	})
	list := make([]mail.Delivery, len(found))
	for i := range found {
		list[i] = found[i].Delivery
	}
	return list
}

// urgent tells whether a message asks for haste.
func urgent(m *mail.Message) bool {
	return m.Importance == message.High || m.Importance == message.Urgent
}
