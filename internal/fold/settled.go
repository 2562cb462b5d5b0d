package fold

import (
	"iter"
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Settlements is what the messages of one thread say about the acknowledgements that are owed there
// (PROTOCOL 11): who replied to what, and who contributed accepted deltas to which round. It is a fold of the
// thread, so that one pass answers for every debt. A copy that is clipped shares what it holds.
type Settlements struct {
	Rounds
	Through   int64 // the last message that was taken
	Replies   []reply
	Deltas    []contribution
	Completed int64 `json:"-"` // the message that completed the session; 0: it is open
}

// reply is a message that answers another. Reminders and escalations are none.
type reply struct {
	ID, To int64
	From   string
}

// contribution is a DELTA with an accepted block.
type contribution struct {
	ID    int64
	Round int
	From  string
}

// Take adds the next message of the thread. text is what it says; only that of a KICKOFF or a DELTA is asked for.
func (s *Settlements) Take(m *Message, text *message.Report) {
	s.Through = m.ID
	if m.ReplyTo != 0 && !m.Notice {
		s.Replies = append(s.Replies, reply{m.ID, m.ReplyTo, m.From})
	}
	switch {
	case text == nil:
	case m.Type == protocol.TypeKickoff:
		s.hear(m.Message, text.References.Round)
	case m.Type == protocol.TypeDelta && len(text.Deltas) > 0:
		s.Deltas = append(s.Deltas, contribution{m.ID, max(s.Round, 1), m.From})
	}
}

// Clip returns a copy to which nothing that the original takes is added, and the other way round.
func (s *Settlements) Clip() Settlements {
	c := *s
	c.Kickoffs, c.Replies, c.Deltas = slices.Clip(c.Kickoffs), slices.Clip(c.Replies), slices.Clip(c.Deltas)
	return c
}

// Debt is an acknowledgement that an agent owes.
type Debt struct {
	Message int64
	Type    protocol.MessageType // of the message
	Agent   string
}

// debtKey names a debt, whatever the case of the agent's name.
type debtKey struct {
	message int64
	agent   string
}

// Settle yields each debt that was settled, with the message that did it: a reply to the message, else a contribution to the
// round of a KICKOFF, else the completion of the session.
func (s *Settlements) Settle(debts []Debt) iter.Seq2[Debt, int64] {
	replied := s.replied(debts)
	return func(yield func(Debt, int64) bool) {
		for _, d := range debts {
			by := replied[debtKey{d.Message, strings.ToLower(d.Agent)}]
			if by == 0 && d.Type == protocol.TypeKickoff {
				by = s.contributed(d)
			}
			if by == 0 {
				by = s.Completed
			}
			if by != 0 && !yield(d, by) {
				return
			}
		}
	}
}

// replied finds the first reply to each debt.
func (s *Settlements) replied(debts []Debt) map[debtKey]int64 {
	asked := map[int64]bool{}
	for _, d := range debts {
		asked[d.Message] = true
	}
	replied := map[debtKey]int64{}
	for _, r := range slices.Backward(s.Replies) { // the first one counts
		if asked[r.To] {
			replied[debtKey{r.To, strings.ToLower(r.From)}] = r.ID
		}
	}
	return replied
}

// contributed returns the first contribution of an agent to the round of a KICKOFF after it, 0 if there is none.
func (s *Settlements) contributed(d Debt) int64 {
	round := s.At(d.Message)
	for _, c := range s.Deltas {
		if c.ID > d.Message && c.Round == round && protocol.SameAgent(c.From, d.Agent) {
			return c.ID
		}
	}
	return 0
}
