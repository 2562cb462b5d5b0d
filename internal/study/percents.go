package study

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Percents writes shares as whole percents that sum to 100, by largest remainder. A share under half a percent is "<1".
func Percents(shares []float64) []string {
	total := 0.0
	for _, s := range shares {
		total += s
	}
	whole, order, left := make([]int, len(shares)), make([]int, len(shares)), 100
	rest := make([]float64, len(shares))
	for i, s := range shares {
		exact := 100 * s / math.Max(total, 1e-9)
		whole[i] = int(math.Floor(exact + 1e-9))
		rest[i], order[i] = exact-float64(whole[i]), i
		left -= whole[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, i := range order[:max(0, min(left, len(order)))] {
		whole[i]++
	}
	texts := make([]string, len(shares))
	for i, s := range shares {
		if texts[i] = strconv.Itoa(whole[i]); whole[i] == 0 && s > 0 || s < 0.005*total {
			texts[i] = "<1"
		}
	}
	return texts
}
