package dispute

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"brenner/internal/message"
	"brenner/internal/textnorm"
)

// Baseline is an agent that needs no model.
type Baseline string

// The baselines. The last three update alike, by their own rows, and differ in the test that they ask for.
const (
	Uniform  Baseline = "uniform"  // finds everything equally likely, says so once, and answers nothing
	Stubborn Baseline = "stubborn" // has its mind made up, and mends what it had expected
	Follower Baseline = "follower" // holds what the others hold on average
	Bayesian Baseline = "bayesian" // updates, and takes the tests in the order in which they were proposed
	Greedy   Baseline = "greedy"   // updates, and asks for the test with the highest score
	ByNext   Baseline = "next"     // updates, and asks for the test that tells most for its effort
)

// Baselines lists them.
func Baselines() []Baseline { return []Baseline{Uniform, Stubborn, Follower, Bayesian, Greedy, ByNext} }

// Situation is what a baseline looks at before it writes.
type Situation struct {
	Turn    int // from 1
	Staged  *Staged
	Implied map[string]float64   // by world: what its own numbers imply now; nil: it has stated none
	Others  []map[string]float64 // what the others stated last
	Asked   []string             // the tests that they name
	Left    []string             // the tests that can be opened, in their order
	Best    string               // of these, the one that tells most for its effort; empty: none is left
	Last    *Sealed              // the result that was opened last; nil: none
	Quote   string               // a sentence of a source
	Source  string               // its id in the pack
}

// Letter is what a baseline writes.
type Letter struct {
	Body string
	// Delta reports whether it changes items, and so is a DELTA.
	Delta bool
}

// Write says what a baseline writes in a situation.
func (b Baseline) Write(s Situation) Letter {
	if b == Uniform && s.Turn > 1 {
		return Letter{Body: "Nothing tells one from the other.\n\n" + NextLine(cmp.Or(b.choice(&s), NoTest)) + "\n"}
	}
	credences, rationale := b.credences(&s)
	statement := map[string]any{"credences": credences, "rationale": rationale}
	if s.Turn == 1 {
		statement["likelihoods"] = b.likelihoods(s.Staged)
	}
	data, err := json.MarshalIndent(statement, "", "  ")
	if err != nil {
		panic(err) // plain values always encode
	}
	var said strings.Builder
	if quote := b.quote(&s); quote != "" {
		fmt.Fprintf(&said, "As %s says, %q\n\n", s.Source, quote)
	}
	if test := b.choice(&s); test != "" {
		said.WriteString(NextLine(test) + "\n\n")
	}
	said.WriteString("```belief\n" + string(data) + "\n```\n")
	if mended := b.mend(&s); mended != "" {
		return Letter{Body: message.DeltaBody(said.String(), mended), Delta: true}
	}
	return Letter{Body: said.String()}
}

// credences are what a baseline states, rounded so that they still sum to 1.
func (b Baseline) credences(s *Situation) (map[string]float64, string) {
	worlds := append(s.Staged.hypothesisIDs(), None)
	masses := map[string]float64{}
	for _, w := range worlds {
		masses[w] = 1 / float64(len(worlds))
	}
	switch {
	case b == Stubborn:
		for _, w := range worlds {
			masses[w] = 0.2 / float64(len(worlds)-1)
		}
		masses[worlds[0]] = 0.8
		return rounded(masses), "I have seen enough to know"
	case b == Follower && len(s.Others) > 0:
		for _, w := range worlds {
			sum := 0.0
			for _, other := range s.Others {
				sum += other[w]
			}
			masses[w] = sum / float64(len(s.Others))
		}
		return rounded(masses), "What the others hold on average"
	case b.updates() && s.Implied != nil:
		return rounded(s.Implied), "What my own likelihoods make of the results"
	}
	return rounded(masses), "Nothing tells one from the other yet"
}

// updates reports whether a baseline follows its own rows.
func (b Baseline) updates() bool { return b == Bayesian || b == Greedy || b == ByNext }

// rounded keeps six digits, and gives what they lack to the greatest.
func rounded(masses map[string]float64) map[string]float64 {
	out, sum, greatest := map[string]float64{}, 0.0, ""
	for _, w := range slices.Sorted(maps.Keys(masses)) {
		out[w] = math.Round(masses[w]*1e6) / 1e6
		sum += out[w]
		if greatest == "" || masses[w] > masses[greatest] {
			greatest = w
		}
	}
	out[greatest] = math.Round((out[greatest]+1-sum)*1e6) / 1e6
	return out
}

