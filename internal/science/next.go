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

// Advice is what a test would teach.
type Advice struct {
	Test          artifact.ItemID    `json:"test"`
	Name          string             `json:"name"`
	Bits          float64            `json:"bits"`         // what belief is expected to move
	QuarrelBits   float64            `json:"quarrel_bits"` // what it would settle if the agents pooled first
	Effort        float64            `json:"effort"`
	BitsPerEffort float64            `json:"bits_per_effort"`
	Range         [2]float64         `json:"range"`
	Labels        []string           `json:"labels"`
	Blocked       *string            `json:"blocked"`  // why it cannot be done; null: nobody said so
	Confirm       bool               `json:"confirm"`  // it has exploratory results only
	RestsOn       map[string]string  `json:"rests_on"` // worlds whose row is one agent's statement
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

// Ranking is the active tests without a result that counts, the best first, and the pairs of active
// hypotheses that none of them tells apart.
type Ranking struct {
	Tests       []Advice
	Unseparated [][2]string
}

// Best is the test to do next; nil if none can be done.
func (r *Ranking) Best() *Advice {
	if len(r.Tests) == 0 || r.Tests[0].Blocked != nil {
		return nil
	}
	return &r.Tests[0]
}

// Next ranks the tests that could be done now (SCIENCE 5).
func (a *Account) Next(order Order) Ranking { return a.position().next(order) }

// position is what the agents believe: what the account holds, or what it would hold.
type position struct {
	*Account
	ledger ledger
	voices []Voice
	pooled []float64
	supposed
}

// supposed are outcomes that did not happen, of tests by number.
type supposed map[int]Outcome

func (a *Account) position() *position {
	return &position{a, a.ledger, a.Voices, a.Pooled, nil}
}

func (p *position) next(order Order) Ranking {
	ranking := Ranking{Tests: []Advice{}}
	var common [][][]float64
	for i, t := range p.Beliefs.Tests.All() {
		id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
		if t == nil || t.Killed || p.done(id) {
			continue
		}
		table := p.Table(id)
		cells := table.over(table.outcomes())
		rows := cells.matrix("", p.Worlds)
		common = append(common, rows)
		ranking.Tests = append(ranking.Tests, p.advise(id, t, cells, rows))
	}
	slices.SortStableFunc(ranking.Tests, func(x, y Advice) int { return x.compare(&y, order) })
	ranking.Unseparated = unseparated(p.Worlds, common)
	return ranking
}

// done reports whether a test has a result that counts and is not exploratory, or is supposed to have one.
func (p *position) done(id artifact.ItemID) bool {
	if _, ok := p.supposed[id.Number()]; ok {
		return true
	}
	return slices.ContainsFunc(p.ledger, func(e entry) bool { return e.Test == id && !e.Exploratory })
}

// compare puts tests that can be done before those that are blocked, then the better one first.
func (a *Advice) compare(b *Advice, order Order) int {
	first := 0
	if order == ByBitsPerEffort {
		first = cmp.Compare(b.BitsPerEffort, a.BitsPerEffort)
	}
	blocked := func(a *Advice) int {
		if a.Blocked != nil {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(blocked(a), blocked(b)), first, cmp.Compare(b.Bits, a.Bits), cmp.Compare(b.BitsPerEffort, a.BitsPerEffort),
		cmp.Compare(a.Test.Number(), b.Test.Number()))
}

func (p *position) advise(id artifact.ItemID, t *Test, cells *grid, common [][]float64) Advice {
	table := cells.Table
	a := Advice{
		Test: id, Name: t.Name, Labels: append([]string{}, table.Labels...), Findings: []protocol.Finding{}, RestsOn: map[string]string{},
		Blocked: p.blocked(id), Confirm: slices.ContainsFunc(p.ledger, func(e entry) bool { return e.Test == id }),
	}
	if table.informative() {
		a.QuarrelBits, a.Bits, a.Range = p.expect(cells, common)
	}
	assumed := slices.Clone(table.Assumed)
	a.Effort = effort(t.score(), &assumed)
	a.BitsPerEffort = a.Bits / a.Effort
	a.Assumed = inOrder(assumed)
	if table.Quantity != nil && table.Quantity.SD == 0 {
		a.Assumed = append(a.Assumed, "sd")
	}
	for _, w := range p.Worlds {
		if len(table.stated[w]) == 1 && (table.Quantity != nil || !table.expected[w] || table.derived < 2) &&
			!(table.Quantity != nil && table.expected[w]) {
			a.RestsOn[w.ID()] = table.stated[w][0]
		}
	}
	a.findings(t, table, common)
	return a
}

// score is how the test is scored now.
func (t *Test) score() artifact.Score {
	if plan := t.Plans.latest(); plan != nil {
		return plan.Score
	}
	return nil
}

// blocked says why a test cannot be done, by the note of its attempt; nil if nobody said so.
func (p *position) blocked(id artifact.ItemID) *string {
	if p.Results.Test(id).Status != "blocked" {
		return nil
	}
	why := "blocked"
	for _, g := range p.Results.Of(id) {
		if g.Status == "blocked" && g.Note != "" {
			why = g.Note
		}
	}
	return &why
}

// expect is what the pool would settle, and what the belief of all, and that of each agent, is expected to move (SCIENCE 5, bits):
//
//	Σ_o P(o) · KL(pool(o) ‖ pool)
//
// where P(o) is the pool of Σ_w p(w)·L(o|w) and pool(o) that of the agents after the outcome.
func (p *position) expect(table *grid, common [][]float64) (quarrel, bits float64, span [2]float64) {
	certain := certainties(common)
	voices, weights := p.asked(table, common, certain), voiceWeights(p.voices)
	pooled, after := make([]float64, len(p.Worlds)), make([]float64, len(p.Worlds))
	for o := range common[0] {
		clear(pooled)
		chance := 0.0
		for i := range voices {
			v := &voices[i]
			likely := v.update(after, o)
			if v.moves {
				v.bits += likely * Divergence(after, v.holds)
			}
			chance += weights[i] * likely
			for w := range after {
				pooled[w] += weights[i] * after[w]
			}
		}
		bits += chance * Divergence(pooled, p.pooled)
	}
	span = [2]float64{math.Inf(1), math.Inf(-1)}
	for i := range voices {
		span = [2]float64{min(span[0], asBits(voices[i].bits)), max(span[1], asBits(voices[i].bits))}
	}
	if bits = asBits(bits); p.voices[0].Credences == nil {
		span = [2]float64{bits, bits}
	}
	return information(p.pooled, common, certain), bits, span
}

// asked is a voice that is asked what a test would teach it.
type asked struct {
	rows   [][]float64
	holds  []float64
	before []float64 // what it would hold without the result that a new one would replace
	power  float64
	bits   float64 // what it is expected to move
	moves  bool    // bits are still to be summed up, outcome by outcome
}

// asked lists the voices with their rows. Where a first result would move them, what they are expected to move is the information that
// the test has for them, which is cheaper to work out.
func (p *position) asked(table *grid, common [][]float64, certain []float64) []asked {
	before, power := p.unconfirmed(table.Test)
	list := make([]asked, len(p.voices))
	for i, v := range p.voices {
		rows, sure := common, certain
		if len(table.own[strings.ToLower(v.Agent)]) > 0 {
			rows = table.matrix(v.Agent, p.Worlds)
			sure = certainties(rows)
		}
		list[i] = asked{rows: rows, holds: v.Masses, before: before[i], power: power, moves: true}
		if power == 1 && slices.Equal(before[i], v.Masses) {
			list[i].bits, list[i].moves = information(v.Masses, rows, sure), false
		}
	}
	return list
}

// update writes what the voice would hold after an outcome, and returns how likely it holds that.
func (a *asked) update(after []float64, o int) (likely float64) {
	for w, row := range a.rows {
		after[w] = a.holds[w] * row[o]
		likely += after[w]
	}
	if a.moves || likely <= 0 {
		update(after, a.before, a.rows, o, a.power)
		return likely
	}
	for w := range after {
		after[w] /= likely
	}
	return likely
}

// update writes what a distribution would be after an outcome.
func update(after, before []float64, rows [][]float64, o int, power float64) {
	for w := range after {
		l := rows[w][o]
		if power != 1 {
			l = math.Pow(l, power)
		}
		after[w] = before[w] * l
	}
	if !scale(after) {
		copy(after, before)
	}
}

// unconfirmed is what each voice would hold without the result that a new one would replace, and the power that the new one would count
// with.
func (p *position) unconfirmed(id artifact.ItemID) (masses [][]float64, power float64) {
	l := p.ledger
	if p.Results.Test(id).Main > 0 {
		l = p.replaced(l, func(other artifact.ItemID) bool { return other == id })
		masses = p.masses(l)
	} else {
		for _, v := range p.voices {
			masses = append(masses, v.Masses)
		}
	}
	nth := 1
	for i := range l {
		if l[i].Test == id {
			nth++
		}
	}
	return masses, 1 / float64(nth)
}

// masses are what the voices hold, had the results of a ledger been all that counts, after what is supposed.
func (p *position) masses(l ledger) [][]float64 {
	var list [][]float64
	for _, v := range p.voices {
		var h holding
		if v.Credences == nil {
			h = p.standing(p.Messages, l, everything)
		} else {
			h = p.carry(v.Agent, v.Credences.stated(), v.Credences.Place, p.Messages, l, everything)
		}
		p.suppose(v.Agent, &h)
		list = append(list, h.masses)
	}
	return list
}

// effort is 10^((6 − cost − speed)/3): 3 is cheap and fast, so that 1 is the least.
func effort(score artifact.Score, assumed *[]string) float64 {
	return Effort(points(score, cost, assumed), points(score, speed, assumed))
}

// Effort is what a test takes that scores so many points for cost and for speed (SCIENCE 5).
func Effort(cost, speed float64) float64 { return math.Pow(10, (6-cost-speed)/3) }

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

func quoteAll(labels []string) string {
	quoted := make([]string, len(labels))
	for i, label := range labels {
		quoted[i] = strconv.Quote(label)
	}
	return strings.Join(quoted, ", ")
}
