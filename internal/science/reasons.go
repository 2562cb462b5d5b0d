package science

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// Reasons say why a number is what it is (SCIENCE 6): what each standing result did to belief, and what the answer hangs on.
type Reasons struct {
	Results  []ReasonRow        `json:"results"`
	If       []If               `json:"if"`
	Leader   string             `json:"leader"`
	Verdict  Verdict            `json:"verdict"`
	Findings []protocol.Finding `json:"findings"`
}

// ReasonRow is what one standing result did: the pool at its message without it and with it, from what stands now.
type ReasonRow struct {
	Test        artifact.ItemID     `json:"test"`
	MessageID   int64               `json:"message_id"`
	By          string              `json:"by"`
	Evidence    []string            `json:"evidence"`
	Outcome     *string             `json:"outcome"`
	Value       *quantity.Value     `json:"value"`
	Unforeseen  *string             `json:"unforeseen"`
	Likelihoods map[string]float64  `json:"likelihoods"` // of the common table; null if it does not count
	Before      map[string]float64  `json:"before"`
	After       map[string]float64  `json:"after"`
	Weight      map[string]*float64 `json:"weight"` // log₂(after/before); null where before is 0
}

// Said is what the result says.
func (r *ReasonRow) Said() string {
	row := ResultRow{Outcome: r.Outcome, Value: r.Value, Unforeseen: r.Unforeseen}
	return row.Said()
}

// If is what would be believed if something were otherwise.
type If struct {
	Name          string             `json:"name"`
	Pooled        map[string]float64 `json:"pooled"`
	Leader        string             `json:"leader"`
	ChangesLeader bool               `json:"changes_leader"`

	Test      artifact.ItemID `json:"-"` // whose result is left out; empty: it is no result
	MessageID int64           `json:"-"` // of that result
	Source    string          `json:"-"` // that is left out
	Alone     bool            `json:"-"` // one standing result alone cites the source
}

// Told are the suppositions of which each says something of its own: a source that one result alone cites says what that result says.
func (r *Reasons) Told() []If {
	return slices.DeleteFunc(slices.Clone(r.If), func(i If) bool { return i.Alone })
}

// Reasons works out why belief is what it is.
func (a *Account) Reasons() Reasons {
	r := reasoner{a, Reasons{Results: []ReasonRow{}, If: []If{}, Leader: a.Leader().ID(), Verdict: a.Verdict(), Findings: a.findings()},
		map[*Result]float64{}}
	for _, g := range a.standingResults() {
		r.Results = append(r.Results, r.row(g))
	}
	r.withoutEach()
	r.together()
	return r.Reasons
}

// standingResults are those that stand, in the order of updates.
func (a *Account) standingResults() []*Result {
	byTest := map[artifact.ItemID][]entry{}
	for _, g := range a.Results.Given.All() {
		if g.stands() {
			byTest[g.Test] = append(byTest[g.Test], entry{Result: g})
		}
	}
	var list []*Result
	for _, e := range newLedger(byTest) {
		list = append(list, e.Result)
	}
	return list
}

type reasoner struct {
	*Account
	Reasons
	heavy map[*Result]float64 // the sum of |weight|
}

func (r *reasoner) family(name string) string { return r.tables.family(name) }

func (r *reasoner) row(g *Result) ReasonRow {
	row := ReasonRow{
		Test: g.Test, MessageID: g.MessageID, By: g.By, Evidence: append([]string{}, g.Evidence...), Outcome: protocol.OrNull(g.Outcome),
		Value: r.value(g), Unforeseen: protocol.OrNull(g.Unforeseen), Weight: map[string]*float64{},
	}
	l := r.ledger.upTo(g.Place)
	with := r.poolAt(g.Place, l, everything, r.family)
	before := with
	if i := slices.IndexFunc(l, func(e entry) bool { return e.Result == g }); i >= 0 {
		before = r.poolAt(g.Place, l.without(func(e *entry) bool { return e.Result == g }), everything, r.family)
		then := r.worldsAt(g.Place)
		row.Likelihoods = byID(then, l[i].table.likelihoods("", l[i].outcome, then))
	}
	row.Before, row.After = byID(before.worlds, before.masses), byID(with.worlds, with.masses)
	for i, w := range with.worlds {
		switch was := before.p(w); {
		case row.Likelihoods == nil:
			row.Weight[w.ID()] = new(float64)
		case was == 0 || with.masses[i] == 0: // no finite number says how much
			row.Weight[w.ID()] = nil
		default:
			bits := math.Log2(with.masses[i] / was)
			row.Weight[w.ID()] = &bits
			r.heavy[g] += math.Abs(bits)
		}
	}
	return row
}

