package science

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Advice is what a test without a result would teach.
type Advice struct {
	Test          artifact.ItemID    `json:"test"`
	Name          string             `json:"name"`
	Bits          float64            `json:"bits"`
	Effort        float64            `json:"effort"`
	BitsPerEffort float64            `json:"bits_per_effort"`
	Range         [2]float64         `json:"range"`
	Labels        []string           `json:"labels"`
	Assumed       []string           `json:"assumed"`
	Findings      []protocol.Finding `json:"findings"`
}

// Order says what tests are ranked by.
type Order uint8

// The orders.
const (
	ByBitsPerEffort Order = iota
	ByBits
)

// Ranking is the active tests without a result, the best first, and the pairs of active
// hypotheses that none of them tells apart.
type Ranking struct {
	Tests       []Advice
	Unseparated [][2]string
}

// Next ranks the tests that could be done now.
func (r *Beliefs) Next(order Order) Ranking { return r.next(r.position(), order) }

// position is what the agents believe: what the register holds, or what it would hold.
type position struct {
	voices [][]float64
	agents bool // the voices are agents', not the one that stands in
	pooled []float64
	done   []int // tests that have an outcome in it beside those of the register
}

func (r *Beliefs) position() position {
	return position{voices: r.voices(), agents: r.StandIn == nil, pooled: r.Pooled}
}

func (r *Beliefs) next(p position, order Order) Ranking {
	ranking := Ranking{Tests: []Advice{}}
	var tables []Table // the common ones
	for i, t := range r.Tests.All() {
		if t == nil || t.Killed || t.Frozen != nil || slices.Contains(p.done, i+1) {
			continue
		}
		table := r.table(t)
		tables = append(tables, table)
		ranking.Tests = append(ranking.Tests, r.advise(i+1, t, &table, p))
	}
	slices.SortStableFunc(ranking.Tests, func(a, b Advice) int {
		first := 0
		if order == ByBitsPerEffort {
			first = cmp.Compare(b.BitsPerEffort, a.BitsPerEffort)
		}
		return cmp.Or(first, cmp.Compare(b.Bits, a.Bits), cmp.Compare(b.BitsPerEffort, a.BitsPerEffort),
			cmp.Compare(a.Test.Number(), b.Test.Number()))
	})
	ranking.Unseparated = unseparated(r.Worlds, tables)
	return ranking
}

func (r *Beliefs) advise(number int, t *Test, table *Table, p position) Advice {
	a := Advice{
		Test: artifact.NewItemID(artifact.DiscriminativeTests, number), Name: t.Name,
		Bits: bits(p.pooled, r.Worlds, table), Labels: append([]string{}, table.Labels...), Findings: []protocol.Finding{},
	}
	assumed := slices.Clone(table.Assumed)
	a.Effort = effort(t.Score, &assumed)
	a.BitsPerEffort = a.Bits / a.Effort
	a.Assumed = inOrder(assumed)
	a.Range = [2]float64{a.Bits, a.Bits}
	if p.agents {
		a.Range = r.spread(p.voices, table)
	}
	a.findings(t, table)
	return a
}

// effort is 10^((6 − cost − speed)/3): 3 is cheap and fast, so that 1 is the least.
func effort(score artifact.Score, assumed *[]string) float64 {
	return math.Pow(10, (6-points(score, cost, assumed)-points(score, speed, assumed))/3)
}

// inOrder lists parts of a score in the order of the table of fields.
func inOrder(parts []string) []string {
	list := []string{}
	for _, part := range artifact.ScoreParts {
		if slices.Contains(parts, part) {
			list = append(list, part)
		}
	}
	return list
}

// spread is the least and the greatest information over the single agents' distributions.
func (r *Beliefs) spread(voices [][]float64, table *Table) [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, masses := range voices {
		b := bits(masses, r.Worlds, table)
		lo, hi = min(lo, b), max(hi, b)
	}
	return [2]float64{lo, hi}
}

// cannotDiscriminate is the information below which a test is not worth doing.
const cannotDiscriminate = 0.01

func (a *Advice) findings(t *Test, table *Table) {
	if a.Bits < cannotDiscriminate {
		a.Findings = append(a.Findings, protocol.NewFinding(protocol.CannotDiscriminate,
			"%s would give %.3g bits.", a.Test, a.Bits).On(string(a.Test)))
	}
	if !t.Potent {
		a.Findings = append(a.Findings, protocol.NewFinding(protocol.NoPotencyCheck, "%s has no potency check.", a.Test).
			On(string(a.Test)).In(artifact.PotencyCheck))
	}
	a.Findings = append(a.Findings, table.differing(a.Test)...)
}

func (t *Table) differing(test artifact.ItemID) []protocol.Finding {
	var list []protocol.Finding
	for _, agent := range t.Differ {
		list = append(list, protocol.NewFinding(protocol.LabelsDiffer, "%s states likelihoods of %s for other labels than the latest statement.", agent, test).
			On(string(test)).WithFix("State them for %s.", quoteAll(t.Labels)))
	}
	return list
}

func quoteAll(labels []string) string {
	quoted := make([]string, len(labels))
	for i, label := range labels {
		quoted[i] = strconv.Quote(label)
	}
	return strings.Join(quoted, ", ")
}

// unseparated lists the pairs of hypotheses that no table tells apart (SCIENCE 5).
func unseparated(worlds []World, tables []Table) [][2]string {
	pairs := [][2]string{}
	hypotheses := worlds[:max(0, len(worlds)-1)] // without none
	for i, v := range hypotheses {
		for _, w := range hypotheses[i+1:] {
			if !slices.ContainsFunc(tables, func(t Table) bool { return t.TellsApart(v, w) }) {
				pairs = append(pairs, [2]string{v.ID(), w.ID()})
			}
		}
	}
	return pairs
}

// sameLikelihood is how far two likelihoods may differ and still be the same.
const sameLikelihood = 1e-9

// TellsApart reports whether a test tells two hypotheses apart: their rows in its table differ (SCIENCE 5, unseparated).
// Every page means this by the words.
func (t *Table) TellsApart(v, w World) bool {
	for o := range t.Labels {
		if math.Abs(t.likelihood(v, o)-t.likelihood(w, o)) > sameLikelihood {
			return true
		}
	}
	return false
}
