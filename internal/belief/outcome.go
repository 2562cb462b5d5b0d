package belief

import (
	"cmp"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/experiment"
)

// Frozen is what was stated just before a test's result R: its table, and what each agent with
// credences foresaw. Labels, cells and statements that are written later are not used.
type Frozen struct {
	Place     int // of R
	Table     Table
	Forecasts []Forecast
}

// Forecast is how likely an agent held each label just before R.
type Forecast struct {
	Agent string
	P     []float64
}

// freeze keeps what is stated now for each test whose result R this message is.
func (r *Register) freeze(s experiment.Step, tests []*artifact.Item, results *experiment.Register) {
	for _, it := range tests {
		result := results.Test(it.ID).Result
		if result == nil || result.Place != s.Place {
			continue
		}
		next := *r.test(it.ID.Number())
		table := r.table(&next)
		next.Frozen = &Frozen{s.Place, table, r.forecasts(&next, &table)}
		r.putTest(it.ID.Number(), &next)
	}
}

// forecasts are P(o) = Σ_w p(w)·L(o|w) for each agent with credences: its own distribution, the rows
// it stated itself for these labels, and for other worlds the common ones (SCIENCE 6).
func (r *Register) forecasts(t *Test, table *Table) []Forecast {
	var list []Forecast
	for _, a := range r.Agents {
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
func (r *Register) record(s experiment.Step, tests []*artifact.Item, results *experiment.Register) (added []Outcome, reordered bool) {
	for _, it := range tests {
		number := it.ID.Number()
		at := slices.IndexFunc(r.Outcomes, func(o Outcome) bool { return o.Test == number })
		now, labelled := r.outcome(number, results.Test(it.ID))
		if at >= 0 {
			if labelled && r.Outcomes[at] == now && r.test(number).Frozen.Place != s.Place {
				continue
			}
			r.own()
			r.Outcomes = slices.Delete(r.Outcomes, at, at+1)
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
	r.own()
	r.Outcomes = append(r.Outcomes, added...)
	if reordered {
		slices.SortFunc(r.Outcomes, compareOutcomes)
	}
	return added, reordered
}

func compareOutcomes(a, b Outcome) int {
	return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Test, b.Test))
}

// outcome is a test's outcome, if it has a result and the outcome is one of its labels.
func (r *Register) outcome(number int, t *experiment.Test) (Outcome, bool) {
	frozen := r.test(number).Frozen
	if t.Result == nil || t.Outcome == "" || frozen == nil {
		return Outcome{}, false
	}
	label := frozen.Table.label(t.Outcome)
	return Outcome{number, t.Set, label}, label >= 0
}