// worldsAt are the worlds that a result met: those of its message before its kills, which come after results.
func (a *Account) worldsAt(place int) []World {
	h := nothingYet()
	for _, t := range a.between(0, place) {
		h.add(t.added)
		if t.Place < place {
			h.kill(t.killed)
		}
	}
	return h.worlds
}

// suppose notes what would be believed with another ledger, course or weights.
func (r *reasoner) suppose(name string, l ledger, c course, family func(string) string) {
	h := r.poolAt(r.Messages, l, c, family)
	lead := leader(h.worlds, h.masses).ID()
	r.If = append(r.If, If{Name: name, Pooled: byID(h.worlds, h.masses), Leader: lead, ChangesLeader: lead != r.Reasons.Leader})
}

// withoutEach leaves out each standing result, and each source that standing results cite.
func (r *reasoner) withoutEach() {
	var cited []string
	standing := r.standingResults()
	for _, g := range standing {
		r.suppose(fmt.Sprintf("without %s #%d", g.Test, g.MessageID), r.ledger.without(func(e *entry) bool {
			return e.Result == g
		}), everything, r.family)
		r.last().Test, r.last().MessageID = g.Test, g.MessageID
		for _, source := range g.Sources() {
			if !slices.Contains(cited, source) {
				cited = append(cited, source)
			}
		}
	}
	slices.Sort(cited)
	for _, source := range cited {
		l := r.ledger.without(func(e *entry) bool { return slices.Contains(e.Sources(), source) })
		r.suppose("without "+source, l, everything, r.family)
		citing := slices.DeleteFunc(slices.Clone(standing), func(g *Result) bool { return !slices.Contains(g.Sources(), source) })
		r.last().Source, r.last().Alone = source, len(citing) == 1
	}
}

// last is the supposition that was noted last.
func (r *reasoner) last() *If { return &r.If[len(r.If)-1] }

// together are the other suppositions: about what results share, replications, kills, votes and derived ratios.
func (r *reasoner) together() {
	if once := r.once(); len(once) < len(r.ledger) {
		r.suppose("shared evidence once", once, everything, r.family)
	}
	if main := r.ledger.without(func(e *entry) bool { return e.Replication }); len(main) < len(r.ledger) {
		r.suppose("no replications", main, everything, r.family)
	}
	if slices.ContainsFunc(r.turns, func(t *turn) bool { return len(t.killed) > 0 }) {
		r.suppose("no kills", r.ledger, noKills, r.family)
	}
	if r.Stated() {
		r.suppose("one agent, one vote", r.ledger, everything, func(name string) string { return name })
	}
	if len(r.ledger) > 0 {
		r.suppose("weaker", r.bolder(-1), everything, r.family)
		r.suppose("stronger", r.bolder(1), everything, r.family)
	}
}

// bolder is the ledger with every score of a likelihood ratio one more or less.
func (r *reasoner) bolder(by float64) ledger {
	other := newTables(r.State, r.People.At(r.Messages), by)
	l := slices.Clone(r.ledger)
	for i := range l {
		l[i].table = other.of(l[i].Test, r.State.Results.FirstLook(l[i].Test))
	}
	return l
}

// once keeps of each group of results that are connected by shared sources the one with the greatest sum of |weight|.
func (r *reasoner) once() ledger {
	group := make([]int, len(r.ledger))
	first := map[string]int{}
	root := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	for i, e := range r.ledger {
		group[i] = i
		for _, source := range e.Sources() {
			if j, known := first[source]; known {
				group[root(i)] = root(j)
			} else {
				first[source] = i
			}
		}
	}
	best := map[int]*Result{}
	for i, e := range r.ledger {
		if old := best[root(i)]; old == nil || r.heavy[e.Result] > r.heavy[old]+leastMoved {
			best[root(i)] = e.Result
		}
	}
	kept := map[*Result]bool{}
	for _, g := range best {
		kept[g] = true
	}
	return r.ledger.without(func(e *entry) bool { return !kept[e.Result] })
}

// HangsOn says in one line what the answer hangs on.
func (r *Reasons) HangsOn() string {
	for _, i := range r.If {
		if i.ChangesLeader {
			return fmt.Sprintf("%s the leader is %s", i.Name, i.Leader)
		}
	}
	return "nothing single turns it"
}

// Ordered lists the worlds of a map: hypotheses by number, None last.
func Ordered[T any](byWorld map[string]T) []string {
	names := slices.Collect(maps.Keys(byWorld))
	slices.SortFunc(names, func(a, b string) int {
		last := func(name string) int {
			if name == None.ID() {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(last(a), last(b)), artifact.CompareKeys(a, b))
	})
	return names
}
