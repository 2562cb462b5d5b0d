package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// World is a hypothesis by its number, or None.
type World int

// None is the world in which none of the active hypotheses is right.
const None World = 0

// ID is the world's name: H2, or none.
func (w World) ID() string {
	if w == None {
		return message.NoneOfThese
	}
	return string(artifact.NewItemID(artifact.HypothesisSlate, int(w)))
}

// WorldOf returns the world of a hypothesis.
func WorldOf(hypothesis string) World { return World(artifact.ItemID(hypothesis).Number()) }

// Beliefs holds what a thread says about beliefs: which hypotheses there were, what agents stated, how tests were planned. It holds no
// number of its own: those are worked out from it and from the families of the agents (Account). The zero value is that of an empty
// thread. What its lists point to never changes: a message that says more makes something new.
type Beliefs struct {
	Hypotheses List[Hypothesis] // by number
	Tests      List[*Test]      // by number; nil for one that the log has not touched
	Said       List[*Credences] // every statement of credences, in message order
	Notes      List[Note]
}

// Mark is a message of the thread. The zero value is none.
type Mark struct {
	Place     int
	MessageID int64
	At        time.Time
}

func (s *Step) mark() Mark { return Mark{s.Place, s.Message.ID, s.Message.CreatedAt} }

// Hypothesis is what matters here of a hypothesis.
type Hypothesis struct {
	Name   string
	Added  Mark
	Killed Mark `json:",omitzero"`
}

// Credences are one statement, completed: every hypothesis that was active then has its share.
type Credences struct {
	Agent string
	Mark
	Withdrawn bool    `json:",omitzero"` // the agent took its credences back
	Shares    []Share // of the hypotheses that were active then, by number
	None      float64
	Rationale string `json:",omitzero"`
}

// Share is what a statement gives a hypothesis.
type Share struct {
	Hypothesis World
	P          float64
}

// Test is what matters here of a test. What its hypotheses expect is in the register of predictions.
type Test struct {
	Name       string
	Killed     bool
	Potent     bool // it has a potency check
	Plans      History[Plan]
	Statements []Statement // every one, oldest first
}

// Plan is how a test was scored, and what it measures, from a message on.
type Plan struct {
	Place    int
	At       time.Time
	Score    artifact.Score     `json:",omitzero"`
	Quantity *quantity.Quantity `json:",omitzero"` // nil if its outcomes are labels
}

// Advance takes the next message of the thread.
func (r *Beliefs) Advance(s Step) {
	for _, it := range s.Touched(artifact.HypothesisSlate) {
		r.Hypotheses.put(it.ID.Number(), r.Hypotheses.At(it.ID.Number()).touched(it, s))
	}
	for _, it := range s.Touched(artifact.DiscriminativeTests) {
		r.Tests.put(it.ID.Number(), r.test(it.ID.Number()).edited(it, s))
	}
	r.hear(s)
}

func (h Hypothesis) touched(it *artifact.Item, s Step) Hypothesis {
	h.Name = it.Title()
	if h.Added.Place == 0 {
		h.Added = s.mark()
	}
	if h.Killed.Place == 0 && !it.Active() {
		h.Killed = s.mark()
	}
	return h
}

func (t *Test) edited(it *artifact.Item, s Step) *Test {
	next := *t
	next.Name, next.Killed = it.Title(), !it.Active()
	next.Potent = !protocol.Blank(it.Text(artifact.PotencyCheck))
	plan := Plan{s.Place, s.Message.CreatedAt, it.Score(), quantityOf(it)}
	if last := t.Plans.latest(); last == nil || !last.same(plan) {
		next.Plans = t.Plans.with(plan)
	}
	return &next
}

func (p Plan) same(q Plan) bool {
	measures := p.Quantity == nil && q.Quantity == nil || p.Quantity != nil && q.Quantity != nil && *p.Quantity == *q.Quantity
	return measures && artifact.Equal(p.Score, q.Score)
}

// plan is how the test was planned before a look. One that was born with its first look measures what it says there: its values count,
// though nobody had expected anything of it.
func (t *Test) plan(look Look) Plan {
	var born *quantity.Quantity
	for p := range t.Plans.backward() {
		if look.Follows(p.Place, p.At) {
			return *p
		}
		born = p.Quantity
	}
	return Plan{Quantity: born}
}

// statements are the latest of each agent before a look, in message order.
func (t *Test) statements(look Look) []Statement {
	var list []Statement
	for _, s := range slices.Backward(t.Statements) {
		known := slices.ContainsFunc(list, func(later Statement) bool { return sameAgent(later.Agent, s.Agent) })
		if !known && look.Follows(s.Place, s.At) {
			list = append(list, s)
		}
	}
	slices.Reverse(list)
	return list
}

// test returns what is known of a test; never nil.
func (r *Beliefs) test(number int) *Test {
	if t := r.Tests.At(number); t != nil {
		return t
	}
	return &Test{}
}

// worldsBefore are the hypotheses that were active before a look, then None.
func (r *Beliefs) worldsBefore(look Look) []World {
	var worlds []World
	for i, h := range r.Hypotheses.All() {
		if h.Added.Place > 0 && look.Follows(h.Added.Place, h.Added.At) &&
			(h.Killed.Place == 0 || !look.Follows(h.Killed.Place, h.Killed.At)) {
			worlds = append(worlds, World(i+1))
		}
	}
	return append(worlds, None)
}

// Snapshot returns the register as it is now. Neither the register nor the snapshot, nor a copy of
// either, changes the others from then on.
func (r *Beliefs) Snapshot() *Beliefs {
	return &Beliefs{r.Hypotheses.snapshot(), r.Tests.snapshot(), r.Said.snapshot(), r.Notes.snapshot()}
}
