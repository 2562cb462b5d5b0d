package science_test

import (
	"fmt"
	"math"
	"slices"

	"brenner/internal/science"
)

// otherwise is what a reference is asked to take as other than it was (SCIENCE 6).
type otherwise struct {
	now      *reference                               // what stands, counts and was planned is taken from here; nil: from the thread itself
	gone     func(test int, run labRun) bool          // updates that are left out
	bolder   float64                                  // more on every score of a likelihood ratio
	merciful bool                                     // nobody was killed
	equals   func(voices []string) map[string]float64 // the weights of the voices; nil: those of their families
}

// left are the results that count now, up to the reference's last message, but for those that are left out.
func (ref reference) left(test int) []labRun {
	var list []labRun
	for _, run := range ref.now.counted(test) {
		if run.place <= ref.last() && (ref.gone == nil || !ref.gone(test, run)) {
			list = append(list, run)
		}
	}
	return list
}

// but is the thread up to a place by what stands now, but for something.
func (ref reference) but(place int, o otherwise) reference {
	o.now = &ref
	return reference{ref.log[:place+1], o}
}

// believed is the pool over all worlds that a voice has.
func (ref reference) believed() map[int]float64 {
	voices := ref.voices()
	var names []string
	pool := map[int]float64{}
	for name, p := range voices {
		names = append(names, name)
		for w := range p {
			pool[w] = 0
		}
	}
	for w := range pool {
		if ref.equals == nil {
			pool[w] = over(voices, func(name string) float64 { return voices[name][w] })
			continue
		}
		for name, weight := range ref.equals(names) {
			pool[w] += weight * voices[name][w]
		}
	}
	return pool
}

// refResult is a result of a test.
type refResult struct {
	test int
	labRun
}

func (r refResult) same(test int, run labRun) bool { return r.test == test && r.place == run.place }

// found lists the results of all tests, in the order of updates.
func (ref reference) inOrder(of func(test int) []labRun) []refResult {
	var list []refResult
	for place := range ref.log {
		for test := 1; test <= len(ref.log[ref.last()].tests); test++ {
			for _, run := range of(test) {
				if run.place == place {
					list = append(list, refResult{test, run})
				}
			}
		}
	}
	return list
}

func (ref reference) allStanding() []refResult {
	return ref.inOrder(func(test int) []labRun { list, _ := ref.standing(test); return list })
}

// weighed is the pool at a result's message without it and with it.
func (ref reference) weighed(r refResult) (before, after map[int]float64) {
	return ref.but(r.place, otherwise{gone: r.same}).believed(), ref.but(r.place, otherwise{}).believed()
}

// heft is the sum of |weight| of a result.
func (ref reference) heft(r refResult) float64 {
	before, after := ref.weighed(r)
	sum := 0.0
	for w := range after {
		if before[w] > 0 {
			sum += math.Abs(math.Log2(after[w] / before[w]))
		}
	}
	return sum
}

// ifs are all that could be otherwise, by name; one that changes nothing may be missing in an answer.
func (ref reference) ifs() map[string]otherwise {
	list := map[string]otherwise{
		"no replications": {gone: func(_ int, run labRun) bool { return run.replicates }},
		"no kills":        {merciful: true},
		"weaker":          {bolder: -1}, "stronger": {bolder: 1},
		"shared evidence once": {gone: ref.repeats()},
		"one agent, one vote": {equals: func(names []string) map[string]float64 {
			weights := map[string]float64{}
			for _, name := range names {
				weights[name] = 1 / float64(len(names))
			}
			return weights
		}},
	}
	for _, r := range ref.allStanding() {
		list[fmt.Sprintf("without T%d #%d", r.test, 100+r.place)] = otherwise{gone: r.same}
		for _, source := range r.evidence {
			list["without "+source] = otherwise{gone: func(_ int, run labRun) bool { return slices.Contains(run.evidence, source) }}
		}
	}
	return list
}

// repeats tells which results are not the weightiest of those that they share sources with, directly or through others. Of equal ones the
// first stays.
func (ref reference) repeats() func(int, labRun) bool {
	all := ref.inOrder(ref.counted)
	together := make([][]bool, len(all))
	for i := range all {
		together[i] = make([]bool, len(all))
		for j := range all {
			together[i][j] = slices.ContainsFunc(all[i].evidence, func(source string) bool {
				return slices.Contains(all[j].evidence, source)
			})
		}
	}
	for k := range all { // whoever reaches k reaches what k reaches
		for i := range all {
			for j := range all {
				together[i][j] = together[i][j] || together[i][k] && together[k][j]
			}
		}
	}
	dropped := map[[2]int]bool{}
	for i := range all {
		for j := range all {
			mine, other := ref.heft(all[i]), ref.heft(all[j])
			if i != j && together[i][j] && (other > mine+1e-12 || math.Abs(other-mine) <= 1e-12 && j < i) {
				dropped[[2]int{all[i].test, all[i].place}] = true
			}
		}
	}
	return func(test int, run labRun) bool { return dropped[[2]int{test, run.place}] }
}

