package science_test

import (
	"fmt"

	"brenner/internal/science"
)

// foreseers are the agents who stated rows for hypotheses of a table.
func (t refTable) foreseers(run labRun) map[string]bool {
	names := map[string]bool{}
	for _, w := range t.then.worlds() {
		for _, name := range agentNames {
			if _, stated := t.said(name, w, run); stated && w != 0 {
				names[name] = true
			}
		}
	}
	return names
}

// scored is the main result of a test that forecasts are held against, if it has one.
func (ref reference) scored(test int) (labRun, bool) {
	_, main := ref.standing(test)
	for _, run := range ref.counted(test) {
		if run.place == main && !run.exploratory && !run.unforeseen {
			_, announced := ref.log[ref.look(test)-1].tests[test]
			return run, announced && ref.table(test).informative()
		}
	}
	return labRun{}, false
}

// scores compares what the agents had foreseen of results (SCIENCE 7): by the thread cut just before the first look.
func (c comparison) scores() bool {
	got := map[string]science.Score{}
	for _, s := range c.account.Scores() {
		got[fmt.Sprint(s.Test, s.Agent)] = s
	}
	for test := 1; test <= len(c.ref.log[c.ref.last()].tests); test++ {
		run, ok := c.ref.scored(test)
		if !ok {
			continue
		}
		before, table := c.ref.cut(c.ref.look(test)-1), c.ref.table(test)
		asked := table.foreseers(run)
		for name, p := range before.voices() {
			if name == "" || len(asked) > 0 && !asked[name] {
				continue
			}
			key := fmt.Sprint("T", test, name)
			s, there := got[key]
			delete(got, key)
			if !there || s.Self != (c.ref.log[run.place].from == name) {
				c.t.Errorf("seed %d: the forecast of %s is %+v", c.seed, key, s)
				return false
			}
			c.seen["forecasts"]++
			if !c.forecast(key, &s, table, name, p, run) {
				return false
			}
		}
	}
	if len(got) > 0 {
		c.t.Errorf("seed %d: forecasts that nobody made: %v", c.seed, got)
	}
	return len(got) == 0
}

func (c comparison) forecast(key string, s *science.Score, table refTable, name string, p map[int]float64, run labRun) bool {
	likely := func(run labRun) float64 {
		sum := 0.0
		for w, l := range table.in(name, p, run) {
			sum += p[w] * l
		}
		return sum
	}
	if m := table.of().measure; m != nil {
		c.seen["numeric forecasts"]++
		return c.same(key, s.Density, likely(run)*(m.at(m.hi)-m.at(m.lo)))
	}
	brier := 0.0
	for at, find := range table.finds() {
		off := likely(find)
		if at == table.find(run.outcome) {
			off--
		}
		brier += off * off
	}
	return c.same(key, s.Brier(), brier)
}
