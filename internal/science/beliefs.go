package science

import (
	"cmp"
	"slices"
	"time"

	"brenner/internal/artifact"
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

// WorldOf returns the world of a hypothesis.
func WorldOf(hypothesis string) World { return World(artifact.ItemID(hypothesis).Number()) }

// Beliefs holds what a thread says about beliefs. The zero value is that of an empty thread.
// What its lists point to never changes: a message that says more makes something new.
type Beliefs struct {
	Hypotheses List[Hypothesis]      // by number
	Agents     List[*Believer]       // who has stated credences, in the order of their first
	Tests      List[*Test]           // by number; nil for one that the log has not touched
	Outcomes   List[LabelledOutcome] // of the tests with a labelled outcome, in message order
	History    List[Moment]
	Notes      List[Note]

	Worlds  []World   // the active hypotheses by number, then None
	Pooled  []float64 // by world
	StandIn *Holding  // of the voice that stands in while no agent has stated credences
}

// Hypothesis is what matters here of a hypothesis. Places are those of messages in the thread.
type Hypothesis struct {
	Name   string
	Added  int
	Killed int // 0: active
}

// Believer is an agent that has stated credences.
type Believer struct {
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

// LabelledOutcome is a labelled outcome.
type LabelledOutcome struct {
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
func (r *Beliefs) Advance(s Step, results *Results) {
	if r.Worlds == nil {
		r.Worlds, r.Pooled, r.StandIn = []World{None}, []float64{1}, &Holding{Masses: []float64{1}}
	}
	tests := s.tests()
	r.freeze(s, tests, results) // by the state before this message
	var m moves
	m.slate, m.worlds = r.slate(s)
	for _, it := range s.predictedTests() {
		r.Tests.put(it.ID.Number(), r.test(it.ID.Number()).edited(it, s.Artifact))
	}
	m.outcomes, m.reordered = r.record(s, tests, results)
	m.stated = r.hear(s)
	r.settle(s, m)
}

// slate takes in hypotheses that were added, renamed or killed, and tells whether one was added
// or killed and whether the worlds are other ones now: one that is added and killed at once leaves
// the worlds alone, but not the mass of none.
func (r *Beliefs) slate(s Step) (changed, worlds bool) {
	items := s.Touched(artifact.HypothesisSlate)
	if len(items) == 0 {
		return false, false
	}
	for _, it := range items {
		h := r.Hypotheses.At(it.ID.Number())
		h.Name = it.Title()
		if h.Added == 0 {
			h.Added, changed = s.Place, true
		}
		if h.Killed == 0 && !it.Active() {
			h.Killed, changed = s.Place, true
		}
		r.Hypotheses.put(it.ID.Number(), h)
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

func (t *Test) edited(it *artifact.Item, a *artifact.Artifact) *Test {
	next := *t
	next.Name, next.Killed, next.Score = it.Title(), !it.Active(), it.Score()
	next.Potent = textnorm.Label(it.Text(artifact.PotencyCheck)) != ""
	outcomes := expectedOutcomes(it, a)
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
func (r *Beliefs) test(number int) *Test {
	if t := r.Tests.At(number); t != nil {
		return t
	}
	return &Test{}
}

// Snapshot returns the register as it is now. Neither the register nor the snapshot, nor a copy of
// either, changes the others from then on.
func (r *Beliefs) Snapshot() *Beliefs {
	copied := *r
	copied.Hypotheses, copied.Agents, copied.Tests = r.Hypotheses.snapshot(), r.Agents.snapshot(), r.Tests.snapshot()
	copied.Outcomes, copied.History, copied.Notes = r.Outcomes.snapshot(), r.History.snapshot(), r.Notes.snapshot()
	return &copied
}
