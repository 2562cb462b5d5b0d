package science

import (
	"math"
	"slices"

	"brenner/internal/artifact"
)

// Account is what the agents of a thread believe, worked out of its log and their families (SCIENCE 4). It never changes.
type Account struct {
	*State
	People  People
	Voices  []Voice // of the agents with credences, in the order of their first; one without a name stands in while nobody has stated any
	Worlds  []World // the active hypotheses by number, then None
	Pooled  []float64
	History []Moment

	turns    []*turn
	ledger   ledger // what counts now
	tables   *tables
	restated []restatement
}

// Voice is what one agent holds, by world.
type Voice struct {
	Agent     string
	Family    string
	Masses    []float64
	Credences *Credences // its latest; nil for the voice that stands in
}

// Moment is the pool after a message that moved it, as the thread cut there gives it.
type Moment struct {
	Mark
	Worlds []World
	Pooled []float64
	Voices []Voice // of the agents that had stated credences
}

// Account works out what the agents believe.
func (s *State) Account(people People) *Account {
	a := &Account{State: s, People: people, turns: s.turns()}
	a.tables = newTables(s, people.At(s.Messages), 0)
	r := replay{Account: a, byTest: map[artifact.ItemID][]entry{}, tables: newTables(s, people.At(0), 0), stand: nothingYet(),
		pooled: []float64{1}, worlds: []World{None}}
	for _, t := range a.turns {
		r.take(t)
	}
	a.Voices, a.ledger, a.tables = r.heard(), r.ledger, r.tables
	a.Worlds, a.Pooled = r.worlds, r.pooled
	return a
}

// Stated reports whether an agent has stated credences and not withdrawn them.
func (a *Account) Stated() bool { return a.Voices[0].Credences != nil }

// tables makes and keeps the tables of a thread's tests, as families of a moment give them.
type tables struct {
	tableMaker
	made map[artifact.ItemID]*Table
	look map[artifact.ItemID]Look
}

func newTables(s *State, people People, bolder float64) *tables {
	family := map[string]string{}
	return &tables{tableMaker{s, func(name string) string {
		known, ok := family[name]
		if !ok {
			known = people.Family(name)
			family[name] = known
		}
		return known
	}, bolder}, map[artifact.ItemID]*Table{}, map[artifact.ItemID]Look{}}
}

// of is the table of a test by what is known of its first look.
func (t *tables) of(id artifact.ItemID, look Look) *Table {
	if made := t.made[id]; made != nil && t.look[id] == look {
		return made
	}
	t.made[id], t.look[id] = t.table(id, look), look
	return t.made[id]
}

// replay follows a thread message by message. What only adds to the end is multiplied in; when something changed that was there before,
// every voice is worked out from its statement again.
type replay struct {
	*Account
	byTest map[artifact.ItemID][]entry
	ledger ledger
	tables *tables
	voices []voice
	stand  holding // of the voice that stands in
	stood  bool    // stand is up to date
	worlds []World
	pooled []float64
}

// voice is an agent that has stated credences.
type voice struct {
	name string
	said *Credences // nil if they were withdrawn
	holding
}

func (r *replay) take(t *turn) {
	before := r.ledger
	again := t.roll && r.meet(t)
	for _, id := range t.tests {
		again = r.count(id, t.Place) || again
	}
	if again {
		r.ledger = newLedger(r.byTest)
	}
	for i := range r.voices {
		if v := &r.voices[i]; v.said != nil {
			if again {
				v.holding = r.carry(v.name, v.said.stated(), v.said.Place, t.Place, r.ledger, everything)
			} else {
				r.bring(&v.holding, v.name, t, r.ledger.from(t.Place-1), everything)
			}
		}
	}
	r.standIn(t, again)
	for _, c := range t.said {
		r.hear(t, c, before)
	}
	r.note(t)
}

// meet takes in what a message said about the agents, and tells whether a family changed.
func (r *replay) meet(t *turn) bool {
	now := newTables(r.State, r.People.At(t.Place), 0)
	if !slices.ContainsFunc(r.speakers(), func(name string) bool { return now.family(name) != r.tables.family(name) }) {
		return false
	}
	r.tables = now
	for id := range r.byTest {
		r.byTest[id] = r.countedAt(id, t.Place, now.of(id, r.Results.Test(id).look(t.Place)))
	}
	return true
}

// speakers are all who state anything on the thread.
func (r *replay) speakers() []string {
	var names []string
	for _, c := range r.Beliefs.Said.All() {
		names = withName(names, c.Agent)
	}
	for _, t := range r.Beliefs.Tests.All() {
		if t != nil {
			for _, s := range t.Statements {
				names = withName(names, s.Agent)
			}
		}
	}
	return names
}

