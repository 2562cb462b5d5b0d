package runner

import (
	"context"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// history is what the agents of a run did in each round, as the session tells. It grows with the messages, and is never
// kept.
type history struct {
	last   int64           // id of the last message
	rounds []*roundLog     // as they were opened
	said   map[string]bool // blocks that were accepted, by agent
	stops  []mail.Message  // messages that ask for an end of the run
	words  []mail.Message  // messages that pause it or let it go on
}

// roundLog is the part of the thread that belongs to a round.
type roundLog struct {
	number   int
	begun    time.Time
	first    int64                   // id of its first KICKOFF
	again    bool                    // the thread had a round of this number before
	opened   int64                   // id of its last KICKOFF
	kickoffs map[string]mail.Message // the latest to each agent, by name key
	order    []string                // of the recipients
	work     map[string]*work        // by name key
	compiled *mail.Message           // the last
	fresh    bool                    // something came that was not there before

	criticised bool
}

// work is what an agent wrote in a round.
type work struct {
	messages []int64 // contributions
	how      How
	deltas   bool // one of them is a delta that the merge accepted
	mailed   bool // it sent a delta itself, whatever the merge made of it
	fresh    bool // something in them was not contributed before
	others   int  // messages that contribute nothing; acknowledgements do not count
	refused  []Refusal
	last     time.Time // of its last message
}

func newHistory() *history { return &history{said: map[string]bool{}} }

// round returns the log of a round, of the last one with that number; an empty one if the thread has none.
func (h *history) round(n int) *roundLog {
	for _, r := range slices.Backward(h.rounds) {
		if r.number == n {
			return r
		}
	}
	return newRoundLog(n)
}

func newRoundLog(n int) *roundLog {
	return &roundLog{number: n, kickoffs: map[string]mail.Message{}, work: map[string]*work{}}
}

// current is the latest round; nil before the first KICKOFF.
func (h *history) current() *roundLog {
	if len(h.rounds) == 0 {
		return nil
	}
	return h.rounds[len(h.rounds)-1]
}

// span is the time of a round: from its first KICKOFF to that of the next; zero: it goes on.
func (r *run) span(round int) (begun, over time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, log := range r.history.rounds {
		if log.number != round {
			continue
		}
		begun, over = log.begun, time.Time{}
		if i+1 < len(r.history.rounds) {
			over = r.history.rounds[i+1].begun
		}
	}
	return begun, over
}

func (r *roundLog) of(agent string) *work {
	if w := r.work[mail.NameKey(agent)]; w != nil {
		return w
	}
	return &work{}
}

// catchUp asks the session what the thread has got since.
func (h *history) catchUp(ctx context.Context, s *session.Sessions, thread string) error {
	of, err := s.Session(ctx, thread)
	if err != nil {
		return err
	}
	found, err := of.RoundMessages(ctx, h.last)
	for i := range found {
		h.add(&found[i])
	}
	return err
}

// add takes in the next message.
func (h *history) add(m *session.RoundMessage) {
	h.last = m.ID
	if m.Type == protocol.TypeKickoff {
		h.kickoff(m)
		return
	}
	r := h.current()
	if r == nil {
		return
	}
	w := r.work[mail.NameKey(m.From)]
	if w == nil {
		w = &work{}
		r.work[mail.NameKey(m.From)] = w
	}
	w.last = m.CreatedAt
	switch m.Type {
	case protocol.TypeDelta:
		h.delta(r, w, m)
	case protocol.TypeCritique:
		w.contribute(m)
		w.fresh, r.fresh, r.criticised = true, true, true
	case protocol.TypeCompiled:
		r.compiled = &m.Message
	case protocol.TypeAck:
	default:
		w.others++
		if m.Subject == stopSubject && !m.Imported {
			h.stops = append(h.stops, m.Message)
		}
		if m.Subject == string(session.WordPause) || m.Subject == string(session.WordGo) {
			h.words = append(h.words, m.Message)
		}
	}
}

// kickoff begins a round, or belongs to the one that is open. A round that is opened again is played again: what was done
// in it before counts no more. A KICKOFF of somebody who does not convene the session asks nobody for anything.
func (h *history) kickoff(m *session.RoundMessage) {
	if !m.Calls {
		return
	}
	r := h.current()
	if r == nil || r.number != m.Round {
		again := slices.ContainsFunc(h.rounds, func(r *roundLog) bool { return r.number == m.Round })
		r = newRoundLog(m.Round)
		r.begun, r.first, r.again = m.CreatedAt, m.ID, again
		h.rounds = append(h.rounds, r)
	}
	r.opened = m.ID
	for _, to := range m.To {
		key := mail.NameKey(to)
		if _, known := r.kickoffs[key]; !known {
			r.order = append(r.order, to)
		}
		r.kickoffs[key] = m.Message
	}
}

func (w *work) contribute(m *session.RoundMessage) {
	w.messages = append(w.messages, m.ID)
	if w.how != ByMail {
		w.how = ByMail
		if printedKey(m.Key) {
			w.how = ByOutput
		}
	}
}

// printedKey tells whether a message has the key of a contribution that a runner posted.
func printedKey(key string) bool {
	return strings.HasPrefix(key, "key:"+keyPrefix) && strings.HasSuffix(key, outputKey)
}

// delta counts a contribution by what the merge made of it: new unless the agent had sent every block of it
// before. A block that the merge rejected is no contribution, whatever the door said.
func (h *history) delta(r *roundLog, w *work, m *session.RoundMessage) {
	if m.Merged == nil {
		return
	}
	if m.Merged.Readable > 0 && !printedKey(m.Key) {
		w.mailed = true
	}
	for _, b := range m.Merged.Blocks {
		if b.Status == delta.Rejected {
			w.refused = append(w.refused, Refusal{
				Source: "delta", MessageID: m.ID, Subject: m.Subject, Block: b.Index, Findings: errorsOf(b.Findings),
			})
			continue
		}
		key := mail.NameKey(m.From) + "\x00" + b.Text
		if !h.said[key] {
			h.said[key] = true
			w.fresh, r.fresh = true, true
		}
	}
	if m.Merged.Receipt.Accepted > 0 {
		w.contribute(m)
		w.deltas = true
	}
}