// reasons compares the ledger of standing results, and everything that could be otherwise.
func (c comparison) reasons() bool {
	r, standing := c.account.Reasons(), c.ref.allStanding()
	if len(r.Results) != len(standing) {
		c.t.Errorf("seed %d: reasons has %d results, want %d", c.seed, len(r.Results), len(standing))
		return false
	}
	for i, want := range standing {
		if !c.reason(&r.Results[i], want) {
			return false
		}
	}
	return c.allIfs(r)
}

func (c comparison) reason(row *science.ReasonRow, want refResult) bool {
	name := fmt.Sprintf("T%d #%d", want.test, 100+want.place)
	if string(row.Test) != fmt.Sprintf("T%d", want.test) || row.MessageID != int64(100+want.place) {
		c.t.Errorf("seed %d: %s #%d stands where %s does", c.seed, row.Test, row.MessageID, name)
		return false
	}
	counts := slices.ContainsFunc(c.ref.counted(want.test), func(run labRun) bool { return run.place == want.place })
	if counts != (row.Likelihoods != nil) {
		c.t.Errorf("seed %d: %s counts: %t, want %t", c.seed, name, row.Likelihoods != nil, counts)
		return false
	}
	if want.started > 0 {
		c.seen["runs told of"]++
	}
	before, after := c.ref.weighed(want)
	ok := c.sameWorlds(name+" before", row.Before, before) && c.sameWorlds(name+" after", row.After, after) && len(row.Weight) == len(after)
	for w := range after {
		weight := row.Weight[worldName(w)]
		switch {
		case !counts:
			ok = ok && weight != nil && *weight == 0
		case before[w] == 0 || after[w] == 0:
			ok = ok && weight == nil
		default:
			ok = ok && weight != nil && c.same(name+" weight", *weight, math.Log2(after[w]/before[w]))
		}
		c.seen["weights"]++
	}
	if counts {
		then := c.ref.cut(want.place - 1).pooled() // only its worlds are asked
		for h := range c.ref.log[want.place].hypotheses {
			if c.ref.added(h) == want.place {
				then[h] = 0
			}
		}
		ok = ok && c.sameWorlds(name+" likelihoods", row.Likelihoods, c.ref.table(want.test).in("", then, want.labRun))
	}
	if !ok {
		c.t.Errorf("seed %d: %s is %+v", c.seed, name, row)
	}
	return ok
}

func (c comparison) sameWorlds(what string, got map[string]float64, want map[int]float64) bool {
	if len(got) != len(want) {
		c.t.Errorf("seed %d: %s has %v, want %v", c.seed, what, got, want)
		return false
	}
	for w, p := range want {
		if !c.same(what+" "+worldName(w), got[worldName(w)], p) {
			return false
		}
	}
	return true
}

func (c comparison) allIfs(r science.Reasons) bool {
	want, now := c.ref.ifs(), c.ref.pooled()
	for _, i := range r.If {
		o, known := want[i.Name]
		if !known {
			c.t.Errorf("seed %d: nobody asks for %q", c.seed, i.Name)
			return false
		}
		delete(want, i.Name)
		c.seen["ifs"]++
		c.seen[i.Name]++
		pool := c.ref.but(c.ref.last(), o).believed()
		if !c.sameWorlds(i.Name, i.Pooled, pool) {
			return false
		}
		if lead := refLeader(pool); i.Leader != lead || i.ChangesLeader != (lead != refLeader(now)) {
			c.t.Errorf("seed %d: %s: the leader of %v is %s (%t)", c.seed, i.Name, pool, i.Leader, i.ChangesLeader)
			return false
		}
	}
	for name, o := range want {
		for w, p := range c.ref.but(c.ref.last(), o).believed() {
			if !c.same(name+", which is missing,", p, now[w]) {
				return false
			}
		}
	}
	return true
}

// refLeader is the greatest; of equal ones the lowest number, none last.
func refLeader(pool map[int]float64) string {
	best := 0
	for w := 1; w <= 20; w++ {
		if p, ok := pool[w]; ok && (best == 0 && p >= pool[0]-1e-12 || best > 0 && p > pool[best]+1e-12) {
			best = w
		}
	}
	return worldName(best)
}
