package transfer_test

import (
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// chained makes a thread of which the second message was imported.
func chained() []mail.Message {
	var list []mail.Message
	var chain canon.Hash
	for i, body := range []string{"one", "two", "three"} {
		m := mail.Message{Message: message.Message{
			ID: int64(10 + i), ThreadID: "RS-20260110-cells-turn", From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: x", Body: body,
			CreatedAt: time.Date(2026, 1, 10, 9, i, 0, 0, time.UTC), Importance: message.Normal, Intake: protocol.Strict,
		}}
		if i == 1 {
			m.OriginalID, m.Imported = 3, true
		}
		chain = mail.ChainNext(chain, &m)
		m.ChainHash = chain
		list = append(list, m)
	}
	return list
}

// crated are the lines of a crate with the first messages.
func crated(messages []mail.Message) []transfer.Line {
	var lines []transfer.Line
	for i := range messages {
		l := transfer.NewLine(&messages[i], nil)
		l.ID, l.OriginalID = l.OriginID(), 0
		lines = append(lines, l)
	}
	return lines
}

func TestCovers(t *testing.T) {
	for name, test := range map[string]struct {
		change func(messages []mail.Message, lines *[]transfer.Line)
		code   protocol.Code
	}{
		"the same":           {func([]mail.Message, *[]transfer.Line) {}, ""},
		"no line":            {func(_ []mail.Message, l *[]transfer.Line) { *l = nil }, protocol.CrateMismatch},
		"more lines":         {func(_ []mail.Message, l *[]transfer.Line) { *l = append(*l, (*l)[0], (*l)[0]) }, protocol.CrateMismatch},
		"another text":       {func(_ []mail.Message, l *[]transfer.Line) { (*l)[1].Body = "Two" }, protocol.CrateMismatch},
		"another recipient":  {func(_ []mail.Message, l *[]transfer.Line) { (*l)[0].Bcc = []string{"Eve"} }, protocol.CrateMismatch},
		"another chain hash": {func(_ []mail.Message, l *[]transfer.Line) { (*l)[0].ChainHash[0]++ }, protocol.CrateMismatch},
		"swapped": {func(_ []mail.Message, l *[]transfer.Line) {
			(*l)[0], (*l)[1] = (*l)[1], (*l)[0]
		}, protocol.CrateMismatch},
		"a tampered last text": {func(m []mail.Message, _ *[]transfer.Line) { m[2].Body = "four" }, protocol.ChainBroken},
	} {
		t.Run(name, func(t *testing.T) {
			messages := chained()
			lines := crated(messages[:2])
			test.change(messages, &lines)
			through, err := transfer.Covers(messages, lines)
			if test.code == "" {
				if err != nil || through != 11 {
					t.Errorf("%d, %v", through, err)
				}
				return
			}
			if protocol.CodeOf(err) != test.code {
				t.Errorf("got %v, want %s", err, test.code)
			}
		})
	}
}

func TestRefill(t *testing.T) {
	whole := chained()
	stub := mail.ArchivedThread{ID: whole[0].ThreadID, HeadID: 12, ChainHash: whole[2].ChainHash, Through: 11}
	emptied := func() []mail.Message {
		list := chained()
		list[0].Body, list[1].Body = "", ""
		return list
	}
	messages := emptied()
	if err := transfer.Refill(stub, messages, crated(whole[:2])); err != nil || messages[0].Body != "one" || messages[1].Body != "two" {
		t.Errorf("%v %+v", err, messages)
	}
	forged := crated(whole[:2])
	forged[0].Body = "forged"
	short := stub
	short.Through = 10
	for _, err := range []error{
		transfer.Refill(stub, emptied(), forged), transfer.Refill(stub, emptied(), crated(whole[:1])),
		transfer.Refill(stub, emptied(), nil), transfer.Refill(short, emptied(), crated(whole[:2])),
	} {
		if code := protocol.CodeOf(err); code != protocol.CrateMismatch && code != protocol.ChainBroken {
			t.Errorf("got %v", err)
		}
	}
}
