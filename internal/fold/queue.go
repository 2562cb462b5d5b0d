package fold

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// QueueEntry is a critique with its state.
type QueueEntry struct {
	OpenCritique
	ThreadID string        `json:"thread_id"`
	State    string        `json:"state"` // open or answered
	Answers  []AnswerEntry `json:"answers"`
	Body     *string       `json:"body_md"` // of one that is shown
}

// AnswerEntry is an answer to a critique.
type AnswerEntry struct {
	MessageID int64      `json:"message_id"`
	From      string     `json:"from"`
	Kind      AnswerKind `json:"kind"`
}

// OpenCritique is a challenge without an answer: a CRITIQUE message, or a C item.
type OpenCritique struct {
	MessageID int64   `json:"message_id"`
	Item      *string `json:"item"`
	From      string  `json:"from"`
	Severity  *string `json:"severity"`
	Title     string  `json:"title"`
	Target    *string `json:"target"`
	CreatedTS string  `json:"created_ts"`
	Promoted  bool    `json:"promoted"` // a CRITIQUE message and its item in one
}

// Critical tells whether it is of the gravest kind.
func (c OpenCritique) Critical() bool { return c.Severity != nil && message.Critical(*c.Severity) }

// FirstTarget is the first item that it attacks; empty: it names none.
func (c OpenCritique) FirstTarget() string {
	if c.Target == nil {
		return ""
	}
	for _, word := range message.ItemWords(*c.Target) {
		return word
	}
	return ""
}

// OnQuestion reports whether it attacks the whole question: it is a CRITIQUE whose target names no item.
func (c OpenCritique) OnQuestion() bool {
	return c.MessageID > 0 && c.Item == nil && c.FirstTarget() == ""
}

// Entry is a critique with its state.
func (v *View) Entry(c *Critique) QueueEntry {
	e := QueueEntry{OpenCritique: c.entry(), ThreadID: v.Fold.ThreadID(), State: "open", Answers: []AnswerEntry{}}
	if !v.Open(c) {
		e.State = "answered"
	}
	for _, a := range c.Answers {
		e.Answers = append(e.Answers, AnswerEntry{a.MessageID, a.From, a.Kind})
	}
	return e
}

// Queue lists the critiques: messages with their state, then open C items.
func (v *View) Queue() []QueueEntry {
	threadID := v.Fold.ThreadID()
	list := []QueueEntry{}
	for i := range v.Critiques {
		list = append(list, v.Entry(&v.Critiques[i]))
	}
	for _, open := range v.OpenCritiques() {
		if open.Item != nil && !open.Promoted {
			list = append(list, QueueEntry{OpenCritique: open, ThreadID: threadID, State: "open", Answers: []AnswerEntry{}})
		}
	}
	return list
}

// OpenCritiques lists what waits for an answer: CRITIQUE messages, then C items that none of them was
// promoted to.
func (v *View) OpenCritiques() []OpenCritique {
	list := []OpenCritique{}
	joined := map[artifact.ItemID]bool{}
	for i := range v.Critiques {
		c := &v.Critiques[i]
		joined[c.Item] = true
		if v.Open(c) {
			list = append(list, c.entry())
		}
	}
	for _, it := range v.Fold.Artifact().Active(artifact.AdversarialCritique) {
		if science.OpenItem(it) && !joined[it.ID] {
			list = append(list, ItemEntry(it))
		}
	}
	return list
}

func (c *Critique) entry() OpenCritique {
	return OpenCritique{
		MessageID: c.MessageID, Item: protocol.OrNull(string(c.Item)), Promoted: c.Item != "", From: c.From,
		Severity: protocol.OrNull(c.Severity), Title: c.Title,
		Target: protocol.OrNull(targetText(c.Target)), CreatedTS: artifact.FormatTime(c.CreatedAt),
	}
}

// ItemEntry is a C item as an entry of the queue.
func ItemEntry(it *artifact.Item) OpenCritique {
	id := string(it.ID)
	entry := OpenCritique{Item: &id, Title: it.Title()}
	if src := it.Source(artifact.Attack); src != nil {
		entry.MessageID, entry.From, entry.CreatedTS = src.MessageID, src.Agent, artifact.FormatTime(src.At)
	}
	return entry
}

func targetText(t message.Target) string {
	var parts []string
	if t.Item != "" {
		parts = append(parts, t.Item)
	}
	if t.Section != "" {
		parts = append(parts, t.Section)
	}
	if t.Version > 0 {
		parts = append(parts, "v"+FormatID(int64(t.Version)))
	}
	return strings.Join(parts, ", ")
}
