package science

import "brenner/internal/quantity"

// grid is a table over some outcomes. What a spread gives each of them is worked out once, for however many agents use it.
type grid struct {
	*Table
	outcomes []Outcome
	dense    map[quantity.Spread][]float64
}

func (t *Table) over(outcomes []Outcome) *grid {
	return &grid{t, outcomes, map[quantity.Spread][]float64{}}
}

// matrix has an agent's row for each of the worlds, of which None is the last. Rows of a quantity are scaled to 1.
func (g *grid) matrix(agent string, worlds []World) [][]float64 {
	n, last := len(g.outcomes), len(worlds)-1
	rows, all := make([][]float64, len(worlds)), make([]float64, len(worlds)*n)
	seen := g.seenBy(agent, worlds)
	for i := range rows {
		rows[i] = all[i*n:][:n:n]
		if i < last || seen.rows[last] != nil {
			g.fill(rows[i], seen.rows[i], seen.expected[i])
		}
	}
	if seen.rows[last] == nil {
		for o := range g.outcomes {
			sum := 0.0
			for _, row := range rows[:last] {
				sum += row[o]
			}
			rows[last][o] = seen.ofNone(g.outcomes[o], sum)
		}
	}
	if g.Quantity != nil {
		for _, row := range rows {
			scale(row)
		}
	}
	return rows
}

// fill writes a row's likelihood of each outcome.
func (g *grid) fill(list []float64, row *Row, expected bool) {
	if row == nil || g.Quantity == nil {
		for o := range list {
			list[o] = g.likelihood(row, g.outcomes[o], expected)
		}
		return
	}
	for _, s := range row.Spreads {
		for o, d := range g.density(s.Spread) {
			list[o] += s.Weight * d
		}
	}
	for o := range list {
		list[o] = g.mix(list[o])
	}
}

// density is that of each outcome under a spread.
func (g *grid) density(s quantity.Spread) []float64 {
	if known := g.dense[s]; known != nil {
		return known
	}
	list := make([]float64, len(g.outcomes))
	for o := range list {
		list[o] = g.Quantity.Density(s, g.outcomes[o].Value)
	}
	g.dense[s] = list
	return list
}
