package science_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"brenner/internal/science"
)

// refSign is a row of vital signs by the second reading.
type refSign struct {
	results, answered, statements, refuted, revised int
	along, expected, off                            float64
}

// such are the results that an agent could have answered.
func (ref reference) such(agent string) map[int][]labRun {
	wrote := 0
	for place := range ref.log {
		if ref.log[place].from == agent {
			wrote = place
		}
	}
	runs := map[int][]labRun{}
	for test := range ref.log[ref.last()].tests {
		for _, run := range ref.counted(test) {
			if !run.exploratory && run.place < wrote {
				runs[test] = append(runs[test], run)
			}
		}
	}
	return runs
}

// kills tells whether an agent killed a hypothesis behind a place.
func (ref reference) kills(agent string, h, place int) bool {
	for at := place + 1; at <= ref.last(); at++ {
		alive, there := ref.log[at].hypotheses[h]
		before, known := ref.log[at-1].hypotheses[h]
		if ref.log[at].from == agent && there && !alive && (before || !known) { // one that it adds and kills at once, too
			return true
		}
	}
	return false
}

// firstResult is R: the first that is neither exploratory nor failed, else the first exploratory one; 0 without one.
func (ref reference) firstResult(test int) int {
	look := 0
	for place := 1; place <= ref.last(); place++ {
		var given *labRun
		for i, run := range ref.log[ref.last()].tests[test].runs {
			if run.place == place {
				given = &ref.log[ref.last()].tests[test].runs[i]
			}
		}
		switch {
		case given == nil || given.impotent:
		case !given.exploratory:
			return place
		case look == 0:
			look = place
		}
	}
	return look
}

func (ref reference) cellAt(test, h, place int) string { return ref.log[place].tests[test].cells[h] }

// apart are the hypotheses that a test has a cell for, now, before the first look or before R.
func (ref reference) apart(test int) []int {
	var list []int
	for h := range ref.log[ref.last()].hypotheses {
		if ref.cellAt(test, h, ref.last()) != "" || ref.cellAt(test, h, ref.look(test)-1) != "" ||
			ref.cellAt(test, h, ref.firstResult(test)-1) != "" {
			list = append(list, h)
		}
	}
	return list
}

func (ref reference) signs(agent string) refSign {
	var s refSign
	such := ref.such(agent)
	for test, runs := range such {
		for _, run := range runs {
			s.results++
			said := slices.ContainsFunc(ref.log[run.place+1:], func(e event) bool {
				return e.from == agent && e.stated && e.credences != nil
			})
			if said || slices.ContainsFunc(ref.apart(test), func(h int) bool { return ref.kills(agent, h, run.place) }) {
				s.answered++
			}
		}
		s.refute(ref, agent, test, runs)
	}
	s.move(ref, agent, such)
	return s
}

// refute counts the locked cells of a test that the agent wrote and a result contradicts.
func (s *refSign) refute(ref reference, agent string, test int, runs []labRun) {
	for h := range ref.log[ref.last()].hypotheses {
		text, wrote := ref.cellAt(test, h, ref.last()), ref.last()
		for wrote > 1 && ref.cellAt(test, h, wrote-1) == text {
			wrote--
		}
		if slices.Contains([]string{"", "-", "?", "n/a", "indeterminate"}, norm(text)) || ref.firstResult(test) == 0 ||
			wrote >= ref.look(test) || ref.log[wrote].from != agent {
			continue
		}
		for _, run := range runs {
			if run.unforeseen || norm(run.outcome) == norm(text) {
				continue
			}
			s.refuted++
			if ref.kills(agent, h, run.place-1) || ref.lowered(agent, h, run.place) {
				s.revised++
			}
			break
		}
	}
}

// lowered tells whether an agent stated less for a hypothesis from a place on than it had before.
func (ref reference) lowered(agent string, h, place int) bool {
	before := ref.stated(agent, place-1)
	if before == nil {
		return false
	}
	for at := place; at <= ref.last(); at++ {
		if e := ref.log[at]; e.from == agent && e.stated && e.credences != nil && e.hypotheses[h] && ref.cut(at).
			agent(agent)[h] < before[h] {
			return true
		}
	}
	return false
}

// stated is an agent's latest statement up to a place, as it was made; nil if there is none.
func (ref reference) stated(agent string, place int) map[int]float64 {
	at, _ := ref.cut(place).credences(agent)
	if at == 0 {
		return nil
	}
	return ref.cut(at).agent(agent)
}

