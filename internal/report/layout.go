package report

import (
	"fmt"
	"math"
	"slices"

	"brenner/internal/study"
)

// numbered is a report that counts its sections, figures and tables while it is written.
type numbered struct {
	*Report
	sections, figures, tables int
}

// Section returns the number of the next section.
func (n *numbered) Section() int {
	n.sections++
	return n.sections
}

// Figure names the next figure.
func (n *numbered) Figure() string {
	n.figures++
	return fmt.Sprintf("Figure %d.", n.figures)
}

// Table names the next table.
func (n *numbered) Table() string {
	n.tables++
	return fmt.Sprintf("Table %d.", n.tables)
}

// Group is a part of the matrix, or of the tests.
type Group struct {
	Title string
	Rows  []study.Row
}

// Tests groups the tests: those with a result as the log has them, the open ones by what they would teach, the
// killed.
func (r *Report) Tests() []Group {
	var found, open, killed []study.Row
	for _, row := range r.Study.Matrix.Tests {
		switch {
		case row.Killed:
			killed = append(killed, row)
		case row.Found != nil:
			found = append(found, row)
		default:
			open = append(open, row)
		}
	}
	slices.SortStableFunc(found, func(a, b study.Row) int { return a.Found.Place - b.Found.Place })
	slices.SortStableFunc(open, byAdvice)
	var groups []Group
	for _, g := range []Group{{"Tests with a result", found}, {"Tests without a result, the best first", open}, {"Killed tests", killed}} {
		if len(g.Rows) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

func byAdvice(a, b study.Row) int {
	worth := func(r study.Row) float64 {
		if r.Advice == nil {
			return -1
		}
		return r.Advice.BitsPerEffort
	}
	switch x, y := worth(a), worth(b); {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return 0
}

// Groups are the rows of the matrix: tests, then predictions.
func (r *Report) Groups() []Group {
	groups := r.Tests()
	if rows := r.Study.Matrix.Predictions; len(rows) > 0 {
		groups = append(groups, Group{"Predictions", rows})
	}
	return groups
}

// oneResult is a result with the page that shows it.
type oneResult struct {
	Report *Report
	Result study.Result
}

// SourceStanding says where a source stands that is not current; empty: it is.
func (r *Report) SourceStanding(id string) string {
	i := slices.IndexFunc(r.Sources, func(s Source) bool { return s.ID == id })
	if i < 0 {
		return ""
	}
	return r.Sources[i].Standing
}

// HasSource tells whether the page lists a source.
func (r *Report) HasSource(id string) bool {
	return slices.ContainsFunc(r.Sources, func(s Source) bool { return s.ID == id })
}

// Lead is who comes before the others.
type Lead struct {
	First  *study.Hypothesis
	Second *study.Hypothesis  // nil if there is none
	Level  []study.Hypothesis // those that share the first place
}

// Last tells whether a place is the last of those that are level.
func (l *Lead) Last(i int) bool { return i == len(l.Level)-1 }

// Lead compares the living hypotheses; nil if there is none.
func (r *Report) Lead() *Lead {
	alive := r.Study.Alive()
	if len(alive) == 0 {
		return nil
	}
	l := &Lead{First: &alive[0]}
	if len(alive) > 1 {
		l.Second = &alive[1]
	}
	for _, h := range alive {
		if math.Abs(h.Pooled-alive[0].Pooled) < 1e-9 {
			l.Level = append(l.Level, h)
		}
	}
	return l
}
