package science

import "slices"

// holding is a distribution over the worlds of a moment: the hypotheses that are active then, by number, and None behind them.
type holding struct {
	worlds []World
	masses []float64
}

// nothingYet is what everybody holds before the first message.
func nothingYet() holding { return holding{[]World{None}, []float64{1}} }

// stated is what an agent holds right after its statement (SCIENCE 4, the statement).
func (c *Credences) stated() holding {
	h := holding{make([]World, 0, len(c.Shares)+1), make([]float64, 0, len(c.Shares)+1)}
	for _, s := range c.Shares {
		h.worlds, h.masses = append(h.worlds, s.Hypothesis), append(h.masses, s.P)
	}
	return holding{append(h.worlds, None), append(h.masses, c.None)}
}

func (h holding) clone() holding { return holding{slices.Clone(h.worlds), slices.Clone(h.masses)} }

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
	share := h.masses[last] / float64(len(added)+1)
	h.masses[last] = share
	for _, w := range added {
		at, known := slices.BinarySearch(h.worlds[:len(h.worlds)-1], w)
		if known {
			continue // a statement of the same message has it already
		}
		h.worlds, h.masses = slices.Insert(h.worlds, at, w), slices.Insert(h.masses, at, share)
	}
}

// kill takes hypotheses out: their mass goes to None. A kill is a decision, not evidence.
func (h *holding) kill(killed []World) {
	for _, w := range killed {
		if i := slices.Index(h.worlds, w); i >= 0 {
			h.masses[len(h.masses)-1] += h.masses[i]
			h.worlds, h.masses = slices.Delete(h.worlds, i, i+1), slices.Delete(h.masses, i, i+1)
		}
	}
}
