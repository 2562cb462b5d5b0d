package science

import (
	"math"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// cannotDiscriminate is the information below which a test is not worth doing.
const cannotDiscriminate = 0.01

func (a *Advice) findings(t *Test, table *Table, common [][]float64) {
	if a.Bits < cannotDiscriminate {
		a.Findings = append(a.Findings, protocol.NewFinding(protocol.CannotDiscriminate,
			"%s would give %.3g bits.", a.Test, a.Bits).On(string(a.Test)).WithFix("%s", table.sharpen(a, common)))
	}
	if !t.Potent {
		a.Findings = append(a.Findings, protocol.NewFinding(protocol.NoPotencyCheck, "%s has no potency check.", a.Test).
			On(string(a.Test)).In(artifact.PotencyCheck))
	}
	a.Findings = append(append(a.Findings, table.differing()...), table.unreadable()...)
}

// sharpen says what would make a test tell something, by what keeps it from that.
func (t *Table) sharpen(a *Advice, common [][]float64) string {
	flat := true
	for _, row := range common[:max(0, len(common)-1)] {
		flat = flat && equalRows(row, common[0])
	}
	switch {
	case !t.informative() && len(t.Labels) == 0:
		return "EDIT expected_outcomes: no hypothesis expects anything of it."
	case !t.informative():
		return "EDIT expected_outcomes: all that is expected is one outcome, " + quoteAll(t.Labels) + "."
	case flat && t.Zero && t.derived >= 2:
		return "EDIT score.likelihood_ratio, which is 0: the outcomes are said to be as likely under every hypothesis."
	case flat:
		return "EDIT expected_outcomes so that they differ between hypotheses: all rows are the same."
	case len(a.RestsOn) > 0:
		return "Ask others for likelihoods: what tells the hypotheses apart is the table of " + t.soleAuthor(a) + "."
	}
	return "Choose another test: belief would hardly move, whatever is found."
}

// soleAuthor names who alone stated rows.
func (t *Table) soleAuthor(a *Advice) string {
	var names []string
	for _, w := range t.Worlds {
		if name := a.RestsOn[w.ID()]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// unseparated lists the pairs of hypotheses that no table tells apart (SCIENCE 5).
func unseparated(worlds []World, tables [][][]float64) [][2]string {
	pairs := [][2]string{}
	for i := range worlds[:len(worlds)-1] { // without none
		for j := i + 1; j < len(worlds)-1; j++ {
			if !slices.ContainsFunc(tables, func(rows [][]float64) bool { return !equalRows(rows[i], rows[j]) }) {
				pairs = append(pairs, [2]string{worlds[i].ID(), worlds[j].ID()})
			}
		}
	}
	return pairs
}

// sameLikelihood is how far two likelihoods may differ and still be the same.
const sameLikelihood = 1e-9

func equalRows(p, q []float64) bool {
	for o := range p {
		if math.Abs(p[o]-q[o]) > sameLikelihood {
			return false
		}
	}
	return true
}

// TellsApart reports whether a test tells two hypotheses apart: their common rows differ (SCIENCE 5, unseparated).
// Every page means this by the words.
func (t *Table) TellsApart(v, w World) bool {
	rows := t.matrix("", []World{v, w, None})
	return !equalRows(rows[0], rows[1])
}
