package fold

import (
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Critique is an entry of the review queue: a CRITIQUE message (PROTOCOL 11).
type Critique struct {
	MessageID int64
	OriginID  int64
	From      string
	Severity  string // Critical, Major, Minor; empty if it says none
	Title     string
	Target    message.Target
	Targets   []string // every item that its Target names
	CreatedAt time.Time
	Version   int             // the latest version when it was sent
	Item      artifact.ItemID // what it was promoted to; both are one entry
	Answers   []Answer
	Seen      []science.Seen // what the hypotheses said when it was sent
}

// Answer is an accepted delta or a recorded rebuttal.
type Answer struct {
	MessageID int64
	From      string
	Kind      AnswerKind
	At        time.Time
	Seen      []science.Seen `json:",omitempty"` // of the critic's own: what the hypotheses said then
}

// AnswerKind says how a critique was answered.
type AnswerKind string

// The two ways.
const (
	AnsweredByDelta    AnswerKind = "delta"
	AnsweredByRebuttal AnswerKind = "rebuttal"
)

// Open tells whether a critique still waits for an answer: it has none, and the item that it was
// promoted to is open as well (PROTOCOL 11).
func (v *View) Open(c *Critique) bool {
	if len(c.Answers) > 0 {
		return false
	}
	it := v.Fold.Artifact().Item(c.Item)
	return c.Item == "" || it == nil || science.OpenItem(it)
}

// promote joins a critique with the item that a convener, or a DELTA[human], made of it: it says so, or its subject does
// (SCIENCE 8). Any other agent cannot close a critique by making an item of it.
func (v *View) promote(m *message.Message, report *merge.MessageReport) {
	id, ok := promoted(m.Subject)
	if n := report.Text.References.Promotes; n != 0 {
		id, ok = FormatID(n), true
	}
	human := strings.EqualFold(report.Shorthand, protocol.Human) && v.Fold.HonoursHuman(m.From)
	if !ok || !human && !v.Fold.Convener(m.From) {
		return
	}
	at := slices.IndexFunc(v.Critiques, func(c Critique) bool { return c.isNamed("#" + id) })
	for _, b := range report.Receipt.Blocks {
		if at >= 0 && v.Critiques[at].Item == "" && b.Status == delta.Accepted && b.Operation == string(delta.Add) &&
			b.Section == artifact.AdversarialCritique.String() {
			v.Critiques[at].Item = artifact.ItemID(b.ItemID)
		}
	}
}

// answer records m as an answer to every critique it names: #12 for a message, C1 for one that was
// promoted to C1 and those that attack it, and the message it replies to.
func (v *View) answer(m *message.Message, kind AnswerKind, named []string) {
	for i := range v.Critiques {
		c := &v.Critiques[i]
		if (m.ReplyTo != 0 && m.ReplyTo == c.MessageID) || slices.ContainsFunc(named, c.isNamed) {
			c.Answers = append(c.Answers, v.answerTo(c, m, kind))
		}
	}
}

func (v *View) answerTo(c *Critique, m *message.Message, kind AnswerKind) Answer {
	a := Answer{MessageID: m.ID, From: m.From, Kind: kind, At: m.CreatedAt}
	if protocol.SameAgent(c.From, m.From) {
		a.Seen = v.Science.Wordings.See(v.Fold.Artifact(), c.Targets...)
	}
	return a
}

func (c *Critique) isNamed(name string) bool {
	if id, ok := strings.CutPrefix(name, "#"); ok {
		return id == FormatID(c.MessageID) || id == FormatID(c.OriginID)
	}
	return strings.EqualFold(name, c.Target.Item) || c.Item != "" && strings.EqualFold(name, string(c.Item))
}

func (v *View) critique(m *message.Message, text *message.Report) {
	v.Critiques = append(v.Critiques, Critique{
		MessageID: m.ID, OriginID: m.OriginID(), From: m.From,
		Severity: strings.Clone(text.References.Severity), Title: strings.Clone(critiqueTitle(text)),
		Target: ownTarget(text.References.Target), Targets: text.References.Targets, CreatedAt: m.CreatedAt, Version: v.Latest(),
		Seen: v.Science.Wordings.See(v.Fold.Artifact(), text.References.Targets...),
	})
}

// ownTarget copies the texts of a target: as read they would keep the whole message in memory.
func ownTarget(t message.Target) message.Target {
	t.Item, t.Section = strings.Clone(t.Item), strings.Clone(t.Section)
	return t
}

func critiqueTitle(text *message.Report) string {
	if h, ok := text.Document.Title(); ok {
		if _, title, found := strings.Cut(h.Text, ":"); found && strings.TrimSpace(title) != "" {
			return strings.TrimSpace(title)
		}
	}
	return text.Subject.Description
}

// notice reads the INFO messages that record a rebuttal. Only a convener's answers a critique
// (PROTOCOL 11).
func (v *View) notice(m *message.Message) {
	if id, ok := rebutted(m.Subject); ok && v.Fold.Convener(m.From) {
		v.answer(m, AnsweredByRebuttal, []string{"#" + id})
	}
}