// count takes in what a message did to the results of a test, and tells whether that changed more than to add to the end.
func (r *replay) count(id artifact.ItemID, place int) (again bool) {
	before := r.byTest[id]
	now := r.countedAt(id, place, r.tables.of(id, r.Results.Test(id).look(place)))
	r.byTest[id] = now
	same := len(now) >= len(before)
	for i := 0; same && i < len(before); i++ {
		same = before[i].Result == now[i].Result && before[i].table == now[i].table
	}
	if !same {
		return true
	}
	for _, e := range now[len(before):] {
		if e.Place != place {
			return true
		}
		at := len(r.ledger)
		for at > 0 && r.ledger[at-1].Place == place && r.ledger[at-1].Test.Number() > e.Test.Number() {
			at--
		}
		r.ledger = slices.Insert(r.ledger, at, e)
	}
	return false
}

// standIn keeps the voice that stands in while nobody has stated credences.
func (r *replay) standIn(t *turn, again bool) {
	switch {
	case r.spoken():
		r.stood = false
	case again || !r.stood || len(t.added) > 0 && len(r.ledger.upTo(t.Place-1)) == 0:
		r.stand, r.stood = r.standing(t.Place, r.ledger, everything), true
	default:
		r.bring(&r.stand, "", t, r.ledger.from(t.Place-1), everything)
	}
}

func (r *replay) spoken() bool {
	return slices.ContainsFunc(r.voices, func(v voice) bool { return v.said != nil })
}

// hear takes in a statement: it comes after all else in its message. It is held against what counted before that.
func (r *replay) hear(t *turn, c *Credences, before ledger) {
	at := slices.IndexFunc(r.voices, func(v voice) bool { return sameAgent(v.name, c.Agent) })
	if at < 0 {
		at = len(r.voices)
		r.voices = append(r.voices, voice{name: c.Agent})
	}
	v := &r.voices[at]
	if c.Withdrawn {
		v.said = nil
		if !r.spoken() {
			r.stand, r.stood = r.standing(t.Place, r.ledger, everything), true
		}
		return
	}
	if v.said != nil && len(before.from(v.said.Place)) > 0 {
		r.compare(t, v, c, before)
	}
	v.said, v.holding = c, c.stated()
}

// heard are the voices that count, with their families.
func (r *replay) heard() []Voice {
	var list []Voice
	for _, v := range r.voices {
		if v.said != nil {
			list = append(list, Voice{v.name, r.tables.family(v.name), slices.Clone(v.masses), v.said})
		}
	}
	if list == nil {
		list = []Voice{{Masses: slices.Clone(r.stand.masses)}}
	}
	return list
}

// note keeps the pool when the worlds are other ones or a number moved.
func (r *replay) note(t *turn) {
	worlds := withWorlds(r.worlds, t)
	voices := r.heard()
	pooled := pool(voices)
	moved := !slices.Equal(worlds, r.worlds)
	for i := 0; !moved && i < len(pooled); i++ {
		moved = math.Abs(pooled[i]-r.pooled[i]) > leastMoved
	}
	if moved {
		r.worlds, r.pooled = worlds, pooled
		if voices[0].Credences == nil {
			voices = nil
		}
		r.History = append(r.History, Moment{t.Mark, worlds, pooled, voices})
	}
	r.pooled = pooled
}

// leastMoved is how far a number must move to be told.
const leastMoved = 1e-12

func withWorlds(worlds []World, t *turn) []World {
	if len(t.added)+len(t.killed) == 0 {
		return worlds
	}
	h := holding{worlds: slices.Clone(worlds), masses: make([]float64, len(worlds))}
	h.add(t.added)
	h.kill(t.killed)
	return h.worlds
}

// pool is the mean over families of the mean over the agents of a family.
func pool(voices []Voice) []float64 {
	sum := make([]float64, len(voices[0].Masses))
	for i, weight := range voiceWeights(voices) {
		for w, p := range voices[i].Masses {
			sum[w] += weight * p
		}
	}
	return sum
}

func voiceWeights(voices []Voice) []float64 {
	at, names := map[string]string{}, make([]string, len(voices))
	for i, v := range voices {
		names[i] = v.Agent
		at[v.Agent] = v.Family
	}
	return weights(names, func(name string) string { return at[name] })
}

// leader is the greatest: ties go to the lowest number, None comes last.
func leader(worlds []World, pooled []float64) World {
	best := 0
	for i := range worlds {
		if pooled[i] > pooled[best]+leastMoved {
			best = i
		}
	}
	return worlds[best]
}
