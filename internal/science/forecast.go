package science

import "brenner/internal/artifact"

// Forecast is what the agents expect a measurement to give, in equal cells of the range of its quantity.
type Forecast struct {
	Low, High float64     // ends of the range on the quantity's scale
	Chance    []float64   // of each cell: the pool of Σ_w p(w)·L(o|w)
	Parts     [][]float64 // of that, by cell and world: the pool of p(w)·L(o|w)
	Pooled    [][]float64 // what would be believed after each, by world
}

// Forecast is what a test that measures a quantity might find; nil for another one, and for one that tells nothing or has a result.
func (a *Account) Forecast(id artifact.ItemID) *Forecast {
	p, table := a.position(), a.Table(id)
	if table.Quantity == nil || p.undone(id) != nil || !table.informative() {
		return nil
	}
	f := &Forecast{}
	f.Low, f.High = table.Quantity.Ends()
	before, power := p.unconfirmed(id)
	weights, after := voiceWeights(p.voices), make([]float64, len(p.Worlds))
	for i, v := range p.voices {
		rows := table.matrix(v.Agent, p.Worlds)
		if f.Chance == nil {
			f.grow(len(rows[0]), len(p.Worlds))
		}
		for o := range f.Chance {
			update(after, before[i], rows, o, power)
			for w := range rows {
				part := weights[i] * v.Masses[w] * rows[w][o]
				f.Chance[o] += part
				f.Parts[o][w] += part
				f.Pooled[o][w] += weights[i] * after[w]
			}
		}
	}
	return f
}

func (f *Forecast) grow(cells, worlds int) {
	f.Chance, f.Parts, f.Pooled = make([]float64, cells), make([][]float64, cells), make([][]float64, cells)
	for o := range cells {
		f.Parts[o], f.Pooled[o] = make([]float64, worlds), make([]float64, worlds)
	}
}

// Stretch is a run of cells after each of which the same world would lead.
type Stretch struct {
	From, To  float64 // on the quantity's scale
	Leader    World
	P         float64            // how likely the pool holds it
	Posterior map[string]float64 // what would be believed then, on the mean
}

// leastStretch is how likely a run of cells must be to be told apart from its neighbours.
const leastStretch = 0.02

// Stretches cuts the range where the answer turns.
func (f *Forecast) Stretches(worlds []World) []Stretch {
	width := (f.High - f.Low) / float64(len(f.Chance))
	var list []Stretch
	sums := [][]float64{}
	for o, chance := range f.Chance {
		lead := leader(worlds, f.Pooled[o])
		last := len(list) - 1
		if last < 0 || list[last].Leader != lead && list[last].P >= leastStretch {
			list, sums = append(list, Stretch{From: f.Low + float64(o)*width, Leader: lead}), append(sums, make([]float64, len(worlds)))
			last++
		} else if list[last].P < leastStretch {
			list[last].Leader = lead
		}
		list[last].To = f.Low + float64(o+1)*width
		list[last].P += chance
		for w := range worlds {
			sums[last][w] += chance * f.Pooled[o][w]
		}
	}
	return mended(list, sums, worlds)
}

// mended puts an unlikely end to its neighbour, and neighbours of one leader together.
func mended(list []Stretch, sums [][]float64, worlds []World) []Stretch {
	for i := len(list) - 1; i > 0; i-- {
		if list[i].P >= leastStretch && list[i].Leader != list[i-1].Leader {
			continue
		}
		list[i-1].To = list[i].To
		list[i-1].P += list[i].P
		for w := range worlds {
			sums[i-1][w] += sums[i][w]
		}
		list, sums = append(list[:i], list[i+1:]...), append(sums[:i], sums[i+1:]...)
	}
	for i := range list {
		masses := sums[i]
		if !scale(masses) {
			continue
		}
		list[i].Posterior = byID(worlds, masses)
	}
	return list
}
