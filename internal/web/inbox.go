package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// inboxLength is how many messages a page of an inbox shows.
const inboxLength = 25

// inboxPage is what one agent received.
type inboxPage struct {
	Agent   mail.Agent
	Show    string // all, unread, owed, overdue
	Type    protocol.MessageType
	Shows   []inboxFilter
	Types   []inboxFilter
	Entries []inboxEntry
	Older   string
	Newest  string // set where an older page is shown
	Owed    int
	Overdue int
}

type inboxFilter struct {
	Name    string
	Value   string
	Link    string
	Current bool
}

// inboxEntry is a received message.
type inboxEntry struct {
	mailEntry
	Delivery mail.Delivery
	Unread   bool
	Owed     bool
	Deadline time.Time
	Overdue  bool
	Settled  int64 // the message that settled what is owed; 0: none did
	Critique bool  // it can be answered as a critique
	Owner    string
	Lab      bool
	Re       string
}

func (w *Web) inbox(r *http.Request) (view, error) {
	name := r.PathValue("agent")
	viewer := w.deps.Viewer(r.Context())
	if !viewer.sees(name) {
		return view{}, protocol.Errorf(protocol.NotAllowed, "the token is %s's, and the inbox is %s's", viewer.Name, name)
	}
	service := w.deps.Sessions.Mail()
	agent, err := service.Agent(r.Context(), name)
	if err != nil {
		return view{}, protocol.Errorf(protocol.NotFound, "there is no agent %s", name)
	}
	p := inboxPage{Agent: agent, Show: r.URL.Query().Get("show")}
	if p.Type, err = typeOf(r.URL.Query().Get("type")); err != nil {
		return view{}, err
	}
	before, err := idOf(r.URL.Query().Get("before"))
	if err != nil {
		return view{}, err
	}
	pending, err := w.deps.Sessions.Unacknowledged(r.Context())
	if err != nil {
		return view{}, err
	}
	pending = slices.DeleteFunc(pending, func(a mail.PendingAck) bool { return !protocol.SameAgent(a.Agent, agent.Name) })
	p.count(pending)
	received, err := w.received(r, p, before, pending)
	if err != nil {
		return view{}, err
	}
	p.filters()
	p.turn(received, before)
	// Looking at mail changes nothing: reading is an act of its own (PROTOCOL 11).
	received = received[:min(len(received), inboxLength)]
	threads := make([]string, len(received))
	for i, m := range received {
		threads[i] = m.Message.ThreadID
	}
	views := w.deps.Sessions.Views(r.Context(), threads)
	entries, err := w.entries(r.Context(), views, received)
	if err != nil {
		return view{}, err
	}
	readers := w.readers(views, threads)
	for i, m := range received {
		rd := readers[m.Message.ThreadID]
		rd.viewer = p.Agent.Name
		entry := rd.inboxEntry(m, entries[i], pending)
		w.tell(r.Context(), rd, &entry.mailEntry, views)
		entry.Owner, entry.Lab = p.Agent.Name, w.options.Lab
		p.Entries = append(p.Entries, entry)
	}
	return view{Template: "inbox", Title: "Inbox of " + agent.Name, Nav: "inbox", Data: &p}, nil
}

func (p *inboxPage) count(pending []mail.PendingAck) {
	p.Owed = len(pending)
	for i := range pending {
		if pending[i].Overdue {
			p.Overdue++
		}
	}
}

// received finds one message more than the page shows.
func (w *Web) received(r *http.Request, p inboxPage, before int64, pending []mail.PendingAck) ([]mail.Received, error) {
	q := mail.InboxQuery{Agent: p.Agent.Name, Before: before, Limit: inboxLength + 1}
	if p.Type != "" {
		q.Types = []protocol.MessageType{p.Type}
	}
	switch p.Show {
	case "", "all":
	case "unread":
		q.Unread = true
	case "owed":
		q.Owed = true
	case "overdue":
		return w.overdue(r, p, before, pending)
	default:
		return nil, protocol.Errorf(protocol.Usage, "an inbox shows all, unread, owed or overdue mail, not %.40q", p.Show)
	}
	return w.deps.Sessions.Mail().Inbox(r.Context(), q)
}