func (s *refSign) move(ref reference, agent string, such map[int][]labRun) {
	for at := 1; at <= ref.last(); at++ {
		if e := ref.log[at]; e.from != agent || !e.stated || e.credences == nil {
			continue
		}
		before, _ := ref.cut(at - 1).credences(agent)
		since := false
		for _, runs := range such {
			since = since || slices.ContainsFunc(runs, func(r labRun) bool { return r.place > before && r.place <= at })
		}
		if before == 0 || !since {
			continue
		}
		silent := reference{log: slices.Clone(ref.log[:at+1])}
		silent.log[at].stated = false
		now, implied := ref.cut(at).agent(agent), silent.agent(agent)
		without := ref.unmoved(agent, before, at)
		s.statements++
		for w := range now {
			s.along += (now[w] - without[w]) * (implied[w] - without[w])
			s.expected += (implied[w] - without[w]) * (implied[w] - without[w])
			s.off += math.Abs(now[w]-implied[w]) / 2
		}
	}
}

// unmoved carries a statement through additions and kills alone.
func (ref reference) unmoved(agent string, from, to int) map[int]float64 {
	p := ref.cut(from).agent(agent)
	for at := from + 1; at <= to; at++ {
		late := 0
		for h := range ref.log[at].hypotheses {
			if ref.added(h) == at {
				late++
			}
		}
		p[0] /= float64(late + 1)
		for h := range ref.log[at].hypotheses {
			if ref.added(h) == at {
				p[h] = p[0]
			}
		}
		ref.killed(p, at)
	}
	return p
}

// TestSignsOfRandomThreads compares vital signs with the second reading.
func TestSignsOfRandomThreads(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(3000) {
		l := randomLab(rand.New(rand.NewPCG(seed, 7)), 4+int(seed%20))
		ref := reference{log: l.log}
		if ref.bornWithItsLook() {
			continue // what it measures is settled elsewhere
		}
		measured := slices.ContainsFunc(slices.Collect(tests(ref)), func(x labTest) bool { return x.measure != nil })
		for _, row := range l.account().Signs(nil).Rows {
			want := ref.signs(*row.Agent)
			got := fmt.Sprint(row.Results, row.Answered, row.Statements)
			if expected := fmt.Sprint(want.results, want.answered, want.statements); got != expected {
				t.Fatalf("seed %d, %s: %s, want %s", seed, *row.Agent, got, expected)
			}
			if !measured && (row.Refuted != want.refuted || row.Revised != want.revised) {
				t.Fatalf("seed %d, %s: %d refuted, %d revised, want %d and %d", seed, *row.Agent, row.Refuted, row.Revised, want.refuted,
					want.revised)
			}
			compareMoves(t, seed, row, want)
			count(seen, row, !measured)
		}
	}
	for _, what := range []string{"answered", "ignored", "moved", "refuted", "revised"} {
		if seen[what] < 2 {
			t.Errorf("the random threads hardly ever show %s: %v", what, seen)
		}
	}
}

// bornWithItsLook tells whether a test was added by the message that first looked at it.
func (ref reference) bornWithItsLook() bool {
	for test := range ref.log[ref.last()].tests {
		if look := ref.look(test); look > 0 {
			if _, there := ref.log[look-1].tests[test]; !there {
				return true
			}
		}
	}
	return false
}

func tests(ref reference) func(func(labTest) bool) {
	return func(yield func(labTest) bool) {
		for _, x := range ref.log[ref.last()].tests {
			if !yield(x) {
				return
			}
		}
	}
}

func compareMoves(t *testing.T, seed uint64, row science.Sign, want refSign) {
	t.Helper()
	if want.statements > 0 && (row.Drift == nil || math.Abs(*row.Drift-want.off/float64(want.statements)) > 1e-9) {
		t.Fatalf("seed %d, %s: drift %v, want %v", seed, *row.Agent, row.Drift, want.off/float64(want.statements))
	}
	switch {
	case want.expected < 1e-6 && row.Revision != nil, want.expected > 1.01e-6 && row.Revision == nil:
		t.Fatalf("seed %d, %s: revision %v over %v", seed, *row.Agent, row.Revision, want.expected)
	case row.Revision != nil && math.Abs(*row.Revision-want.along/want.expected) > 1e-6*math.Max(1, math.Abs(*row.Revision)):
		t.Fatalf("seed %d, %s: revision %v, want %v", seed, *row.Agent, *row.Revision, want.along/want.expected)
	}
}

func count(seen map[string]int, row science.Sign, labelled bool) {
	for what, is := range map[string]bool{
		"answered": row.Answered > 0, "ignored": row.Answered < row.Results, "moved": row.Revision != nil,
		"refuted": labelled && row.Refuted > 0, "revised": labelled && row.Revised > 0,
	} {
		if is {
			seen[what]++
		}
	}
}
