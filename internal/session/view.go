package session

import (
	"slices"
	"strings"
	"time"

	"brenner/internal/ahead"
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session/live"
)

// View is everything a session shows, folded from its thread: the artifact's state and, beside
// it, who takes part, which critiques were raised and answered, and how far the rounds went.
// Like the artifact it is a pure function of the messages and can be saved and resumed.
type View struct {
	Fold         *merge.State `json:"-"` // saves itself
	Head         int64        // id of the last message folded
	Messages     int          // how many
	Participants []string     // senders and open recipients, in order of appearance
	Critiques    []Critique
	Round        int // of the latest KICKOFF, 1 without any number
	Kickoffs     int
	Deltas       int     // DELTA messages, whatever became of them
	Completion   int64   // the message that completed the session; 0: it is open
	AckRequired  []int64 // ids of the messages that ask for an acknowledgement
	Question     string
	Calls        []Call           // the latest of each agent
	Settled      mail.Settlements // of acknowledgements

	Chain      canon.Hash       // of the last message folded
	ArtifactAt live.Position    // of the last message that may have changed the artifact
	Bytes      int              // about how much memory all of it takes
	Science    *science.State   // what the thread proves beside its artifact
	Changes    []messageChanges // of the messages since the latest version, in order

	Conflicts []Conflict // of the messages of each version, the oldest first

	published func() *View // as of the latest version; nil before the first
	forked    bool         // nothing was folded since: all of it is shared
	unshown   bool         // no page shows it: Changes are not kept
	sum       *artifactSum
}

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
}

// Answer is an accepted delta or a recorded rebuttal.
type Answer struct {
	MessageID int64
	From      string
	Kind      AnswerKind
	At        time.Time
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
	return c.Item == "" || it == nil || openItem(it)
}

// NewView is the view of a thread without messages.
func NewView(threadID string) *View {
	return &View{Fold: merge.New(threadID), Science: &science.State{}, Round: 1}
}

// NewDraft is the view of a thread that is not in any store, without messages: one for OutcomeOf, not for pages.
func NewDraft(threadID string) *View {
	v := NewView(threadID)
	v.unshown = true
	return v
}

// Add implements live.Fold.
func (v *View) Add(messages ...mail.Message) {
	for batch := range ahead.Map(batches(messages), readAll) {
		for i := range batch.messages {
			v.fold(&batch.messages[i], batch.readings[i])
		}
	}
}

// fold folds the next message and reports what it did to the artifact.
func (v *View) fold(m *mail.Message, reading merge.Reading) merge.MessageReport {
	v.forked = false
	conflicts := v.closingConflicts(m)
	report := v.Fold.FoldRead(m.Message, reading)
	v.follow(m, &report)
	v.Science.Advance(&m.Message, &report, v.Fold.Artifact())
	v.change(m, &report)
	if report.Type == protocol.TypeCompiled && v.publication() == m.ID {
		v.keepConflicts(conflicts)
		version := v.Fork()
		version.published = nil // it is its own
		v.published = func() *View { return version }
	}
	return report
}

// Fork implements live.Fold.
func (v *View) Fork() *View {
	registers := *v.Science
	if !v.forked { // else nothing may be written here: others read
		registers, v.forked = *v.Science.Snapshot(), true
		v.sum = v.hash()
	}
	fork := *v
	fork.Fold, fork.Science = v.Fold.Fork(), &registers
	fork.Participants, fork.AckRequired, fork.Critiques = slices.Clip(v.Participants), slices.Clip(v.AckRequired), slices.Clone(v.Critiques)
	fork.Changes, fork.Conflicts = slices.Clip(v.Changes), slices.Clip(v.Conflicts)
	fork.Calls, fork.Settled = slices.Clone(v.Calls), v.Settled.Clip()
	for i := range fork.Critiques {
		fork.Critiques[i].Answers = slices.Clip(fork.Critiques[i].Answers)
	}
	return &fork
}

// Position implements live.Fold.
func (v *View) Position() live.Position { return live.Position{Message: v.Head, Chain: v.Chain} }

// Len implements live.Fold.
func (v *View) Len() int { return v.Messages }

// Weight implements live.Fold.
func (v *View) Weight() int { return v.Bytes }

// Published returns the view as of the latest version, nil before the first.
func (v *View) Published() *View {
	switch {
	case v.Head != 0 && v.Head == v.publication():
		return v
	case v.published == nil:
		return nil
	}
	return v.published()
}

// About how much of a message stays in memory: of one with work in it its text, in the artifact and
// in what the merge remembers; of any other a few names and numbers.
const (
	textWeight    = 2
	messageWeight = 100
)

