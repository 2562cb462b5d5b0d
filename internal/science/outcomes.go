package science

import (
	"cmp"
	"slices"

	"brenner/internal/artifact"
)

// Frozen is what was stated just before the first look at a test (SCIENCE 4): its table, and what each agent with
// credences foresaw. Labels, cells and statements that are written later are not used.
type Frozen struct {
	Place     int // of the first look
	Table     Table
	Forecasts []Forecast
}

// Forecast is how likely an agent held each label just before the first look.
type Forecast struct {
	Agent string
	P     []float64
}

// freeze keeps what is stated now for each test that this message is the first look at.
func (r *Beliefs) freeze(s Step, tests []*artifact.Item, results *Results) {
	for _, it := range tests {
		next := *r.test(it.ID.Number())
		if next.Frozen != nil || results.FirstLook(it.ID).Place != s.Place {
			continue
		}
		table := r.table(&next)
		next.Frozen = &Frozen{s.Place, table, r.forecasts(&next, &table)}
		r.Tests.put(it.ID.Number(), &next)
	}
}

// forecasts are P(o) = Σ_w p(w)·L(o|w) for each agent with credences: its own distribution, the rows
// it stated itself for these labels, and for other worlds the common ones (SCIENCE 6).
func (r *Beliefs) forecasts(t *Test, table *Table) []Forecast {
	var list []Forecast
	for _, a := range r.Agents.All() {
		if a.Credences == nil {
			continue
		}
		own := t.statement(a.Name, table.Keys)
		p := make([]float64, len(table.Labels))
		for i, w := range r.Worlds {
			row := rowOf(own, w)
			for j := range p {
				if row != nil {
					p[j] += a.Holding.Masses[i] * row[j]
				} else {
					p[j] += a.Holding.Masses[i] * table.likelihood(w, j)
				}
			}
		}
		list = append(list, Forecast{a.Name, p})
	}
	return list
}

// statement is what an agent said for these labels, in their order.
func (t *Test) statement(agent string, keys []string) []Row {
	for _, s := range t.Statements {
		if sameAgent(s.Agent, agent) {
			if columns, same := s.columns(keys); same {
				return s.arranged(columns).Rows
			}
		}
	}
	return nil
}

// record brings the list of labelled outcomes up to date with the tests of a message. It returns
// those that came behind all others, or that something else changed.
func (r *Beliefs) record(s Step, tests []*artifact.Item, results *Results) (added []LabelledOutcome, reordered bool) {
	for _, it := range tests {
		number := it.ID.Number()
		at := slices.IndexFunc(r.Outcomes.All(), func(o LabelledOutcome) bool { return o.Test == number })
		now, labelled := r.outcome(number, results.Stands(it.ID))
		if at >= 0 {
			if labelled && r.Outcomes.At(at+1) == now && r.test(number).Frozen.Place != s.Place {
				continue
			}
			r.Outcomes.remove(func(o LabelledOutcome) bool { return o.Test == number })
			reordered = true
		}
		if labelled {
			added = append(added, now)
		}
	}
	if len(added) == 0 && !reordered {
		return nil, false
	}
	slices.SortFunc(added, compareOutcomes)
	if len(added) > 0 && added[0].Place < s.Place {
		reordered = true // it was set before it counted
	}
	for _, o := range added {
		r.Outcomes.append(o)
	}
	if reordered {
		r.Outcomes.sort(compareOutcomes)
	}
	return added, reordered
}

func compareOutcomes(a, b LabelledOutcome) int {
	return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Test, b.Test))
}

// outcome is the outcome of a test's main result, if it counts and is one of the test's labels.
func (r *Beliefs) outcome(number int, main *Result) (LabelledOutcome, bool) {
	frozen := r.test(number).Frozen
	if main == nil || main.Outcome == "" || main.Potency == PotencyFailed || frozen == nil {
		return LabelledOutcome{}, false
	}
	label := frozen.Table.label(main.Outcome)
	return LabelledOutcome{number, main.Place, label}, label >= 0
}
