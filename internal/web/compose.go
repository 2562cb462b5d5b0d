package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// composePage is the form of a new message.
type composePage struct {
	From       string
	To         string
	Thread     string
	Subject    string
	Body       string
	ReplyTo    int64
	Agents     []mail.Agent // who can be written to
	Threads    []mail.Thread
	Templates  []messageTemplate
	Type       protocol.MessageType
	Importance []message.Importance
}

// messageTemplate is a body with every section of its type, to be filled in.
type messageTemplate struct {
	Type     protocol.MessageType
	Subject  string
	Body     string
	Sections []message.Section
	Current  bool
}

func (w *Web) compose(r *http.Request) (view, error) {
	q := r.URL.Query()
	p := composePage{
		From: q.Get("from"), To: strings.Join(q["to"], ", "), Thread: q.Get("thread"), Subject: q.Get("subject"),
		Importance: []message.Importance{message.Low, message.Normal, message.High, message.Urgent},
	}
	var err error
	if p.Type, err = typeOf(q.Get("type")); err != nil {
		return view{}, err
	}
	if p.ReplyTo, err = idOf(q.Get("reply")); err != nil {
		return view{}, err
	}
	if p.From == "" {
		p.From = w.deps.Viewer(r.Context()).actor()
	}
	if err := w.answering(r.Context(), &p); err != nil {
		return view{}, err
	}
	if err := w.addressBook(r.Context(), &p); err != nil {
		return view{}, err
	}
	p.templates()
	return view{Template: "compose", Title: "Write a message", Nav: "inbox", Data: p, Still: true}, nil
}

// answering fills in what an answer takes from the message it answers.
func (w *Web) answering(ctx context.Context, p *composePage) error {
	if p.ReplyTo == 0 {
		return nil
	}
	m, err := w.deps.Access(ctx).Message(ctx, p.ReplyTo)
	if err != nil {
		return err
	}
	p.Thread = mail.ThreadOfReply(&m)
	if p.Subject == "" {
		p.Subject = mail.ReplySubject("Re:", m.Subject)
	}
	if p.To == "" {
		p.To = m.From
	}
	return nil
}

func (w *Web) addressBook(ctx context.Context, p *composePage) error {
	agents, err := w.deps.Sessions.Mail().Agents(ctx)
	if err != nil {
		return err
	}
	p.Agents = slices.DeleteFunc(agents, func(a mail.Agent) bool { return a.Retired() })
	p.Threads, err = w.deps.Access(ctx).LatestThreads(ctx, 50)
	return err
}

// templates writes a skeleton of each type from the table that the door judges by.
func (p *composePage) templates() {
	for _, schema := range message.Schemas() {
		t := messageTemplate{
			Type: schema.Type, Subject: p.subjectOf(schema.Type), Body: skeleton(schema), Sections: schema.Sections,
			Current: schema.Type == p.Type,
		}
		if t.Current {
			p.Body = t.Body
			if p.Subject == "" {
				p.Subject = t.Subject
			}
		}
		p.Templates = append(p.Templates, t)
	}
}

// subjectOf begins a subject. A DELTA has the word of its sender.
func (p *composePage) subjectOf(t protocol.MessageType) string {
	if t != protocol.TypeDelta {
		return string(t) + ": "
	}
	sender := mail.Agent{Name: p.From}
	if i := slices.IndexFunc(p.Agents, func(a mail.Agent) bool { return protocol.SameAgent(a.Name, p.From) }); i >= 0 {
		sender = p.Agents[i]
	}
	return sender.DeltaSubject("")
}

func skeleton(schema message.Schema) string {
	var b strings.Builder
	if schema.Title != "" {
		b.WriteString("# " + schema.Title + "\n")
	}
	for _, s := range schema.Sections {
		b.WriteString("\n## " + s.Name + "\n\n")
		switch {
		case len(s.Values) > 0:
			b.WriteString(s.Values[0] + "\n")
		case s.Hint != "":
			b.WriteString("(" + s.Hint + ")\n")
		}
	}
	return b.String()
}