// follow takes in what is kept beside the artifact.
func (v *View) follow(m *mail.Message, report *merge.MessageReport) {
	v.Head, v.Chain = m.ID, m.ChainHash
	v.Messages++
	v.Bytes += messageWeight
	switch report.Type {
	case protocol.TypeKickoff, protocol.TypeDelta, protocol.TypeCompiled:
		v.ArtifactAt = v.Position()
	}
	if report.Type == protocol.TypeKickoff || report.Type == protocol.TypeDelta {
		v.Bytes += textWeight * len(m.Body)
	}
	if m.AckRequired {
		v.AckRequired = append(v.AckRequired, m.ID)
	}
	v.hearCall(m, report.Type)
	v.Settled.Take(m, report.Text)
	v.takePart(m.From)
	for _, names := range [][]string{m.To, m.Cc} {
		for _, name := range names {
			v.takePart(name)
		}
	}
	switch report.Type {
	case protocol.TypeKickoff:
		v.kickoff(report.Text)
	case protocol.TypeDelta:
		v.delta(&m.Message, report)
	case protocol.TypeCritique:
		v.critique(&m.Message, report.Text)
	default:
		v.notice(&m.Message)
	}
	switch {
	case !v.Complete():
		v.Completion = 0
	case v.Completion == 0:
		v.Completion = m.ID
	}
}

func (v *View) takePart(name string) {
	known := slices.ContainsFunc(v.Participants, func(p string) bool { return protocol.SameAgent(p, name) })
	if !known {
		v.Participants = append(v.Participants, name)
	}
}

// Complete tells whether the session was completed, and not reopened by a KICKOFF.
func (v *View) Complete() bool { return v.Fold.Closed() }

// kickoff opens a round.
func (v *View) kickoff(text *message.Report) {
	v.Kickoffs++
	v.Round = message.RoundAfter(v.Round, text.References.Round)
	if text := sectionText(text.Document, "Research Question"); text != "" {
		v.Question = strings.Clone(text)
	}
}

func sectionText(doc *markup.Document, name string) string {
	s, _ := doc.Section(name)
	return strings.TrimSpace(s.Text)
}

// delta counts a contribution and closes the critiques it answers: by reply_to, or by what its
// Action names; only an accepted delta answers anything.
func (v *View) delta(m *message.Message, report *merge.MessageReport) {
	v.Deltas++
	if len(v.Critiques) == 0 || report.Receipt == nil || report.Receipt.Accepted == 0 {
		return
	}
	v.promote(m, report)
	v.answer(m, AnsweredByDelta, report.Text.References.ResponseTo)
}

// promote joins a critique with the item that a DELTA[human] made of it: it says so, or its subject does
// (SCIENCE 7). An agent cannot close a critique by making an item of it.
func (v *View) promote(m *message.Message, report *merge.MessageReport) {
	id, ok := promoted(m.Subject)
	if n := report.Text.References.Promotes; n != 0 {
		id, ok = formatID(n), true
	}
	if !ok || !v.Fold.HonoursHuman(m.From) || !strings.EqualFold(report.Shorthand, protocol.Human) {
		return
	}
	at := slices.IndexFunc(v.Critiques, func(c Critique) bool { return c.isNamed("#" + id) })
	for _, b := range report.Receipt.Blocks {
		if at >= 0 && v.Critiques[at].Item == "" && b.Status == delta.Accepted && b.Operation == string(delta.Add) && b.Section == artifact.AdversarialCritique.String() {
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
			c.Answers = append(c.Answers, Answer{m.ID, m.From, kind, m.CreatedAt})
		}
	}
}

func (c *Critique) isNamed(name string) bool {
	if id, ok := strings.CutPrefix(name, "#"); ok {
		return id == formatID(c.MessageID) || id == formatID(c.OriginID)
	}
	return strings.EqualFold(name, c.Target.Item) || c.Item != "" && strings.EqualFold(name, string(c.Item))
}

func (v *View) critique(m *message.Message, text *message.Report) {
	v.Critiques = append(v.Critiques, Critique{
		MessageID: m.ID, OriginID: m.OriginID(), From: m.From,
		Severity: strings.Clone(text.References.Severity), Title: strings.Clone(critiqueTitle(text)),
		Target: ownTarget(text.References.Target), Targets: text.References.Targets, CreatedAt: m.CreatedAt, Version: v.latest(),
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

// publication is the message of the latest version, 0 before the first.
func (v *View) publication() int64 { return v.Fold.Latest().MessageID }

// latest is the latest published version, 0 before the first.
func (v *View) latest() int { return v.Fold.Latest().Number }
