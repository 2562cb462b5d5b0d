package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// history is the thread as the runner sees it: rounds, and who did what in each. It grows with the
// messages, and is never kept.
type history struct {
	last   int64 // id of the last message
	rounds []*roundLog
	said   map[string]bool // blocks that were accepted, by agent
	stops  []mail.Message  // messages that ask for an end of the run
	words  []mail.Message  // messages that pause it or let it go on
}

// roundLog is the part of the thread that belongs to a round.
type roundLog struct {
	number   int
	begun    time.Time
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

// round returns the log of a round, an empty one if the thread has none.
func (h *history) round(n int) *roundLog {
	for _, r := range h.rounds {
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
	for _, log := range r.history.rounds {
		if log.number == round {
			begun = log.begun
		}
		if log.number > round && over.IsZero() {
			over = log.begun
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

// catchUp reads what the thread has got since.
func (h *history) catchUp(ctx context.Context, s *session.Sessions, thread string) error {
	found, err := s.Mail().Store().Messages(ctx, mail.MessageQuery{Project: s.Mail().Project().ID, Thread: thread, After: h.last})
	if err != nil {
		return err
	}
	receipts, err := mergedOf(ctx, s, thread, found)
	if err != nil {
		return err
	}
	for i := range found {
		h.add(&found[i], receipts[found[i].ID])
	}
	return nil
}

// mergedOf asks what the merge made of the deltas among messages.
func mergedOf(ctx context.Context, s *session.Sessions, thread string, messages []mail.Message) (map[int64]*delta.Receipt, error) {
	deltas := slices.DeleteFunc(slices.Clone(messages), func(m mail.Message) bool { return m.Type != protocol.TypeDelta })
	if len(deltas) == 0 {
		return nil, nil
	}
	of, err := s.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	return of.Merged(ctx, deltas)
}

// add takes in the next message, with the receipt that the merge gave it.
func (h *history) add(m *mail.Message, merged *delta.Receipt) {
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
		h.delta(r, w, m, merged)
	case protocol.TypeCritique:
		w.contribute(m)
		w.fresh, r.fresh, r.criticised = true, true, true
	case protocol.TypeCompiled:
		r.compiled = m
	case protocol.TypeAck:
	default:
		w.others++
		if m.Subject == stopSubject && !m.Imported {
			h.stops = append(h.stops, *m)
		}
		if m.Subject == string(session.WordPause) || m.Subject == string(session.WordGo) {
			h.words = append(h.words, *m)
		}
	}
}

// kickoff opens a round, or belongs to the one that is open: no earlier round is played again.
func (h *history) kickoff(m *mail.Message) {
	r := h.current()
	if r == nil {
		r = newRoundLog(0)
	}
	if n := message.RoundAfter(r.number, message.Round(m.Body)); n > r.number {
		r = newRoundLog(n)
		r.begun = m.CreatedAt
		h.rounds = append(h.rounds, r)
	}
	r.opened = m.ID
	for _, to := range m.To {
		key := mail.NameKey(to)
		if _, known := r.kickoffs[key]; !known {
			r.order = append(r.order, to)
		}
		r.kickoffs[key] = *m
	}
}

func (w *work) contribute(m *mail.Message) {
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
func (h *history) delta(r *roundLog, w *work, m *mail.Message, merged *delta.Receipt) {
	checked := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	if checked.Receipt == nil {
		return
	}
	if checked.Receipt.Accepted > 0 && !printedKey(m.Key) {
		w.mailed = true
	}
	if merged == nil {
		merged = checked.Receipt
	}
	for _, b := range blocksOf(checked.Document, merged) {
		if b.Status == delta.Rejected {
			w.refused = append(w.refused, Refusal{
				Source: "delta", MessageID: m.ID, Subject: m.Subject, Block: b.Index, Findings: errorsOf(b.Findings),
			})
			continue
		}
		key := mail.NameKey(m.From) + "\x00" + b.text
		if !h.said[key] {
			h.said[key] = true
			w.fresh, r.fresh = true, true
		}
	}
	if merged.Accepted > 0 {
		w.contribute(m)
		w.deltas = true
	}
}

// block is a delta block with its text.
type block struct {
	delta.Block
	raw  string
	text string // without the blanks that say nothing
}

// blocksOf puts the receipt of each block beside its text.
func blocksOf(doc *markup.Document, receipt *delta.Receipt) []block {
	var list []block
	for _, f := range doc.Fences() { // both are in the order of the text
		if len(list) == len(receipt.Blocks) || receipt.Blocks[len(list)].Line != f.Line {
			continue
		}
		b := block{Block: receipt.Blocks[len(list)], raw: f.Content, text: strings.TrimSpace(f.Content)}
		var compact bytes.Buffer
		if json.Compact(&compact, []byte(f.Content)) == nil {
			b.text = compact.String()
		}
		list = append(list, b)
	}
	return list
}
