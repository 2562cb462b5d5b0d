package fold

import (
	"slices"
	"strings"

	"brenner/internal/artifact/merge"
	"brenner/internal/canon"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
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
	Round        int // PROTOCOL 11, round: see Rounds
	Kickoffs     int
	Deltas       int   // DELTA messages, whatever became of them
	Completion   int64 // the message that completed the session; 0: it is open
	Question     string
	After        string      // the session that this one goes on from, as its first KICKOFF says; empty: none
	Calls        []Call      // the latest of each agent
	Settled      Settlements // of acknowledgements

	Chain      canon.Hash     // of the last message folded
	ArtifactAt Position       // of the last message that may have changed the artifact
	Bytes      int            // about how much memory all of it takes
	Science    *science.State // what the thread proves beside its artifact
	Windows    []Window       `json:"-"` // what folding the messages came to, oldest first; who shows it reads it

	Conflicts []Conflict // of the messages of each version, the oldest first

	published func() *View // as of the latest version; nil before the first
	forked    bool         // nothing was folded since: all of it is shared
	unshown   bool         // no page shows it: no windows are made
	recent    recent       // what folding the messages since the last window came to
	sum       *artifactSum
}

// NewView is the view of a thread without messages.
func NewView(threadID string) *View {
	return &View{Fold: merge.New(threadID), Science: &science.State{}, Round: 1}
}

// NewDraft is the view of a thread that is not in any store, without messages: one to compile, not for pages nor reviews.
func NewDraft(threadID string) *View {
	v := NewView(threadID)
	v.unshown, v.Science.OutcomeOnly = true, true
	return v
}

// Take folds the next message, as it was read, and reports what it did to the artifact.
func (v *View) Take(m *Message, reading merge.Reading) merge.MessageReport {
	v.forked = false
	conflicts := v.closingConflicts(m)
	report := v.Fold.FoldRead(*m.Message, reading)
	v.Science.Advance(m.Message, &report, v.Fold.Artifact())
	v.follow(m, &report)
	v.record(m, &report)
	if report.Type == protocol.TypeCompiled && v.Publication() == m.ID {
		v.keepConflicts(conflicts)
		version := v.Fork()
		version.published = nil // it is its own
		v.published = func() *View { return version }
	}
	return report
}

// Fork returns a second fold of the same messages. Either can be folded further without the other noticing.
func (v *View) Fork() *View {
	registers := *v.Science
	if !v.forked { // else nothing may be written here: others read
		registers, v.forked = *v.Science.Snapshot(), true
		v.sum = v.hash()
	}
	fork := *v
	fork.Fold, fork.Science = v.Fold.Fork(), &registers
	fork.Participants, fork.Critiques = slices.Clip(v.Participants), slices.Clone(v.Critiques)
	fork.Windows, fork.recent.records, fork.Conflicts = slices.Clip(v.Windows), slices.Clip(v.recent.records), slices.Clip(v.Conflicts)
	fork.Calls, fork.Settled = slices.Clone(v.Calls), v.Settled.Clip()
	for i := range fork.Critiques {
		fork.Critiques[i].Answers = slices.Clip(fork.Critiques[i].Answers)
	}
	return &fork
}

// Position is that of the last message, the zero Position before the first.
func (v *View) Position() Position { return Position{Message: v.Head, Chain: v.Chain} }

// Len is how many messages are in it.
func (v *View) Len() int { return v.Messages }

// Weight is about how many bytes it takes in memory.
func (v *View) Weight() int { return v.Bytes }

// Published returns the view as of the latest version, nil before the first.
func (v *View) Published() *View {
	switch {
	case v.Head != 0 && v.Head == v.Publication():
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
func (v *View) follow(m *Message, report *merge.MessageReport) {
	v.Head, v.Chain = m.ID, m.Chain
	v.Messages++
	v.Bytes += messageWeight
	switch report.Type {
	case protocol.TypeKickoff, protocol.TypeDelta, protocol.TypeCompiled:
		v.ArtifactAt = v.Position()
	}
	if report.Type == protocol.TypeKickoff || report.Type == protocol.TypeDelta {
		v.Bytes += textWeight * len(m.Body)
	}
	v.hearCall(m, report.Type)
	settled := *m
	settled.Type = report.Type // a line of a file does not say it
	v.Settled.Take(&settled, report.Text)
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
		v.delta(m.Message, report)
	case protocol.TypeCritique:
		v.critique(m.Message, report.Text)
	default:
		v.notice(m.Message)
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

// kickoff follows what a KICKOFF asks.
func (v *View) kickoff(text *message.Report) {
	v.Kickoffs++
	v.Round = v.Settled.Round
	if v.Kickoffs == 1 {
		v.After = strings.Clone(text.References.After)
	}
	if text := SectionText(text.Document, "Research Question"); text != "" {
		v.Question = strings.Clone(text)
	}
}

// SectionText returns the text of a section of a message, empty if it has none.
func SectionText(doc *markup.Document, name string) string {
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

// Publication is the message of the latest version, 0 before the first.
func (v *View) Publication() int64 { return v.Fold.Latest().MessageID }

// Latest is the latest published version, 0 before the first.
func (v *View) Latest() int { return v.Fold.Latest().Number }
