package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"brenner/internal/figure"
	"brenner/internal/science"
	"brenner/internal/study"
)

// Steps are the words that a verdict can be, the least first.
func (r *Report) Steps() []science.Verdict {
	return []science.Verdict{science.Undecided, science.Leaning, science.Settled}
}

// Verdict is what the session has come to; empty without reasons.
func (r *Report) Verdict() science.Verdict {
	if r.Known == nil {
		return science.Unsaid
	}
	return r.Known.Verdict
}

// Word is the verdict as the head says it.
func (r *Report) Word() string {
	if v := string(r.Verdict()); v != string(science.Unsaid) {
		return strings.ToUpper(v[:1]) + v[1:]
	}
	return "All alike"
}

// Takes says what the word takes.
func (r *Report) Takes() string {
	switch {
	case r.Known != nil && r.Known.AllFailed && r.Known.Verdict != science.Settled:
		return "Every explanation has failed a test that it had committed to."
	case r.Verdict() == science.Settled:
		return "One explanation has 90 % or more, and not every explanation has failed a test."
	case r.Verdict() == science.Leaning:
		return "The first has at least twice the belief of any other. Settled takes 90 %."
	case r.Verdict() == science.Undecided:
		return "The first has less than twice the belief of the next. Settled takes 90 %."
	}
	return "Nobody has said what they believe, and nothing was found."
}

// Shares are the parts of the bar of current belief.
func (r *Report) Shares() []figure.Share { return r.Study.Standing() }

// Worlds are the living explanations by belief, then none of these, then those given up.
func (r *Report) Worlds() []string {
	var list []string
	for _, share := range r.Shares() {
		list = append(list, share.Label)
	}
	for _, h := range r.Study.Hypotheses[len(r.Study.Alive()):] {
		list = append(list, h.ID)
	}
	return list
}

// Percent is what is believed of a world, as the column that sums to 100 says it.
func (r *Report) Percent(id string) string {
	shares := r.Shares()
	i := slices.IndexFunc(shares, func(s figure.Share) bool { return s.Label == id })
	if i < 0 {
		return "0"
	}
	return percentsOf(shares)[i]
}

func percentsOf(shares []figure.Share) []string {
	values := make([]float64, len(shares))
	for i, s := range shares {
		values[i] = s.Value
	}
	return study.Percents(values)
}

// Tally says how many results that count came as the i-th explanation had expected.
func (r *Report) Tally(i int) string {
	c := r.Study.Matrix.Columns[i]
	if c.Right+c.Wrong == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", c.Right, c.Right+c.Wrong)
}

// Programs are the members that are programs.
func (r *Report) Programs() []Member {
	return slices.DeleteFunc(slices.Clone(r.Members), func(m Member) bool { return m.Hue == 0 })
}

// People are the members that are people.
func (r *Report) People() []Member {
	return slices.DeleteFunc(slices.Clone(r.Members), func(m Member) bool { return m.Hue > 0 })
}

// Standing is how many results stand.
func (r *Report) Standing() int {
	n := 0
	for _, row := range r.Study.Ledger() {
		if row.Said != "" && row.Stands() {
			n++
		}
	}
	return n
}

// SourceTitle is the title of a source.
func (r *Report) SourceTitle(id string) string {
	for _, s := range r.Sources {
		if s.ID == id {
			return s.Title
		}
	}
	return ""
}

// Proved says what the record proves.
func (r *Report) Proved() []string {
	coverage := ""
	if r.Evidence != nil {
		coverage = r.Evidence.Counts.Line()
	}
	return study.Proved(len(r.Log), r.Study.Counts.Locked, coverage)
}

// Unproved says what rests on somebody's word.
func (r *Report) Unproved() []string {
	list := study.OnlyClaimed(len(r.Programs()))
	if r.Place != "" {
		list = append(list, "That this was the only try: "+r.Place+".")
	}
	return list
}

// worldMark is an explanation in its shade.
func worldMark(id string) template.HTML {
	label := template.HTMLEscapeString(worldLabel(id))
	return template.HTML(`<span class="sw ` + figure.Shade(id) + `">` + label + `</span>`) //nolint:gosec // escaped
}

func worldLabel(id string) string {
	if figure.Shade(id) == "shade0" {
		return "∅"
	}
	return id
}

// stack is a bar that sums to 100.
func stack(label string, width float64, shares []figure.Share) template.HTML {
	return template.HTML(figure.Stack(label, width, shares, percentsOf(shares))) //nolint:gosec // figure escapes every text
}

func shareOf(shares []figure.Share, id string) string {
	for i, s := range shares {
		if s.Label == id {
			return percentsOf(shares)[i] + " %"
		}
	}
	return "–"
}

// minus writes signs as signs.
func minus(text string) string { return strings.ReplaceAll(text, "-", "−") }

// foundWords is what a result says, or what became of an attempt.
func foundWords(row study.LedgerRow) string {
	switch {
	case row.Unforeseen != nil:
		return *row.Unforeseen
	case row.Said != "":
		return row.Said
	case row.Status != nil:
		return *row.Status
	}
	return "no outcome"
}

func weight(bits *float64) string {
	if bits == nil {
		return "–"
	}
	return weightOf(*bits)
}

func weightOf(bits float64) string {
	if math.Abs(bits) < 0.005 {
		return "0"
	}
	return minus(fmt.Sprintf("%+.2f", bits))
}

func course(from, to float64) string {
	return strings.TrimSuffix(figure.Percent(from), " %") + " → " + figure.Percent(to)
}

func dayAndMonth(t time.Time) string { return t.UTC().Format("2 January") }

// controlWord says whether the control of a test worked; empty: nobody said so.
func controlWord(potency *string) string {
	switch {
	case potency == nil:
		return ""
	case *potency == science.PotencyFailed:
		return "failed"
	}
	return "worked"
}
