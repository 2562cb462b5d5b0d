// Package study arranges what a session has found for a reader: the slate of
// explanations, how each of them lived, what is believed, which evidence separates them, and what to do
// next. Pages and reports show the same study, in the same order, with the same numbers.
//
// It is pure. Nothing here is inferred from prose: sentences are filled from fields.
package study

import (
	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Source is what a study is made from.
type Source struct {
	Artifact *artifact.Artifact
	Science  *science.State // a snapshot
	Account  *science.Account
	Ranking  science.Ranking
	Register science.PredictionReport // what became of every prediction, and what there is to say about it
	Cast     Cast
	Links    Links
	Attacks  map[artifact.ItemID][]Attack // on hypotheses, oldest first
}

// Links say where things are shown.
type Links interface {
	Item(id artifact.ItemID) string
	Message(id int64) string
}

// Attack is a critique of a hypothesis, as the review knows it.
type Attack struct {
	MessageID int64
	From      string
	Title     string
	Severity  string
	State     science.AttackState
}

// Critical is the gravest severity.
const Critical = "Critical"

// Study is what there is to see.
type Study struct {
	Hypotheses []Hypothesis // the living by pooled credence, then the killed, the latest kill first
	None       World
	Voices     []figure.Agent // who has stated credences
	Entropy    float64        // bits left to learn
	Disagree   float64        // bits
	Lifelines  figure.Lifelines
	Panels     []Panel // in the order of the hypotheses, then none of them
	Left       figure.Panel
	Moves      []Move // what moved belief most
	Matrix     Matrix
	Counts     science.PredictionCounts
	Best       *Best // nil if no test is worth doing
	OpenTests  int
	Apart      [][2]string        // pairs that no open test tells apart
	Findings   []protocol.Finding // about results and predictions, the first of them
	MoreNotes  int                // findings that are left out

	LastOfNone *Shift // what moved none of these last; nil: nothing did
	Measured   []Measured

	ledger []LedgerRow
	firsts []Statement
	said   func(messageID int64) []Statement
	moved  func(messageID int64) (before, after []figure.Share)
}

// World is an explanation with what is believed of it.
type World struct {
	ID, Name string
	Pooled   float64
	Agents   []figure.Curve // what each voice says now, as a curve
	Low      float64        // the least that an agent says
	High     float64
	Pool     []figure.Point
}

// Hypothesis is a row of the slate.
type Hypothesis struct {
	World
	Item    *artifact.Item
	Href    string
	Killed  *Killed
	Born    int // place of the message that added it
	Tests   []TestMark
	Attacks []Attack
}

// Killed says how a hypothesis ended.
type Killed struct {
	By        figure.Agent
	Reason    string
	MessageID int64
	Place     int
	Version   int     // the first that has the kill; 0: none yet
	Was       float64 // its pooled credence just before
}

// Alive returns the hypotheses that are not killed.
func (s *Study) Alive() []Hypothesis {
	for i, h := range s.Hypotheses {
		if h.Killed != nil {
			return s.Hypotheses[:i]
		}
	}
	return s.Hypotheses
}

// maxFindings is how many findings a page lists.
const maxFindings = 50

// New arranges a study.
func New(src Source) *Study {
	b := &builder{Source: src, lives: src.Science.Lifelines.Lives(), report: src.Account.Report()}
	b.predictions = src.Register
	b.ranking = src.Ranking
	b.index()
	s := &Study{
		Entropy: b.report.EntropyBits, Disagree: b.report.DisagreementBits, Counts: b.predictions.Counts,
		Apart: b.ranking.Unseparated, OpenTests: len(b.ranking.Tests), Voices: b.voices(),
	}
	shown := min(len(b.predictions.Findings), maxFindings)
	s.Findings, s.MoreNotes = b.predictions.Findings[:shown], len(b.predictions.Findings)-shown
	b.curves()
	s.Hypotheses, s.None = b.hypotheses(), b.world(none, "None of these")
	s.order(b)
	s.Matrix = b.matrix(s)
	s.Moves = b.moves()
	s.Lifelines = b.lifelines(s)
	s.Moves = s.Moves[:min(maxMoves, len(s.Moves))]
	s.Panels, s.Left = b.panels(s), b.uncertainty()
	s.Best = b.best(&s.Matrix)
	s.moved = b.moved
	s.LastOfNone, s.Measured = b.lastOfNone(), b.measured(s)
	s.ledger, s.said, s.firsts = b.ledger(s), b.said, b.firsts()
	return s
}