// overdue picks what is overdue from what is owed, newest first.
func (w *Web) overdue(r *http.Request, p inboxPage, before int64, pending []mail.PendingAck) ([]mail.Received, error) {
	var ids []int64
	for _, owed := range slices.Backward(pending) {
		m := owed.Message
		if owed.Overdue && (before == 0 || m.ID < before) && (p.Type == "" || m.Type == p.Type) && len(ids) <= inboxLength {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := w.deps.Sessions.Mail().Inbox(r.Context(), mail.InboxQuery{
		Agent: p.Agent.Name, Owed: true, After: ids[len(ids)-1] - 1, Before: ids[0] + 1,
	})
	return slices.DeleteFunc(list, func(m mail.Received) bool { return !slices.Contains(ids, m.Message.ID) }), err
}

func (p *inboxPage) url(show string, only protocol.MessageType, before int64) string {
	values := url.Values{}
	if show != "" && show != "all" {
		values.Set("show", show)
	}
	if only != "" {
		values.Set("type", string(only))
	}
	if before > 0 {
		values.Set("before", strconv.FormatInt(before, 10))
	}
	if len(values) == 0 {
		return agentURL(p.Agent.Name)
	}
	return agentURL(p.Agent.Name) + "?" + values.Encode()
}

func (p *inboxPage) filters() {
	if p.Show == "" {
		p.Show = "all"
	}
	for _, f := range []struct{ value, name string }{{"all", "All"}, {"unread", "Unread"}, {"owed", "To acknowledge"},
		{"overdue", "Overdue"}} {
		p.Shows = append(p.Shows, inboxFilter{f.name, f.value, p.url(f.value, p.Type, 0), p.Show == f.value})
	}
	p.Types = append(p.Types, inboxFilter{"All types", "", p.url(p.Show, "", 0), p.Type == ""})
	for _, schema := range message.Schemas() {
		name := string(schema.Type)
		p.Types = append(p.Types, inboxFilter{name, name, p.url(p.Show, schema.Type, 0), p.Type == schema.Type})
	}
}

func (p *inboxPage) turn(received []mail.Received, before int64) {
	if len(received) > inboxLength {
		p.Older = p.url(p.Show, p.Type, received[inboxLength-1].Message.ID)
	}
	if before > 0 {
		p.Newest = p.url(p.Show, p.Type, 0)
	}
}

// entries adds to received messages what became of their deltas.
func (w *Web) entries(ctx context.Context, views map[string]*fold.View, received []mail.Received) ([]session.Entry, error) {
	list := make([]session.Entry, len(received))
	for i, m := range received {
		list[i].Message = m.Message
		if m.Message.Type != protocol.TypeDelta {
			continue
		}
		judged, err := w.deps.Sessions.Entry(ctx, views[m.Message.ThreadID], m.Message)
		if err != nil {
			return nil, err
		}
		list[i].Receipt, list[i].Changes, list[i].Results = judged.Receipt, judged.Changes, judged.Results
	}
	return list, nil
}

func (rd *reader) inboxEntry(m mail.Received, e session.Entry, pending []mail.PendingAck) inboxEntry {
	out := inboxEntry{
		mailEntry: rd.entry(e), Delivery: m.Delivery,
		Critique: m.Message.Type == protocol.TypeCritique && m.Message.ThreadID != "",
	}
	out.Unread = out.Delivery.State() < mail.Read
	out.Re = mail.ReplySubject("Re:", short(maxHeadline, m.Message.Subject))
	for i := range pending {
		if pending[i].Message.ID == m.Message.ID {
			out.Owed, out.Deadline, out.Overdue, out.Settled = true, pending[i].Deadline, pending[i].Overdue, pending[i].SettledBy
		}
	}
	return out
}
