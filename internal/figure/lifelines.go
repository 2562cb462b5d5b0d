package figure

import (
	"cmp"
	"fmt"
	"slices"
)

// Lifelines is how the explanations of a session lived: a lane for each over the messages of the thread.
type Lifelines struct {
	Messages int
	Versions []Version
	Lanes    []Lane // in the order of the page
	Results  []Result
}

// Lane is one hypothesis.
type Lane struct {
	ID, Name string
	Href     string
	Pool     []Point // from its first message on
	Writes   []Write
	Attacks  []Attack
	Killed   *Kill
}

// Write is a message that added or edited the hypothesis.
type Write struct {
	At    int
	By    Agent
	Title string
	Href  string
}

// Attack is a critique of the hypothesis.
type Attack struct {
	At       int
	By       Agent
	Title    string
	Href     string
	Open     bool
	Closed   string // how an attack that is not open ended, in a word
	Critical bool
}

// Kill ends a lane.
type Kill struct {
	At     int
	By     Agent
	Reason string
	Href   string
}

// Verdict is what a result says about a hypothesis.
type Verdict string

// The verdicts, named like their classes.
const (
	AsExpected   Verdict = "ok"
	Contradicted Verdict = "no"
	PostHoc      Verdict = "ph"
	Silent       Verdict = "na"
	Surprised    Verdict = "un"
	Uncontrolled Verdict = "cf"
)

// Glyph is the letter that stands for a verdict.
func (v Verdict) Glyph() string {
	return map[Verdict]string{AsExpected: "✓", Contradicted: "✗", PostHoc: "✎", Silent: "–", Surprised: "+", Uncontrolled: "−"}[v]
}

// Words says the same to a reader.
func (v Verdict) Words() string {
	return map[Verdict]string{
		AsExpected: "as expected", Contradicted: "contradicted",
		PostHoc: "prediction written after the result, not counted", Silent: "no prediction",
		Surprised: "nobody foresaw it", Uncontrolled: "control failed, not counted",
	}[v]
}

// Result is a test that gave an outcome.
type Result struct {
	At       int
	Test     string
	Outcome  string
	Href     string
	Note     string             // what is said above it: a value, or what became of it; empty: nothing
	Verdicts map[string]Verdict // by lane id
}

// binnedAbove is the number of messages from which single marks would overlap: there a mark stands for all of
// one author's in one version.
const binnedAbove = 60

// mark is one sign in a lane, in the order of the log.
type mark struct {
	at   int
	lane int
	draw func(c *canvas)
}

// describe says in words what the picture shows.
func (f Lifelines) describe() string {
	text := ""
	for _, lane := range f.Lanes {
		if text != "" {
			text += "; "
		}
		text += lane.ID + " " + lane.Name + ": "
		if lane.Killed != nil {
			text += "given up by " + lane.Killed.By.Name + ", " + lane.Killed.Reason
		} else {
			text += "alive, " + Percent(valueAt(lane.Pool, f.Messages))
		}
	}
	return text
}

// title counts what there is to see.
func (f Lifelines) title() string {
	return fmt.Sprintf("Life-lines of %s over %s", count(len(f.Lanes), "hypothesis", "hypotheses"),
		count(len(f.Versions), "version", "versions"))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// versionOf returns the index of the version that a message went into; len(f.Versions) for what is pending.
func (f Lifelines) versionOf(at int) int {
	i, _ := slices.BinarySearchFunc(f.Versions, at, func(v Version, at int) int { return cmp.Compare(v.At, at) })
	return i
}

// writes returns the marks of a lane's authors, binned in a long thread: the last of a bin stands for all.
func (f Lifelines) writes(lane Lane) []binned[Write] {
	return bin(f, lane.Writes, func(w Write) (int, string) { return w.At, w.By.Name })
}

// attacks bins likewise; open attacks stay single, so that none is hidden.
func (f Lifelines) attacks(lane Lane) []binned[Attack] {
	return bin(f, lane.Attacks, func(a Attack) (int, string) {
		if a.Open {
			return a.At, fmt.Sprint("open ", a.At)
		}
		return a.At, a.By.Name
	})
}

type binned[T any] struct {
	last  T
	count int
}

func bin[T any](f Lifelines, marks []T, key func(T) (at int, who string)) []binned[T] {
	type slot struct {
		version int
		who     string
	}
	var out []binned[T]
	at := make(map[slot]int)
	for _, m := range marks {
		where, who := key(m)
		if f.Messages <= binnedAbove {
			out = append(out, binned[T]{m, 1})
			continue
		}
		s := slot{f.versionOf(where), who}
		i, known := at[s]
		if !known {
			i = len(out)
			at[s] = i
			out = append(out, binned[T]{})
		}
		out[i] = binned[T]{m, out[i].count + 1}
	}
	return out
}
