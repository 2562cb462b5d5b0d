package study

import (
	"math"
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/science"
)

// Known is what a session has come to, in the parts of its sentences (SCIENCE 6). Nothing in it is prose.
type Known struct {
	science.Glance
	Hangs []Hang  // what the answer hangs on, the first of it
	Last  *Shift  // what moved belief last; nil: nothing did
	Pair  []World // the two explanations that a test would have to part; nil: there are fewer
	Parts []Parter
}

// Hang is a result or a source without which another world leads.
type Hang struct {
	Test   artifact.ItemID // empty: it is a source, or a way of counting
	Name   string          // of the test, else of the supposition
	Href   string
	Also   int64 // the message of the result, if its test has others that stand; else 0
	Leader string
	P      float64 // what would be believed of the leader then
}

// Shift is a message that moved belief, with the world that it moved most.
type Shift struct {
	MessageID  int64
	At         time.Time
	Test       artifact.ItemID // whose result it was; empty: it was no result
	Href       string
	Unforeseen bool
	World      string
	From, To   float64
}

// Parter is an open test that tells the first two explanations apart.
type Parter struct {
	Test    artifact.ItemID
	Name    string
	Href    string
	Blocked *string // why it cannot be done
}

// The most that the head of a session names.
const (
	maxHangs   = 3
	maxParters = 2
)

// NewKnown says what a session has come to.
func NewKnown(s *Study, src Source, reasons *science.Reasons) Known {
	b := &builder{Source: src, lives: src.Science.Lifelines.Lives()}
	k := Known{Glance: src.Account.Glance()}
	for _, i := range decisive(reasons) {
		if len(k.Hangs) < maxHangs {
			k.Hangs = append(k.Hangs, b.hang(s, reasons, i))
		}
	}
	if m := k.Moved; m != nil {
		k.Last = b.shift(m.MessageID, func(string) bool { return true })
		k.Last.Unforeseen = m.Unforeseen
	}
	if alive := s.Alive(); len(alive) > 1 {
		k.Pair = []World{alive[0].World, alive[1].World}
		k.Parts = b.parters(s, Pair{First: alive[0].ID, Second: alive[1].ID}.Key())
	}
	return k
}

// decisive are the suppositions that change the leader. A source that one result alone cites says what that result says.
func decisive(r *science.Reasons) []science.If {
	var list []science.If
	for _, i := range r.Told() {
		if i.ChangesLeader {
			list = append(list, i)
		}
	}
	return list
}

func (b *builder) hang(s *Study, reasons *science.Reasons, i science.If) Hang {
	h := Hang{Test: i.Test, Name: i.Name, Also: oneOfSeveral(reasons, i), Leader: i.Leader, P: i.Pooled[i.Leader]}
	if row := s.Matrix.row(i.Test); row != nil {
		h.Name, h.Href = row.Name, row.Href
	}
	return h
}

// row finds a test.
func (m *Matrix) row(id artifact.ItemID) *Row {
	i := slices.IndexFunc(m.Tests, func(r Row) bool { return r.ID == string(id) })
	if i < 0 {
		return nil
	}
	return &m.Tests[i]
}

// parters are the best open tests that tell a pair apart, in the order of their rank.
func (b *builder) parters(s *Study, pair string) []Parter {
	var list []Parter
	for _, a := range b.Ranking.Tests {
		if row := s.Matrix.row(a.Test); row != nil && row.Apart[pair] && len(list) < maxParters {
			list = append(list, Parter{a.Test, row.Name, row.Href, a.Blocked})
		}
	}
	return list
}

// shift is what a message did to the world that it moved most, of those asked for.
func (b *builder) shift(messageID int64, of func(id string) bool) *Shift {
	history := b.Account.History
	for i := 1; i < len(history); i++ {
		if history[i].MessageID != messageID {
			continue
		}
		was, is := pooled(history[i-1]), pooled(history[i])
		x := &Shift{MessageID: messageID, At: history[i].At, Test: b.testOf(messageID), Href: b.Links.Message(messageID)}
		for _, id := range science.Ordered(is) {
			if of(id) && math.Abs(is[id]-was[id]) > math.Abs(x.To-x.From) {
				x.World, x.From, x.To = id, was[id], is[id]
			}
		}
		return x
	}
	return nil
}

// pooled is the pool of a moment by world.
func pooled(m science.Moment) map[string]float64 {
	p := make(map[string]float64, len(m.Worlds))
	for i, w := range m.Worlds {
		p[w.ID()] = m.Pooled[i]
	}
	return p
}

// leastTold is how far the share of none of these must have moved to be told.
const leastTold = 0.05

// lastOfNone is the last message that moved none of these so far that a reader should hear of it; nil: none did.
func (b *builder) lastOfNone() *Shift {
	history := b.Account.History
	for i := len(history) - 1; i > 0; i-- {
		if was, is := pooled(history[i-1])[none], pooled(history[i])[none]; math.Abs(is-was) >= leastTold {
			return b.shift(history[i].MessageID, func(id string) bool { return id == none })
		}
	}
	return nil
}
