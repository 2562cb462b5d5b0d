package foreign

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/mail"
)

// maxMessages is how much of an inbox is asked for where everything matters.
const maxMessages = 1000

// box fetches an inbox, newest first.
func (s *Store) box(ctx context.Context, p mail.Project, agent string, args arguments) ([]messageObject, error) {
	args["project_key"], args["agent_name"] = p.HumanKey, agent
	if _, given := args["limit"]; !given {
		args["limit"] = maxMessages
	}
	var data json.RawMessage
	if err := s.caller.Tool(ctx, "fetch_inbox", args, &data); err != nil {
		return nil, err
	}
	list, err := listOf[messageObject](data, "messages")
	if err != nil {
		return nil, unavailable("the inbox of %s cannot be read: %w", agent, err)
	}
	return list, nil
}

// Inbox implements mail.Store. What the server cannot select is selected here.
func (s *Store) Inbox(ctx context.Context, q mail.InboxQuery) ([]mail.Received, error) {
	p, err := s.project(q.Project)
	if err != nil {
		return nil, err
	}
	agents, err := s.Agents(ctx, q.Project, q.Agent)
	if err != nil {
		return nil, err
	}
	if len(agents) == 0 {
		return nil, mail.UnknownAgent(q.Agent)
	}
	box, err := s.box(ctx, p, agents[0].Name, selection(&q))
	if err != nil {
		return nil, err
	}
	var received []mail.Received
	for i := range box {
		r := box[i].received(p.ID, agents[0].Name)
		if !wanted(&r, &q) {
			continue
		}
		if r.Message, err = s.whole(ctx, p, &box[i]); err != nil {
			return nil, err
		}
		received = append(received, r)
	}
	if q.Oldest {
		slices.Reverse(received)
	}
	if q.Limit > 0 && len(received) > q.Limit {
		received = received[:q.Limit]
	}
	return received, nil
}

// selection asks the server for as much of the selection as it knows. Only then its own limit
// means ours.
func selection(q *mail.InboxQuery) arguments {
	args := arguments{"include_bodies": true}
	if q.Thread != "" {
		args["thread_id"] = q.Thread
	}
	if q.Urgent {
		args["urgent_only"] = true
	}
	if !q.Since.IsZero() {
		args["since_ts"] = mail.FormatTime(q.Since)
	}
	if q.Limit > 0 && len(q.Types) == 0 && q.Before == 0 && q.After == 0 && !q.Oldest && !q.Fresh && !q.Unread && !q.Owed &&
		q.Thread == "" {
		args["limit"] = q.Limit
	}
	return args
}

// wanted selects again: a server may ignore arguments that it does not know.
func wanted(r *mail.Received, q *mail.InboxQuery) bool {
	m := &r.Message
	return (q.Thread == "" || m.ThreadID == q.Thread) && (len(q.Types) == 0 || slices.Contains(q.Types, m.Type)) &&
		(q.Before == 0 || m.ID < q.Before) && m.ID > q.After && (q.Since.IsZero() || m.CreatedAt.After(q.Since)) &&
		(!q.Fresh || r.Delivery.State() < mail.Delivered) && (!q.Unread || r.Delivery.State() < mail.Read) && (!q.Urgent || urgent(m)) &&
		(!q.Owed || m.AckRequired && r.Delivery.Owes())
}

// Mark implements mail.Store. Fetching has marked what was delivered; nothing more can be said
// of that.
func (s *Store) Mark(ctx context.Context, mark mail.Mark) ([]mail.Delivery, error) {
	p, err := s.project(mark.Project)
	if err != nil {
		return nil, err
	}
	known, err := s.states(ctx, p, mark.Agent, "")
	if err != nil {
		return nil, err
	}
	for _, id := range mark.Messages {
		if _, ok := known[id]; !ok {
			return nil, mail.NotReceived(mark.Agent, id)
		}
	}
	marked := make([]mail.Delivery, len(mark.Messages))
	for i, id := range mark.Messages {
		d := known[id]
		if d.State() < mark.State {
			if err := s.advance(ctx, p, mark, &d); err != nil {
				return nil, err
			}
		}
		marked[i] = d
	}
	return marked, nil
}

// advance moves one delivery on the server.
func (s *Store) advance(ctx context.Context, p mail.Project, mark mail.Mark, d *mail.Delivery) error {
	args := arguments{"project_key": p.HumanKey, "agent_name": mark.Agent, "message_id": d.Message}
	var told struct {
		ReadAt         instant `json:"read_at"`
		AcknowledgedAt instant `json:"acknowledged_at"`
	}
	switch mark.State {
	case mail.Read:
		if err := s.caller.Tool(ctx, "mark_message_read", args, &told); err != nil {
			return err
		}
	case mail.Acknowledged:
		if err := s.caller.Tool(ctx, "acknowledge_message", args, &told); err != nil {
			return err
		}
	default:
		return nil
	}
	d.Advance(mark.State, mail.Truncate(mark.At))
	if at := told.ReadAt.time(); !at.IsZero() {
		d.ReadAt = at
	}
	if at := told.AcknowledgedAt.time(); !at.IsZero() {
		d.AckAt = at
	}
	return nil
}

// Search implements mail.Store. Results without their text are read again, one by one.
func (s *Store) Search(ctx context.Context, q mail.SearchQuery) ([]mail.Message, error) {
	p, err := s.project(q.Project)
	if err != nil {
		return nil, err
	}
	limit := q.Limit
	if q.Thread != "" || len(q.Types) > 0 || q.Filter != nil {
		limit = mail.Candidates
	}
	var data json.RawMessage
	if err := s.caller.Tool(ctx, "search_messages", arguments{"project_key": p.HumanKey, "query": queryText(q.Expr), "limit": limit},
		&data); err != nil {
		return nil, err
	}
	list, err := listOf[messageObject](data, "messages")
	if err != nil {
		return nil, unavailable("the server's search cannot be read: %w", err)
	}
	var found []mail.Message
	for i := range list {
		m, err := s.whole(ctx, p, &list[i])
		if err != nil {
			return nil, err
		}
		if (q.Thread == "" || m.ThreadID == q.Thread) && (len(q.Types) == 0 || slices.Contains(q.Types, m.Type)) &&
			(q.Filter == nil || q.Filter(&m)) && len(found) < q.Limit {
			found = append(found, m)
		}
	}
	return found, nil
}

// queryText writes an expression in the syntax of search_messages.
func queryText(e mail.Expr) string {
	switch e := e.(type) {
	case mail.Term:
		text := strings.Join(e.Words, " ")
		switch {
		case len(e.Words) > 1 || !e.Prefix:
			return strconv.Quote(text)
		default:
			return text + "*"
		}
	case mail.And:
		var parts []string
		for _, part := range e.All {
			parts = append(parts, queryText(part))
		}
		text := []string{strings.Join(parts, " AND ")}
		for _, part := range e.None {
			text = append(text, queryText(part))
		}
		return "(" + strings.Join(text, " NOT ") + ")"
	case mail.Or:
		var parts []string
		for _, part := range e {
			parts = append(parts, queryText(part))
		}
		return "(" + strings.Join(parts, " OR ") + ")"
	}
	return ""
}
