package fold_test

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// spoken is a message of a thread as settlements see it.
type spoken struct {
	fold.Message
	text *message.Report
}

// say draws the next message of a thread that answers message 1.
func say(t *rapid.T, id int64) spoken {
	agents := []string{"BlueLake", "bluelake", "RedSky", "Operator"}
	kinds := []protocol.MessageType{protocol.TypeKickoff, protocol.TypeDelta, protocol.TypeInfo}
	m := spoken{Message: fold.Message{Message: &message.Message{ID: id, From: rapid.SampledFrom(agents).Draw(t, "from")}}}
	m.Type, m.Notice = rapid.SampledFrom(kinds).Draw(t, "type"), rapid.IntRange(0, 9).Draw(t, "notice") == 0
	m.AckRequired, m.ReplyTo = rapid.Bool().Draw(t, "ack"), rapid.Int64Range(0, id-1).Draw(t, "reply")
	m.text = &message.Report{}
	m.text.References.Round = rapid.IntRange(0, 3).Draw(t, "round")
	m.text.Deltas = make([]delta.Delta, rapid.IntRange(0, 1).Draw(t, "blocks"))
	return m
}

// walk finds what settled a debt by looking at every message (PROTOCOL 11).
func walk(thread []spoken, rounds *fold.Rounds, d fold.Debt) int64 {
	for _, m := range thread {
		if m.ReplyTo == d.Message && !m.Notice && protocol.SameAgent(m.From, d.Agent) {
			return m.ID
		}
	}
	for _, m := range thread {
		if d.Type == protocol.TypeKickoff && m.Type == protocol.TypeDelta && len(m.text.Deltas) > 0 && m.ID > d.Message &&
			rounds.At(m.ID) == rounds.At(d.Message) && protocol.SameAgent(m.From, d.Agent) {
			return m.ID
		}
	}
	return 0
}

// TestSettlementsKeepWhatSettles: what is kept is as large as what is asked, and says of every debt what a walk over all messages says.
func TestSettlementsKeepWhatSettles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s fold.Settlements
		var thread []spoken
		for n := range rapid.Int64Range(1, 40).Draw(t, "messages") {
			m := say(t, n+2)
			thread = append(thread, m)
			s.Take(&m.Message, m.text)
		}
		debts := []fold.Debt{{Message: 1, Type: protocol.TypeQuestion, Agent: "RedSky"}}
		for _, m := range thread {
			if m.AckRequired {
				debts = append(debts, fold.Debt{Message: m.ID, Type: m.Type, Agent: "BlueLake"},
					fold.Debt{Message: m.ID, Type: m.Type, Agent: "RedSky"})
			}
		}
		want := map[fold.Debt]int64{}
		for _, d := range debts {
			if by := walk(thread, &s.Rounds, d); by != 0 {
				want[d] = by
			}
		}
		if got := maps.Collect(s.Settle(debts)); !maps.Equal(want, got) {
			t.Fatalf("kept %v, a walk says %v", got, want)
		}
	})
}

// A thread without questions keeps nothing of its messages for those who ask.
func TestSettlementsOfMuchWork(t *testing.T) {
	var s fold.Settlements
	for id := range int64(1000) {
		m := fold.Message{Message: &message.Message{ID: id + 1, From: "BlueLake", ReplyTo: id}, Type: protocol.TypeDelta}
		s.Take(&m, &message.Report{Deltas: make([]delta.Delta, 1)})
	}
	if kept := len(s.Asks) + len(s.Replies) + len(s.Deltas); kept > 2 {
		t.Errorf("%d things are kept: %s", kept, fmt.Sprint(s))
	}
}
