package demo

import (
	"context"
	"encoding/json"
	"io"
	"slices"

	"brenner/artifact/delta"
	"brenner/internal/app"
	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

// Said is what an agent tells the operator beside its mail: a line of JSON on its output.
type Said struct {
	Agent    string             `json:"agent"`
	Refused  string             `json:"refused,omitempty"`
	Findings []protocol.Finding `json:"findings,omitempty"`
	Repaired []string           `json:"repaired,omitempty"`
}

// Agent plays one agent until the session is complete. It shares nothing with the operator but
// the project's mail.
func Agent(ctx context.Context, a *app.App, name string, out io.Writer) error {
	i := slices.IndexFunc(cast, func(p player) bool { return p.AgentName == name })
	if i < 0 {
		return protocol.Errorf(protocol.NotFound, "no agent of the demo is called %q", name)
	}
	p := performer{player: cast[i], mail: a.Mail, out: json.NewEncoder(out), played: make([]bool, len(cast[i].lines))}
	for event, err := range a.Mail.Follow(ctx, 0) {
		if err != nil {
			return err
		}
		if event.Kind != mail.EventMessage {
			continue
		}
		done, err := p.hear(ctx, event.Message)
		if err != nil || done {
			return err
		}
	}
	return ctx.Err()
}

type performer struct {
	player
	mail   *mail.Service
	out    *json.Encoder
	played []bool
}

// hear reads one message if it was sent to this agent, and answers its cues.
func (p *performer) hear(ctx context.Context, id int64) (done bool, err error) {
	received, err := p.mail.Store().Deliveries(ctx, mail.DeliveryQuery{
		Project: p.mail.Project().ID, Messages: []int64{id}, Agent: p.AgentName,
	})
	if err != nil || len(received) == 0 {
		return false, err
	}
	m, err := p.mail.Message(ctx, id)
	if err != nil {
		return false, err
	}
	if _, err := p.mail.MarkRead(ctx, p.AgentName, id); err != nil {
		return false, err
	}
	if m.AckRequired {
		if _, err := p.mail.Acknowledge(ctx, p.AgentName, id, "Read; I am on it."); err != nil {
			return false, err
		}
	}
	for i, l := range p.lines {
		if !p.played[i] && l.cue.typ == m.Type && (l.cue.from == "" || l.cue.from == m.From) {
			p.played[i] = true
			if err := p.say(ctx, l, m); err != nil {
				return false, err
			}
		}
	}
	return completedSubject(m.Subject), nil
}

func completedSubject(subject string) bool {
	return len(subject) > len(completePrefix) && subject[:len(completePrefix)] == completePrefix
}

const completePrefix = "INFO: Session complete at v"

// say sends a line. A contribution that is refused is repaired by what the receipt says, and
// sent again.
func (p *performer) say(ctx context.Context, l line, m mail.Message) error {
	d := message.Draft{
		ThreadID: m.ThreadID, From: p.AgentName, To: []string{mail.Operator}, Cc: p.others(),
		Subject: l.subject, Body: script(l.body),
	}
	if l.cue.typ == protocol.TypeCompiled { // a critique is addressed to whom it concerns
		d.To, d.Cc = []string{"BlueLake"}, []string{mail.Operator}
	}
	if l.reply {
		d.ReplyTo = m.ID
	}
	sent, err := p.mail.Send(ctx, mail.Outgoing{Draft: d})
	if protocol.CodeOf(err) != protocol.ValidationFailed {
		return err
	}
	repaired := delta.Fix(d.Body)
	said := Said{Agent: p.AgentName, Refused: l.subject, Findings: sent.Findings}
	for _, r := range repaired.Repairs {
		said.Repaired = append(said.Repaired, r.Message)
	}
	if err := p.out.Encode(said); err != nil {
		return err
	}
	d.Body = repaired.Text
	_, err = p.mail.Send(ctx, mail.Outgoing{Draft: d})
	return err
}

func (p *performer) others() []string {
	var names []string
	for _, other := range cast {
		if other.AgentName != p.AgentName {
			names = append(names, other.AgentName)
		}
	}
	return names
}
