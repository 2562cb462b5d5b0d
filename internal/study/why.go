package study

import (
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/figure"
	"brenner/internal/science"
)

// Why is why belief is what it is (SCIENCE 6): what each standing result did to each world, and what would be otherwise.
type Why struct {
	Worlds []World // the living by belief, then none
	Rows   []WhyRow
	Kills  []WhyKill
	Sums   []float64 // of what counts, in bits
	Before []float64 // what was believed before the first result that counts; nil: there is none
	Ifs    []Supposed
	Shared [][2]artifact.ItemID // tests whose results rest on one source
}

// WhyRow is what one standing result did.
type WhyRow struct {
	Result
	TestName string
	Href     string
	Weights  []*float64 // by world; nil: no finite number says how much, or the world was not there
	Likely   []*float64 // how likely each world made it; nil: it does not count
	From     string     // where that comes from
}

// WhyKill is a decision that moved belief without being evidence.
type WhyKill struct {
	ID, Name string
	Killed
	Href string
}

// Supposed is what would be believed if something were otherwise.
type Supposed struct {
	science.If
	TestName string
	Also     int64           // the message of the result that is left out, if its test has others that stand; else 0
	Verdict  science.Verdict // what the session would come to
	Shares   []figure.Share
}

// maxIfs is how many suppositions are shown that leave the leader as it is.
const maxIfs = 12

// NewWhy arranges reasons.
func NewWhy(s *Study, src Source, reasons *science.Reasons) Why {
	w := Why{}
	for _, h := range s.Alive() {
		w.Worlds = append(w.Worlds, h.World)
	}
	w.Worlds = append(w.Worlds, s.None)
	w.Sums = make([]float64, len(w.Worlds))
	byMessage := map[int64]map[artifact.ItemID]LedgerRow{}
	for _, row := range s.ledger {
		if byMessage[row.MessageID] == nil {
			byMessage[row.MessageID] = map[artifact.ItemID]LedgerRow{}
		}
		byMessage[row.MessageID][row.Test] = row
	}
	for i := range reasons.Results {
		r := &reasons.Results[i]
		row := byMessage[r.MessageID][r.Test]
		w.add(WhyRow{Result: row.Result, TestName: row.TestName, Href: row.Href, From: likelihoodsFrom(src.Account.Table(r.Test))}, r)
	}
	for _, h := range s.Hypotheses {
		if h.Killed != nil {
			w.Kills = append(w.Kills, WhyKill{h.ID, h.Name, *h.Killed, src.Links.Message(h.Killed.MessageID)})
		}
	}
	w.Shared = shared(reasons)
	for _, i := range reasons.Told() {
		one := s.supposed(i)
		one.Also = oneOfSeveral(reasons, i)
		one.Verdict = src.Account.VerdictOn(i.Pooled)
		if i.ChangesLeader || len(w.Ifs) < maxIfs {
			w.Ifs = append(w.Ifs, one)
		}
	}
	return w
}

// Likelihood writes how likely a world made what was found.
func Likelihood(p *float64) string {
	if p == nil {
		return "–"
	}
	return strings.ReplaceAll(fmt.Sprintf("%.3g", *p), "-", "−")
}

// likelihoodsFrom says where the likelihoods of a test come from.
func likelihoodsFrom(t *science.Table) string {
	if t.Quantity != nil {
		return "spreads, rule for numbers"
	}
	for _, w := range t.Worlds {
		if by := t.StatedBy(w); len(by) > 0 {
			return "stated by " + strings.Join(by, ", ")
		}
	}
	return "expected words and scores"
}

func (w *Why) add(row WhyRow, r *science.ReasonRow) {
	for i, world := range w.Worlds {
		var likely *float64
		if p, known := r.Likelihoods[world.ID]; known {
			likely = &p
		}
		row.Likely = append(row.Likely, likely)
		weight := r.Weight[world.ID]
		row.Weights = append(row.Weights, weight)
		if weight != nil {
			w.Sums[i] += *weight
		}
	}
	if row.Counted && w.Before == nil {
		for _, world := range w.Worlds {
			w.Before = append(w.Before, r.Before[world.ID])
		}
	}
	w.Rows = append(w.Rows, row)
}

// shared are the pairs of tests of which standing results rest on one source.
func shared(reasons *science.Reasons) [][2]artifact.ItemID {
	first := map[string]artifact.ItemID{}
	var list [][2]artifact.ItemID
	for _, r := range reasons.Results {
		for _, source := range science.SourcesOf(r.Evidence) {
			if other, known := first[source]; known && other != r.Test {
				list = append(list, [2]artifact.ItemID{other, r.Test})
			} else if !known {
				first[source] = r.Test
			}
		}
	}
	return list
}

func (s *Study) supposed(i science.If) Supposed {
	one := Supposed{If: i}
	if row := s.Matrix.row(i.Test); row != nil {
		one.TestName = row.Name
	}
	seen := map[string]bool{}
	put := func(id string) {
		if p, ok := i.Pooled[id]; ok && !seen[id] {
			seen[id] = true
			one.Shares = append(one.Shares, figure.Share{Label: id, Value: p})
		}
	}
	for _, h := range s.Alive() {
		put(h.ID)
	}
	put(none)
	for _, id := range science.Ordered(i.Pooled) { // whom a supposition brings back to life
		put(id)
	}
	return one
}

// oneOfSeveral is the message of the result that is left out, where the test's name alone would not tell which; else 0.
func oneOfSeveral(reasons *science.Reasons, i science.If) int64 {
	for _, r := range reasons.Results {
		if r.Test == i.Test && r.MessageID != i.MessageID {
			return i.MessageID
		}
	}
	return 0
}

// Supposition words what reasons suppose.
func Supposition(name string) string {
	switch name {
	case "no kills":
		return "nobody given up"
	case "no replications":
		return "repetitions left out"
	case "shared evidence once":
		return "shared sources counted once"
	case "weaker":
		return "word tests weigh less"
	case "stronger":
		return "word tests weigh more"
	}
	return name
}