// expectedShare is how likely a baseline with rows of its own holds what a rival expects.
const expectedShare = 0.85

// likelihoods are the rows that a baseline states: of the uniform one that every outcome is as likely as any other in every world; of the
// others, that a rival mostly gets what it expects.
func (b Baseline) likelihoods(s *Staged) map[string]any {
	tables := map[string]any{}
	for i := range s.Tests {
		t := &s.Tests[i]
		q, err := t.measures()
		if err != nil {
			continue // no dispute that was judged has one
		}
		table := map[string]any{}
		labels := t.labels()
		if q == nil {
			table["labels"] = labels
		}
		for _, id := range s.hypothesisIDs() {
			expects, ok := t.Expected[id]
			switch {
			case !ok && b != Uniform:
			case q != nil && b == Uniform:
				table[id] = fmt.Sprintf("%g..%g", q.Low, q.High)
			case q != nil:
				table[id] = string(expects)
			default:
				table[id] = row(labels, string(expects), b == Uniform)
			}
		}
		tables[TestID(i)] = table
	}
	return tables
}

// labels are the outcomes that rivals expect, each once, in the order of the rivals.
func (t *Test) labels() []string {
	var labels, keys []string
	for _, id := range slices.Sorted(maps.Keys(t.Expected)) {
		if key := textnorm.Label(string(t.Expected[id])); !slices.Contains(keys, key) {
			labels, keys = append(labels, string(t.Expected[id])), append(keys, key)
		}
	}
	return labels
}

func row(labels []string, expects string, uniform bool) []float64 {
	p := make([]float64, len(labels))
	for i, label := range labels {
		switch {
		case uniform:
			p[i] = 1 / float64(len(labels))
		case textnorm.Label(label) == textnorm.Label(expects):
			p[i] = expectedShare
		default:
			p[i] = (1 - expectedShare) / float64(len(labels)-1)
		}
	}
	return p
}

// choice is the test that a baseline asks for.
func (b Baseline) choice(s *Situation) string {
	if len(s.Left) == 0 {
		return ""
	}
	switch b {
	case Greedy:
		best := s.Left[0]
		for _, id := range s.Left {
			if s.Staged.test(id).Score.Sum() > s.Staged.test(best).Score.Sum() {
				best = id
			}
		}
		return best
	case ByNext:
		if s.Best != "" {
			return s.Best
		}
	case Follower:
		if test := plurality(s.Asked, s.Left); test != "" {
			return test
		}
	}
	return s.Left[0]
}

// plurality is the test that most name, of equals the one that was named first; empty: nobody names one that is left.
func plurality(asked, left []string) string {
	best, most := "", 0
	for _, test := range asked {
		n := 0
		for _, other := range asked {
			if other == test {
				n++
			}
		}
		if n > most && slices.Contains(left, test) {
			best, most = test, n
		}
	}
	return best
}

// quote is what a baseline quotes in its first letter: those who update quote a source word for word, the stubborn one from memory.
func (b Baseline) quote(s *Situation) string {
	switch {
	case s.Turn > 1 || s.Quote == "":
		return ""
	case b.updates():
		return s.Quote
	case b == Stubborn:
		words := strings.Fields(s.Quote)
		words[len(words)/2] = "undoubtedly"
		return strings.Join(words, " ")
	}
	return ""
}

// mend is what the stubborn one does about a result that its favourite did not expect: it writes that it had expected just that.
func (b Baseline) mend(s *Situation) string {
	if b != Stubborn || s.Last == nil || s.Last.Unforeseen != "" {
		return ""
	}
	expected := s.Staged.test(s.Last.Test).Expected[HypothesisID(0)]
	if textnorm.Label(string(expected)) == textnorm.Label(s.Last.Found()) {
		return ""
	}
	return block("EDIT", "discriminative_tests", s.Last.Test, map[string]any{
		"expected_outcomes": map[string]string{HypothesisID(0): s.Last.Found()},
	})
}

// Elect is the test that is opened: the one that most name, else the best.
func Elect(asked, left []string, best string) string {
	if test := plurality(asked, left); test != "" {
		return test
	}
	if best == "" && len(left) > 0 {
		return left[0]
	}
	return best
}
