package science_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"brenner/internal/science"
)

const tolerance = 1e-9

// TestBruteForce compares the register with the reference on random threads: agents, kills,
// stated and derived tables, results in between, late statements. After each message everything
// must agree with the thread cut there.
func TestBruteForce(t *testing.T) {
	threads := 10_000
	if testing.Short() {
		threads = 1000
	}
	seen := map[string]int{}
	for seed := range uint64(threads) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		l := randomLab(rnd, 1+int(seed%10))
		c := comparison{t, seed, l, reference{l.log}, seen}
		if !c.all() {
			return
		}
	}
	for _, what := range []string{"agents", "stand-in", "scores", "history", "late worlds"} {
		if seen[what] < threads/100 {
			t.Errorf("the random threads hardly ever show %s: %v", what, seen)
		}
	}
}

type comparison struct {
	t    *testing.T
	seed uint64
	lab  *lab
	ref  reference
	seen map[string]int
}

func (c comparison) all() bool {
	return c.distributions() && c.information() && c.scores() && c.history()
}

func (c comparison) same(what string, got, want float64) bool {
	if math.Abs(got-want) <= tolerance {
		return true
	}
	c.t.Errorf("seed %d: %s is %v, want %v", c.seed, what, got, want)
	return false
}

func (c comparison) distributions() bool {
	r := c.lab.state.BeliefReport()
	worlds, pooled := c.ref.worlds(), c.ref.pooled()
	if len(worlds) != len(r.Worlds) {
		c.t.Errorf("seed %d: %d worlds, want %d", c.seed, len(r.Worlds), len(worlds))
		return false
	}
	ok, voices, entropy, disagreement := true, 0.0, 0.0, 0.0
	for i, w := range worlds {
		if science.World(w).ID() != r.Worlds[i].ID {
			c.t.Errorf("seed %d: world %d is %s", c.seed, w, r.Worlds[i].ID)
			return false
		}
		ok = ok && c.same("pooled "+r.Worlds[i].ID, r.Worlds[i].Pooled, pooled[w])
		if pooled[w] > 0 {
			entropy -= pooled[w] * math.Log2(pooled[w])
		}
	}
	for _, name := range agentNames {
		p := c.ref.agent(name)
		if p == nil {
			if _, there := r.Worlds[0].Agents[name]; there {
				c.t.Errorf("seed %d: %s has no statement", c.seed, name)
				return false
			}
			continue
		}
		voices++
		for i, w := range worlds {
			ok = ok && c.same(name+" "+r.Worlds[i].ID, r.Worlds[i].Agents[name], p[w])
			if p[w] > 0 {
				disagreement += p[w] * math.Log2(p[w]/pooled[w])
			}
		}
	}
	if voices == 0 {
		c.seen["stand-in"]++
	} else {
		c.seen["agents"]++
		disagreement /= voices
	}
	return ok && c.same("entropy", r.EntropyBits, entropy) && c.same("disagreement", r.DisagreementBits, disagreement)
}

func (c comparison) information() bool {
	ok, ranked := true, map[int]science.Advice{}
	ranking := c.lab.state.Beliefs.Next(science.ByBitsPerEffort)
	for _, a := range ranking.Tests {
		ranked[a.Test.Number()] = a
	}
	for n, test := range c.ref.log[c.ref.last()].tests {
		place := c.ref.look(n)
		a, there := ranked[n]
		if want := !test.killed && place == 0; there != want {
			c.t.Errorf("seed %d: T%d ranked: %t, want %t", c.seed, n, there, want)
			return false
		}
		if !there {
			continue
		}
		effort := math.Pow(10, (6-c.ref.points(n, "cost")-c.ref.points(n, "speed"))/3)
		ok = ok && c.same("bits", a.Bits, c.ref.bits(n, c.ref.pooled())) && c.same("effort", a.Effort, effort)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, name := range agentNames {
			if p := c.ref.agent(name); p != nil {
				b := c.ref.bits(n, p)
				lo, hi = math.Min(lo, b), math.Max(hi, b)
			}
		}
		if lo <= hi {
			ok = ok && c.same("range", a.Range[0], lo) && c.same("range", a.Range[1], hi)
		}
	}
	return ok
}

func (c comparison) scores() bool {
	type key struct {
		test  int
		agent string
	}
	got, ok := map[key]science.Score{}, true
	for _, s := range c.lab.state.Beliefs.Scores(&c.lab.state.Results) {
		got[key{s.Test.Number(), s.Agent}] = s
	}
	for n := range c.ref.log[c.ref.last()].tests {
		for _, name := range agentNames {
			s, there := got[key{n, name}]
			p, label := c.ref.forecast(name, n)
			if there != (p != nil) {
				c.t.Errorf("seed %d: %s scored on T%d: %t, want %t", c.seed, name, n, there, p != nil)
				return false
			}
			if p == nil {
				continue
			}
			c.seen["scores"]++
			brier, k := 0.0, float64(len(p))
			for o := range p {
				if o == label {
					brier += (p[o] - 1) * (p[o] - 1)
				} else {
					brier += p[o] * p[o]
				}
			}
			ok = ok && c.same("brier", s.Brier, brier) && c.same("log_bits", s.LogBits, -math.Log2(math.Max(p[label], 1e-6))) &&
				c.same("baseline", s.BaselineBrier, 1-1/k) && c.same("baseline", s.BaselineLogBits, math.Log2(k))
		}
	}
	return ok
}

// history: an entry for each message after which the pool is another one, as the thread cut there
// would give it.
func (c comparison) history() bool {
	entries := c.lab.state.Beliefs.History.All()
	before := map[int]float64{0: 1}
	for place := 1; place <= c.ref.last(); place++ {
		after := c.ref.cut(place).pooled()
		moved := len(before) != len(after)
		for w, p := range after {
			q, there := before[w]
			moved = moved || !there || math.Abs(p-q) > tolerance
		}
		for h := range c.ref.log[place].hypotheses {
			if c.ref.added(h) == place && place > 1 {
				c.seen["late worlds"]++
			}
		}
		before = after
		id := int64(100 + place)
		if len(entries) == 0 || entries[0].MessageID != id {
			if moved {
				c.t.Errorf("seed %d: no entry for message %d, which moved the pool to %v", c.seed, id, after)
				return false
			}
			continue
		}
		for i, w := range entries[0].Worlds {
			if !c.same("history", entries[0].Pooled[i], after[int(w)]) {
				return false
			}
		}
		entries = entries[1:]
		c.seen["history"]++
	}
	return len(entries) == 0
}
