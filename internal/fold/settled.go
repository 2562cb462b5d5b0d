package fold

import (
	"cmp"
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
	Through   int64          // the last message that was taken
	Began     int64          // the first message
	Asks      []int64        // messages that ask for an acknowledgement
	Replies   []reply        // the first of each agent to each of them, or to what the thread answers
	Deltas    []contribution // the first of each agent since the latest KICKOFF
	Completed int64          `json:"-"` // the message that completed the session; 0: it is open
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
	s.Through, s.Began = m.ID, cmp.Or(s.Began, m.ID)
	if m.ReplyTo != 0 && !m.Notice {
		s.reply(reply{m.ID, m.ReplyTo, m.From})
	}
	if m.AckRequired {
		s.Asks = append(s.Asks, m.ID)
	}
	switch {
	case text == nil:
	case m.Type == protocol.TypeKickoff:
		s.hear(m.Message, text.References.Round)
	case m.Type == protocol.TypeDelta && len(text.Deltas) > 0:
		s.contribute(contribution{m.ID, max(s.Round, 1), m.From})
	}
}

// reply takes a reply that may settle a debt: the first one of its sender to a message that asks for one. A message outside the
// thread, such as one that had no thread before it was answered, came before it.
func (s *Settlements) reply(r reply) {
	if _, asked := slices.BinarySearch(s.Asks, r.To); !asked && r.To >= s.Began {
		return
	}
	for _, old := range slices.Backward(s.Replies) {
		if old.To == r.To && protocol.SameAgent(old.From, r.From) {
			return
		}
		if old.ID < r.To {
			break // what came before a message does not answer it
		}
	}
	s.Replies = append(s.Replies, r)
}

// contribute takes a contribution that may settle a debt: the first one of its sender since the latest KICKOFF. Any KICKOFF before
// that one is settled by an earlier contribution as well.
func (s *Settlements) contribute(c contribution) {
	for _, old := range slices.Backward(s.Deltas) {
		if len(s.Kickoffs) > 0 && old.ID < s.Kickoffs[len(s.Kickoffs)-1].ID {
			break
		}
		if protocol.SameAgent(old.From, c.From) {
			return
		}
	}
	s.Deltas = append(s.Deltas, c)
}

// Clip returns a copy to which nothing that the original takes is added, and the other way round.
func (s *Settlements) Clip() Settlements {
	c := *s
	c.Asks, c.Kickoffs, c.Replies, c.Deltas = slices.Clip(c.Asks), slices.Clip(c.Kickoffs), slices.Clip(c.Replies), slices.Clip(c.Deltas)
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
