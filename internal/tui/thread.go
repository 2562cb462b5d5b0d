package tui

import (
	"context"
	"strconv"
	"strings"
	"time"

	"brenner/internal/commandline"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

// threadScreen lists the messages of a session, newest first.
type threadScreen struct{ id string }

func (s threadScreen) title() string      { return s.id }
func (s threadScreen) tab() string        { return "Thread" }
func (s threadScreen) siblings() []tabbed { return tabs(s.id) }
func (threadScreen) header() row          { return row{} }

// maxMessages is how many of the newest are listed; the rest is for brenner thread show.
const maxMessages = 500

func (s threadScreen) load(ctx context.Context, d data) ([]row, error) {
	messages, err := d.Mail().Store().Messages(ctx, mail.MessageQuery{
		Project: d.Mail().Project().ID, Thread: s.id, Order: mail.NewestFirst, Limit: maxMessages,
	})
	if err != nil {
		return nil, err
	}
	rows := make([]row, 0, len(messages))
	for i := range messages {
		rows = append(rows, messageRow(&messages[i], d.now))
	}
	if len(messages) == maxMessages {
		rows = append(rows, say(dim, " older messages: "+commandline.Of(protocol.OnThread("thread.show", s.id))))
	}
	return rows, nil
}

func messageRow(m *mail.Message, now time.Time) row {
	id := strconv.FormatInt(m.ID, 10)
	return row{
		key: id, open: messageScreen{m.ID},
		cells: []cell{
			{text: " " + termtext.Age(now.Sub(m.CreatedAt)), ink: dim, width: 6}, {text: "#" + id, ink: dim, width: 7},
			{text: string(m.Type), ink: typeInk(m.Type), width: 10}, {text: termtext.Visible(m.From), ink: strong, width: 16},
			{text: termtext.Visible(strings.TrimPrefix(m.Subject, string(m.Type)+": "))}, // the type is a column of its own
		},
	}
}

func typeInk(t protocol.MessageType) ink {
	switch t {
	case protocol.TypeCompiled:
		return good
	case protocol.TypeCritique, protocol.TypeQuestion, protocol.TypeHandoff:
		return warn
	case protocol.TypeBlocked:
		return bad
	case protocol.TypeDelta, protocol.TypeKickoff:
		return calm
	default:
		return plain
	}
}
