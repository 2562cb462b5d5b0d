package web

import (
	"net/http"
	"strconv"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// maxUnread is how far unread mail is counted: beyond it a person reads "9+".
const maxUnread = 9

// inboxesPage lists the mailboxes of the project.
type inboxesPage struct {
	Boxes []mailbox
	Actor string
}

// mailbox is one agent and what waits for it.
type mailbox struct {
	mail.Agent
	Unread  int
	More    bool // than are counted
	Owed    int
	Overdue int
	Self    bool // it is the viewer's own
}

func (w *Web) inboxes(r *http.Request) (view, error) {
	viewer := w.deps.Viewer(r.Context())
	service := w.deps.Sessions.Mail()
	agents, err := service.Agents(r.Context())
	if err != nil {
		return view{}, err
	}
	pending, err := w.deps.Sessions.Unacknowledged(r.Context())
	if err != nil {
		return view{}, err
	}
	p := inboxesPage{Actor: viewer.actor()}
	var others []mailbox
	for _, a := range agents {
		if !viewer.sees(a.Name) {
			continue
		}
		box, err := w.mailbox(r, a, pending)
		if err != nil {
			return view{}, err
		}
		if box.Self = protocol.SameAgent(a.Name, viewer.actor()); box.Self {
			p.Boxes = append(p.Boxes, box)
		} else {
			others = append(others, box)
		}
	}
	p.Boxes = append(p.Boxes, others...)
	return view{Template: "inboxes", Title: "Inbox", Nav: "inbox", Data: p}, nil
}

func (w *Web) mailbox(r *http.Request, a mail.Agent, pending []mail.PendingAck) (mailbox, error) {
	box := mailbox{Agent: a}
	unread, err := w.deps.Sessions.Mail().Inbox(r.Context(), mail.InboxQuery{Agent: a.Name, Unread: true, Limit: maxUnread + 1})
	if err != nil {
		return box, err
	}
	box.Unread, box.More = min(len(unread), maxUnread), len(unread) > maxUnread
	for i := range pending {
		if protocol.SameAgent(pending[i].Agent, a.Name) {
			box.Owed++
			if pending[i].Overdue {
				box.Overdue++
			}
		}
	}
	return box, nil
}

// sees tells whether a mailbox is the viewer's to look into: an agent's token opens its own alone.
func (v Viewer) sees(agent string) bool {
	return v.Name == "" || v.Operator || protocol.SameAgent(v.Name, agent)
}

// unread counts the viewer's mail. The page of a thread is kept while that thread rests, but for a minute at most: its count is no older.
func (w *Web) unread(r *http.Request, v view) string {
	if v.Bare {
		return ""
	}
	box, err := w.mailbox(r, mail.Agent{Name: w.deps.Viewer(r.Context()).actor()}, nil)
	switch {
	case err != nil || box.Unread == 0:
		return "" // the page is about something else
	case box.More:
		return strconv.Itoa(box.Unread) + "+"
	}
	return strconv.Itoa(box.Unread)
}
