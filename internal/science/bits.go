package science

import "math"

// Entropy is −Σ p·log₂ p; 0·log 0 is 0.
func Entropy(p []float64) float64 {
	sum := 0.0
	for _, x := range p {
		if x > 0 {
			sum -= x * math.Log2(x)
		}
	}
	return max(sum, 0)
}

// Divergence is the Kullback–Leibler divergence of p from q in bits: Σ p·log₂(p/q). A world that q rules out
// adds nothing: no finite number says how surprising it is.
func Divergence(p, q []float64) float64 {
	sum := 0.0
	for i, x := range p {
		if x > 0 && q[i] > 0 {
			sum += x * math.Log2(x/q[i])
		}
	}
	return max(sum, 0)
}

// nothingBits is what counts as no information at all.
const nothingBits = 1e-12

// bits is the mutual information of world and outcome (SCIENCE 5):
//
//	Σ_w p(w) Σ_o L(o|w) log₂( L(o|w) / Σ_v p(v) L(o|v) )
func bits(p []float64, worlds []World, t *Table) float64 {
	if !t.informative() {
		return 0
	}
	k := len(t.Labels)
	outcome := make([]float64, k)
	rows := make([][]float64, len(worlds))
	for i, w := range worlds {
		if rows[i] = t.row(w); rows[i] == nil {
			rows[i] = equal(k)
		}
		for o, l := range rows[i] {
			outcome[o] += p[i] * l
		}
	}
	sum := 0.0
	for i := range worlds {
		for o, l := range rows[i] {
			if p[i] > 0 && l > 0 {
				sum += p[i] * l * math.Log2(l/outcome[o])
			}
		}
	}
	if sum < nothingBits {
		return 0
	}
	return sum
}
