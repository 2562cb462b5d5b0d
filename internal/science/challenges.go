package science

import (
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Challenges is the life of a thread's C items: whom they attack, and who closed them.
type Challenges struct {
	Items List[Challenge] // by number
}

// Challenge is a C item as an attack.
type Challenge struct {
	By        string
	MessageID int64
	At        time.Time
	WasOpen   bool // after some message; one that was born settled and left so attacks nobody
	Hits      []Hit
	Replies   []Reply
}

// Hit is a hypothesis that an attack names, and who made it do so. An edit that lets an item name another hypothesis is
// its writer's attack, not that of who added the item.
type Hit struct {
	Hypothesis string
	By         string
	MessageID  int64
	At         time.Time
	Seen       []Seen
}

// Reply is what somebody did about an attack: closed it, or answered it with a change.
type Reply struct {
	MessageID int64
	By        string
	At        time.Time
	Closes    bool
	Seen      []Seen // what the hypotheses said after it
}

// Advance takes the next message of the thread, after the wordings have.
func (r *Challenges) Advance(s Step, wordings *Wordings) {
	for _, it := range s.Touched(artifact.AdversarialCritique) {
		r.touch(s, it, wordings)
	}
	if s.Report.Type != protocol.TypeDelta || s.Report.Text == nil || s.Report.Receipt == nil || s.Report.Receipt.Accepted == 0 {
		return
	}
	for _, name := range s.Report.Text.References.ResponseTo {
		if it := s.Artifact.Item(artifact.ItemID(name)); it != nil && it.Section == artifact.AdversarialCritique {
			r.reply(s, it, wordings, Reply{MessageID: s.Message.ID, By: s.Report.From, At: s.Message.CreatedAt})
		}
	}
}

func (r *Challenges) touch(s Step, it *artifact.Item, wordings *Wordings) {
	c := r.Items.At(it.ID.Number())
	if c.By == "" {
		c.By, c.MessageID, c.At = addedBy(it, s.Report), s.Message.ID, s.Message.CreatedAt
	}
	c.Hits = c.hits(s, it, wordings)
	c.WasOpen = c.WasOpen || OpenItem(it)
	r.Items.put(it.ID.Number(), c)
	if !OpenItem(it) && settledIn(s.Report, it.ID) {
		r.reply(s, it, wordings, Reply{MessageID: s.Message.ID, By: s.Report.From, At: s.Message.CreatedAt, Closes: true})
	}
}

// hits are the hypotheses that the item names now; those that it named before keep who made it do so.
func (c *Challenge) hits(s Step, it *artifact.Item, wordings *Wordings) []Hit {
	var hits []Hit
	for _, id := range named(it) {
		same := func(h Hit) bool { return h.Hypothesis == id }
		if i := slices.IndexFunc(c.Hits, same); i >= 0 {
			hits = append(hits, c.Hits[i])
			continue
		}
		hits = append(hits, Hit{id, strings.Clone(s.Report.From), s.Message.ID, s.Message.CreatedAt, wordings.See(s.Artifact, id)})
	}
	return hits
}

// reply notes what somebody did. Of one sender only what says more is kept: its first answer, its first closing, and what
// it saw of the hypotheses when it closed the item again.
func (r *Challenges) reply(s Step, it *artifact.Item, wordings *Wordings, reply Reply) {
	c := r.Items.At(it.ID.Number())
	if c.By == "" || !c.WasOpen {
		return
	}
	var names []string
	for _, h := range c.Hits {
		names = append(names, h.Hypothesis)
	}
	reply.By, reply.Seen = strings.Clone(reply.By), wordings.See(s.Artifact, names...)
	if slices.ContainsFunc(c.Replies, reply.repeats) {
		return
	}
	c.Replies = append(slices.Clip(c.Replies), reply)
	r.Items.put(it.ID.Number(), c)
}

func (r Reply) repeats(earlier Reply) bool {
	return protocol.SameAgent(r.By, earlier.By) && r.Closes == earlier.Closes && slices.Equal(r.Seen, earlier.Seen)
}

// settledIn tells whether a message killed an item or gave it another status.
func settledIn(report *merge.MessageReport, id artifact.ItemID) bool {
	return slices.ContainsFunc(report.Changes, func(c merge.Change) bool {
		return c.Item == id && c.Kind != merge.KindOverruled && (c.Kind == merge.KindKilled || c.Field == artifact.CurrentStatus)
	})
}

// named are the hypotheses that a C item names as words in its name or attack, each once.
func named(it *artifact.Item) []string {
	var ids []string
	for _, word := range append(message.ItemWords(it.Text(artifact.Name)), message.ItemWords(it.Text(artifact.Attack))...) {
		if strings.HasPrefix(word, "H") && !slices.Contains(ids, word) {
			ids = append(ids, strings.Clone(word))
		}
	}
	return ids
}

// OpenItem tells whether a C item waits for an answer.
func OpenItem(it *artifact.Item) bool {
	return it.Active() && !settled(it.Text(artifact.CurrentStatus))
}

// settled: a C item is open until its status begins with one of these words (PROTOCOL 11).
func settled(status string) bool {
	status = strings.ToLower(strings.TrimSpace(status))
	return slices.ContainsFunc([]string{"resolved", "rejected", "accepted"}, func(word string) bool {
		return strings.HasPrefix(status, word)
	})
}

// Snapshot returns the register as it is now.
func (r *Challenges) Snapshot() *Challenges { return &Challenges{r.Items.snapshot()} }
