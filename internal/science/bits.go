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

// asBits is a sum of bits, which is 0 where it is nothing.
func asBits(sum float64) float64 {
	if sum < nothingBits {
		return 0
	}
	return sum
}

// information is the mutual information of world and outcome for one voice with a distribution and a row for each world:
//
//	Σ_w p(w) Σ_o L(o|w) log₂( L(o|w) / Σ_v p(v) L(o|v) )
func information(p []float64, rows [][]float64) float64 {
	if len(rows) == 0 {
		return 0
	}
	sum := 0.0
	for o := range rows[0] {
		outcome := 0.0
		for w := range p {
			outcome += p[w] * rows[w][o]
		}
		for w, row := range rows {
			if p[w] > 0 && row[o] > 0 {
				sum += p[w] * row[o] * math.Log2(row[o]/outcome)
			}
		}
	}
	return asBits(sum)
}
