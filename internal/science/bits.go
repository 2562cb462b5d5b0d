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

// information is the mutual information of world and outcome for one voice with a distribution and a row for each world, of which the
// certainties are known:
//
//	Σ_w p(w) Σ_o L(o|w) log₂( L(o|w) / Σ_v p(v) L(o|v) )
func information(p []float64, rows [][]float64, certain []float64) float64 {
	if len(rows) == 0 {
		return 0
	}
	sum := 0.0
	for w := range p {
		sum += p[w] * certain[w]
	}
	for o := range rows[0] {
		outcome := 0.0
		for w := range p {
			outcome += p[w] * rows[w][o]
		}
		if outcome > 0 {
			sum -= outcome * log2(outcome)
		}
	}
	return asBits(sum)
}

// certainties are how certain each row is of what will be found: Σ_o L(o|w) log₂ L(o|w), which takes most of the time and is the same
// for every voice.
func certainties(rows [][]float64) []float64 {
	list := make([]float64, len(rows))
	for w, row := range rows {
		for _, l := range row {
			if l > 0 {
				list[w] += l * log2(l)
			}
		}
	}
	return list
}

// log2 is less exact in the last digit than that of package math, and takes half the time.
func log2(x float64) float64 { return math.Log(x) * (1 / math.Ln2) }
