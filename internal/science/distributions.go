package science

import (
	"math"
	"slices"
)

// Holding is an agent's distribution over the worlds of a register.
type Holding struct {
	Masses     []float64
	Impossible []int // tests whose outcome had no chance; they did not update it
}

// Credences are one statement, completed: every hypothesis that was active then has its share.
type Credences struct {
	Place     int
	MessageID int64
	Shares    []Share // of the hypotheses that were active then, by number
	None      float64
}

// Share is what a statement gives a hypothesis.
type Share struct {
	Hypothesis World
	P          float64
}

// moves is what a message changed.
type moves struct {
	slate     bool              // a hypothesis was added or killed
	worlds    bool              // other hypotheses are active
	reordered bool              // an outcome changed or came between older ones
	outcomes  []LabelledOutcome // new ones behind all others
	stated    []int             // agents, by place, that stated or withdrew credences
}

// settle brings every distribution up to date, and notes when the pool moved. What only adds to
// the end is multiplied in; everything else is computed from the statements again.
func (r *Beliefs) settle(s Step, m moves) {
	if !m.slate && !m.reordered && len(m.outcomes) == 0 && len(m.stated) == 0 {
		return
	}
	voices := 0
	for i, a := range r.Agents.All() {
		if a.Credences == nil {
			continue
		}
		voices++
		next := *a
		if m.slate || m.reordered || slices.Contains(m.stated, i) {
			next.Holding = r.holding(r.prior(a.Credences), a.Credences.Place)
		} else {
			next.Holding = r.update(a.Holding, m.outcomes)
		}
		r.Agents.put(i+1, &next)
	}
	r.standIn(voices, m)
	r.pool(s, m)
}

// standIn keeps the voice that stands in while no agent has stated credences: equal worlds, as old
// as the thread.
func (r *Beliefs) standIn(voices int, m moves) {
	switch {
	case voices > 0:
		r.StandIn = nil
	case r.StandIn == nil || m.slate || m.reordered:
		h := r.holding(equal(len(r.Worlds)), 0)
		r.StandIn = &h
	default:
		h := r.update(*r.StandIn, m.outcomes)
		r.StandIn = &h
	}
}

// prior is step 1 of SCIENCE 4: a statement carried over to the worlds of today. A hypothesis added
// after it was part of its none, whose mass is divided equally between none and all such
// hypotheses; one that was killed since loses its mass, and the rest is scaled to 1.
func (r *Beliefs) prior(c *Credences) []float64 {
	late := 0
	for _, h := range r.Hypotheses.All() {
		if h.Added > c.Place {
			late++
		}
	}
	rest := c.None / float64(late+1)
	masses := make([]float64, len(r.Worlds))
	for i, w := range r.Worlds {
		masses[i] = rest
		if w != None && r.Hypotheses.At(int(w)).Added <= c.Place {
			masses[i] = c.share(w)
		}
	}
	if !scale(masses) {
		return equal(len(masses))
	}
	return masses
}

func (c *Credences) share(w World) float64 {
	i, ok := slices.BinarySearchFunc(c.Shares, w, func(s Share, w World) int { return int(s.Hypothesis - w) })
	if !ok {
		return 0
	}
	return c.Shares[i].P
}

// holding is step 2: a prior updated by the outcomes that were set after a place, in order.
func (r *Beliefs) holding(prior []float64, after int) Holding {
	first, _ := slices.BinarySearchFunc(r.Outcomes.All(), after+1, func(o LabelledOutcome, place int) int { return o.Place - place })
	return r.update(Holding{Masses: prior}, r.Outcomes.All()[first:])
}

// update multiplies each world by the likelihood of each outcome in it, and scales to 1. An
// outcome that was impossible leaves everything as it is.
func (r *Beliefs) update(h Holding, outcomes []LabelledOutcome) Holding {
	for _, o := range outcomes {
		table := &r.test(o.Test).Frozen.Table
		if masses, ok := bayes(h.Masses, r.Worlds, table, o.Label); ok {
			h.Masses = masses
		} else {
			h.Impossible = append(slices.Clip(h.Impossible), o.Test)
		}
	}
	return h
}

// bayes returns p(w)·L(o|w) scaled to 1; false if the outcome was impossible.
func bayes(masses []float64, worlds []World, table *Table, label int) ([]float64, bool) {
	next := make([]float64, len(masses))
	for i, w := range worlds {
		next[i] = masses[i] * table.likelihood(w, label)
	}
	return next, scale(next)
}

// pool is the arithmetic mean over the agents; it is noted when the worlds are other ones or a
// number moved.
func (r *Beliefs) pool(s Step, m moves) {
	pooled, moved := mean(r.voices(), len(r.Worlds)), m.worlds
	for i := 0; !moved && i < len(pooled); i++ {
		moved = math.Abs(pooled[i]-r.Pooled[i]) > 1e-12
	}
	r.Pooled = pooled
	if moved {
		r.History.append(Moment{s.Message.ID, s.Message.CreatedAt, r.Worlds, pooled, r.heard()})
	}
}

// heard is what each agent holds now.
func (r *Beliefs) heard() []Voice {
	var voices []Voice
	for _, a := range r.Agents.All() {
		if a.Credences != nil {
			voices = append(voices, Voice{a.Name, a.Holding.Masses})
		}
	}
	return voices
}

// voices are the distributions that count.
func (r *Beliefs) voices() [][]float64 {
	if r.StandIn != nil {
		return [][]float64{r.StandIn.Masses}
	}
	var voices [][]float64
	for _, a := range r.Agents.All() {
		if a.Credences != nil {
			voices = append(voices, a.Holding.Masses)
		}
	}
	return voices
}

func mean(voices [][]float64, n int) []float64 {
	sum := make([]float64, n)
	for _, masses := range voices {
		for i, p := range masses {
			sum[i] += p
		}
	}
	for i := range sum {
		sum[i] /= float64(len(voices))
	}
	return sum
}

// scale divides by the sum; false, and nothing done, if there is nothing to scale.
func scale(masses []float64) bool {
	sum := 0.0
	for _, p := range masses {
		sum += p
	}
	if sum <= 0 {
		return false
	}
	for i := range masses {
		masses[i] /= sum
	}
	return true
}

func equal(n int) []float64 {
	masses := make([]float64, n)
	for i := range masses {
		masses[i] = 1 / float64(n)
	}
	return masses
}
