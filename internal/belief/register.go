package belief

import (
	"cmp"
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/experiment"
	"brenner/internal/message"
	"brenner/internal/textnorm"
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

// Register holds what a thread says about beliefs. The zero value is that of an empty thread.
// What its lists point to never changes: a message that says more makes something new.
type Register struct {
	Hypotheses []Hypothesis // by number
	Agents     []*Agent     // who has stated credences, in the order of their first
	Tests      []*Test      // by number; nil for one that the log has not touched
	Outcomes   []Outcome    // of the tests with a labelled outcome, in message order
	History    []Moment
	Notes      []Note

	Worlds  []World   // the active hypotheses by number, then None
	Pooled  []float64 // by world
	StandIn *Holding  // of the voice that stands in while no agent has stated credences

	shared bool // Hypotheses, Agents, Tests and Outcomes belong to a snapshot as well
}

// Hypothesis is what matters here of a hypothesis. Places are those of messages in the thread.
type Hypothesis struct {
	Name   string
	Added  int
	Killed int // 0: active
}

// Agent is an agent that has stated credences.
type Agent struct {
	Name      string
	Credences *Credences // the latest; nil if they were withdrawn
	Holding   Holding    // what they have become
}

// Test is what matters here of a test.
type Test struct {
	Name       string
	Killed     bool
	Potent     bool // it has a potency check
	Score      artifact.Score
	Cells      []Expectation // of hypotheses, by number
	Statements []Statement   // the latest of each agent, by place
	Frozen     *Frozen       // what was stated just before its result; nil without one
}

// Expectation is what a hypothesis expects of a test.
type Expectation struct {
	Hypothesis World
	Text       string
	Key        string // normalised
}

// Outcome is a labelled outcome.
type Outcome struct {
	Test  int // number
	Place int // of the message that set it
	Label int // place in the test's labels
}

// Moment is the pool after a message that moved it.
type Moment struct {
	MessageID int64
	At        time.Time
	Worlds    []World
	Pooled    []float64
	Voices    []Voice // of the agents that have stated credences
}

// Voice is what one agent held at a moment, by world.
type Voice struct {
	Agent  string
	Masses []float64
}

// Advance takes the next message of the thread, after the results have taken it.
func (r *Register) Advance(s experiment.Step, results *experiment.Register) {
	if r.Worlds == nil {
		r.Worlds, r.Pooled, r.StandIn = []World{None}, []float64{1}, &Holding{Masses: []float64{1}}
	}
	tests := s.Touched(artifact.DiscriminativeTests)
	r.freeze(s, tests, results) // by the state before this message
	var m moves
	m.slate, m.worlds = r.slate(s)
	for _, it := range tests {
		r.putTest(it.ID.Number(), r.test(it.ID.Number()).edited(it))
	}
	m.outcomes, m.reordered = r.record(s, tests, results)
	m.stated = r.hear(s)
	r.settle(s, m)
}

// slate takes in hypotheses that were added, renamed or killed, and tells whether one was added
// or killed and whether the worlds are other ones now: one that is added and killed at once leaves
// the worlds alone, but not the mass of none.
func (r *Register) slate(s experiment.Step) (changed, worlds bool) {
	items := s.Touched(artifact.HypothesisSlate)
	if len(items) == 0 {
		return false, false
	}
	r.own()
	for _, it := range items {
		n := it.ID.Number()
		for len(r.Hypotheses) < n {
			r.Hypotheses = append(r.Hypotheses, Hypothesis{})
		}
		h := &r.Hypotheses[n-1]
		h.Name = it.Title()
		if h.Added == 0 {
			h.Added, changed = s.Place, true
		}
		if h.Killed == 0 && !it.Active() {
			h.Killed, changed = s.Place, true
		}
	}
	before := r.Worlds
	r.Worlds = worldsOf(s.Artifact)
	return changed, !slices.Equal(before, r.Worlds)
}

func worldsOf(a *artifact.Artifact) []World {
	var worlds []World
	for _, it := range a.Active(artifact.HypothesisSlate) {
		worlds = append(worlds, World(it.ID.Number()))
	}
	return append(worlds, None)
}

func (t *Test) edited(it *artifact.Item) *Test {
	next := *t
	next.Name, next.Killed, next.Score = it.Title(), !it.Active(), it.Score()
	next.Potent = textnorm.Label(it.Text(artifact.PotencyCheck)) != ""
	outcomes := it.Map(artifact.ExpectedOutcomes)
	next.Cells = make([]Expectation, 0, len(outcomes))
	for _, cell := range outcomes {
		_, section, n, ok := artifact.ParseItemID(cell.Key)
		if ok && section == artifact.HypothesisSlate {
			next.Cells = append(next.Cells, t.expectation(World(n), cell.Text))
		}
	}
	if len(next.Cells) == 0 {
		next.Cells = nil
	}
	return &next
}

// expectation is what a hypothesis expects: the one that is known if the text is the same.
func (t *Test) expectation(of World, text string) Expectation {
	i, known := slices.BinarySearchFunc(t.Cells, of, func(e Expectation, of World) int { return cmp.Compare(e.Hypothesis, of) })
	if known && t.Cells[i].Text == text {
		return t.Cells[i]
	}
	return Expectation{of, text, textnorm.Label(text)}
}

// test returns what is known of a test; never nil.
func (r *Register) test(number int) *Test {
	if number <= len(r.Tests) && r.Tests[number-1] != nil {
		return r.Tests[number-1]
	}
	return &Test{}
}

func (r *Register) putTest(number int, t *Test) {
	r.own()
	for len(r.Tests) < number {
		r.Tests = append(r.Tests, nil)
	}
	r.Tests[number-1] = t
}

// own makes the lists the register's own before it changes them.
func (r *Register) own() {
	if r.shared {
		r.Hypotheses, r.Agents, r.Tests = slices.Clone(r.Hypotheses), slices.Clone(r.Agents), slices.Clone(r.Tests)
		r.Outcomes, r.Notes = slices.Clone(r.Outcomes), slices.Clone(r.Notes)
		r.shared = false
	}
}

// Snapshot returns the register as it is now. Neither the register nor the snapshot, nor a copy of
// either, changes the others from then on.
func (r *Register) Snapshot() *Register {
	r.History, r.shared = slices.Clip(r.History), true
	copied := *r
	return &copied
}
