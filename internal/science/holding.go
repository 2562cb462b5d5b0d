package science

import (
	"math"
	"slices"
)

// holding is a distribution over the worlds of a moment: the hypotheses that are active then, by number, and None behind them.
type holding struct {
	worlds []World
	masses []float64

	// logs are the natural logarithms of all masses once one of them was so small that its digits would be lost: what hundreds of
	// results took from a hypothesis, as many can give back. Until then they are nil.
	logs []float64
}

// leastMass is the mass below which logarithms are kept.
const leastMass = 1e-200

// nothingYet is what everybody holds before the first message.
func nothingYet() holding { return holding{worlds: []World{None}, masses: []float64{1}} }

// stated is what an agent holds right after its statement (SCIENCE 4, the statement).
func (c *Credences) stated() holding {
	h := holding{worlds: make([]World, 0, len(c.Shares)+1), masses: make([]float64, 0, len(c.Shares)+1)}
	for _, s := range c.Shares {
		h.worlds, h.masses = append(h.worlds, s.Hypothesis), append(h.masses, s.P)
	}
	return holding{worlds: append(h.worlds, None), masses: append(h.masses, c.None)}
}

func (h holding) clone() holding {
	return holding{slices.Clone(h.worlds), slices.Clone(h.masses), slices.Clone(h.logs)}
}

// p is what the holding gives a world; 0 for one that it does not have.
func (h holding) p(w World) float64 {
	if i := slices.Index(h.worlds, w); i >= 0 {
		return h.masses[i]
	}
	return 0
}

// add takes in hypotheses: they were part of None, whose mass is divided equally between None and all of them.
func (h *holding) add(added []World) {
	if len(added) == 0 {
		return
	}
	last := len(h.masses) - 1
	parts := float64(len(added) + 1)
	share := h.masses[last] / parts
	h.masses[last] = share
	if h.logs != nil {
		h.logs[last] -= math.Log(parts)
	}
	for _, w := range added {
		at, known := slices.BinarySearch(h.worlds[:len(h.worlds)-1], w)
		if known {
			continue // a statement of the same message has it already
		}
		h.worlds, h.masses = slices.Insert(h.worlds, at, w), slices.Insert(h.masses, at, share)
		if h.logs != nil {
			h.logs = slices.Insert(h.logs, at, h.logs[len(h.logs)-1])
		}
	}
}

// kill takes hypotheses out: their mass goes to None. A kill is a decision, not evidence.
func (h *holding) kill(killed []World) {
	for _, w := range killed {
		i := slices.Index(h.worlds, w)
		if i < 0 {
			continue
		}
		last := len(h.masses) - 1
		h.masses[last] += h.masses[i]
		h.worlds, h.masses = slices.Delete(h.worlds, i, i+1), slices.Delete(h.masses, i, i+1)
		if h.logs != nil {
			h.logs[last] = sumOfLogs([]float64{h.logs[last], h.logs[i]})
			h.logs = slices.Delete(h.logs, i, i+1)
		}
	}
}

// update is Bayes' rule: each world is multiplied by its likelihood to a power, and all are scaled to 1.
func (h *holding) update(likelihoods []float64, power float64) {
	most, lost := slices.Max(likelihoods), h.logs != nil
	next := make([]float64, len(h.masses))
	for i, l := range likelihoods {
		ratio := l / most
		if power != 1 {
			ratio = math.Pow(ratio, power)
		}
		next[i] = h.masses[i] * ratio
		lost = lost || next[i] < leastMass && h.masses[i] > 0
	}
	if lost {
		h.updateLogs(likelihoods, most, power)
	} else if scale(next) {
		copy(h.masses, next)
	}
}

// updateLogs does the same where masses alone would lose digits.
func (h *holding) updateLogs(likelihoods []float64, most, power float64) {
	logs := make([]float64, len(h.masses))
	for i, l := range likelihoods {
		if h.logs == nil {
			logs[i] = math.Log(h.masses[i])
		} else {
			logs[i] = h.logs[i]
		}
		logs[i] += power * math.Log(l/most)
	}
	sum := sumOfLogs(logs)
	if math.IsInf(sum, 0) {
		return // nothing is left to scale
	}
	h.logs = nil
	for i := range logs {
		logs[i] -= sum
		h.masses[i] = math.Exp(logs[i])
		if h.masses[i] < leastMass && !math.IsInf(logs[i], 0) {
			h.logs = logs
		}
	}
	scale(h.masses)
}

// sumOfLogs is the logarithm of the sum of what some logarithms stand for.
func sumOfLogs(logs []float64) float64 {
	most, sum := slices.Max(logs), 0.0
	if math.IsInf(most, 0) {
		return most
	}
	for _, l := range logs {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum)
}
