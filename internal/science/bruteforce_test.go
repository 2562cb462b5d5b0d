package science_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"brenner/internal/science"
)

const tolerance = 1e-9

// informed is of how many threads one is asked what to do next: that takes most of the time.
const informed = 4

// manyThreads is how many random threads are compared; go test -threads 10000 takes the time for all of them.
var manyThreads = flag.Int("threads", 600, "random threads that brute force is compared on")

// TestBruteForce compares the register with the reference on random threads: agents, kills,
// stated and derived tables, results in between, late statements. After each message everything
// must agree with the thread cut there.
func TestBruteForce(t *testing.T) {
	threads := *manyThreads
	seen := map[string]int{}
	for seed := range uint64(threads) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		l := randomLab(rnd, 1+int(seed%10))
		c := comparison{t, seed, l.account(), reference{log: l.log}, seen}
		if !c.all() {
			return
		}
	}
	for _, what := range []string{"agents", "stand-in", "confirm", "open", "history", "late worlds", "runs told of", "weights", "ifs",
		"shared evidence once", "no replications", "no kills", "forecasts", "numeric forecasts"} {
		if seen[what] < threads/200 {
			t.Errorf("the random threads hardly ever show %s: %v", what, seen)
		}
	}
}

type comparison struct {
	t       *testing.T
	seed    uint64
	account *science.Account
	ref     reference
	seen    map[string]int
}

func (c comparison) all() bool {
	return c.distributions() && c.history() && c.scores() && (c.seed%informed != 0 || c.information()) && (c.seed%2 != 1 || c.reasons())
}

func (c comparison) same(what string, got, want float64) bool {
	if math.Abs(got-want) <= tolerance {
		return true
	}
	c.t.Errorf("seed %d: %s is %v, want %v", c.seed, what, got, want)
	return false
}

func (c comparison) distributions() bool {
	r := c.account.Report()
	worlds, pooled := c.ref.worlds(), c.ref.pooled()
	if len(worlds) != len(r.Worlds) {
		c.t.Errorf("seed %d: %d worlds, want %d", c.seed, len(r.Worlds), len(worlds))
		return false
	}
	ok, entropy := true, 0.0
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
	said := c.ref.voices()
	_, nobody := said[""]
	for _, name := range agentNames {
		p, stated := said[name]
		if _, there := r.Worlds[0].Agents[name]; there != stated {
			c.t.Errorf("seed %d: %s has a voice: %t, want %t", c.seed, name, there, stated)
			return false
		}
		for i, w := range worlds {
			ok = ok && (!stated || c.same(name+" "+r.Worlds[i].ID, r.Worlds[i].Agents[name], p[w]))
		}
	}
	disagreement := over(said, func(name string) float64 { return divergence(said[name], pooled) })
	if nobody {
		disagreement = 0
		c.seen["stand-in"]++
	} else {
		c.seen["agents"]++
	}
	return ok && c.same("entropy", r.EntropyBits, entropy) && c.same("disagreement", r.DisagreementBits, disagreement)
}

func (c comparison) information() bool {
	ok, ranked := true, map[int]science.Advice{}
	for _, a := range c.account.Next(science.ByBitsPerEffort).Tests {
		ranked[a.Test.Number()] = a
	}
	for n, test := range c.ref.log[c.ref.last()].tests {
		a, there := ranked[n]
		done, confirm := false, false
		for _, run := range c.ref.counted(n) {
			done, confirm = done || !run.exploratory, true
		}
		if want := !test.killed && !done; there != want {
			c.t.Errorf("seed %d: T%d ranked: %t, want %t", c.seed, n, there, want)
			return false
		}
		if there {
			c.seen[map[bool]string{true: "confirm", false: "open"}[confirm]]++
			ok = ok && a.Confirm == confirm && c.advice(n, a)
		}
	}
	return ok
}

func (c comparison) advice(n int, a science.Advice) bool {
	effort := math.Pow(10, (6-c.ref.points(n, "cost")-c.ref.points(n, "speed"))/3)
	bits, quarrel, alone := c.ref.learnt(n)
	ok := c.same("bits", a.Bits, bits) && c.same("quarrel", a.QuarrelBits, quarrel) && c.same("effort", a.Effort, effort)
	lo, hi := math.Inf(1), math.Inf(-1)
	for name, b := range alone {
		if name == "" {
			b = bits
		}
		lo, hi = math.Min(lo, b), math.Max(hi, b)
	}
	return ok && c.same("range", a.Range[0], lo) && c.same("range", a.Range[1], hi)
}

// history: an entry for each message after which the pool is another one, as the thread cut there
// would give it.
func (c comparison) history() bool {
	entries := c.account.History
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
