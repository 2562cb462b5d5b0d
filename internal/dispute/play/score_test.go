package play_test

import (
	"math"
	"testing"

	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
)

// scored plays a dispute by a baseline and scores it.
func scored(t *testing.T, staged *dispute.Staged, b dispute.Baseline) play.Score {
	t.Helper()
	a := open(t)
	r, err := play.Play(t.Context(), play.Options{App: a, Staged: staged, Cast: play.Panel(b)})
	if err != nil || !r.Ended {
		t.Fatal(r, err)
	}
	scores, err := play.Scores(t.Context(), a, r.ThreadID)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if s.Agent == play.Name(b) {
			return s
		}
	}
	t.Fatalf("%s has no score: %+v", b, scores)
	return play.Score{}
}

// TestBaselinesSeparate: on every score some baselines do what others do not, in the order that one expects.
func TestBaselinesSeparate(t *testing.T) {
	staged := stage(t, "opera", dispute.Named)
	got := map[dispute.Baseline]play.Score{}
	for _, b := range dispute.Baselines() {
		s := scored(t, staged, b)
		got[b] = s
		t.Logf("%-9s gain %v uptake %v revision %v drift %v, on answer %v, effort %v of %v, rewritten %d, quotes %d, false %d", b,
			num(s.Forecast.Mean), num(s.Uptake), num(s.Revision), num(s.Drift), num(s.OnAnswer), num(s.Effort), num(s.BestEffort),
			s.Rewritten, s.Quotes, s.False)
	}
	uniform, stubborn, follower := got[dispute.Uniform], got[dispute.Stubborn], got[dispute.Follower]
	bayesian, greedy, next := got[dispute.Bayesian], got[dispute.Greedy], got[dispute.ByNext]
	for what, holds := range map[string]bool{
		"the uniform one gains nothing over chance":    math.Abs(*uniform.Forecast.Mean) < 0.1,
		"who updates foresees better than the uniform": *bayesian.Forecast.Mean > *uniform.Forecast.Mean+0.3,
		"the stubborn one foresees worst":              *stubborn.Forecast.Mean < *bayesian.Forecast.Mean-0.3,
		"the uniform one states nothing again":         uniform.Revision == nil && uniform.Drift == nil,
		"who updates moves as its numbers say":         math.Abs(*bayesian.Revision-1) < 0.01 && *bayesian.Drift < 0.01,
		"the stubborn one does not move":               math.Abs(*stubborn.Revision) < 0.05 && *stubborn.Drift > 0.2,
		"the follower moves less than its numbers say": *follower.Revision > 0.05 && *follower.Revision < 0.95,
		"who updates finds the answer":                 *bayesian.OnAnswer > play.Sure && *next.OnAnswer > play.Sure,
		"the stubborn one never does":                  *stubborn.OnAnswer < 0.5 && stubborn.Effort == nil && *stubborn.Economy == 0,
		"by next is cheaper than by score":             *next.Economy > *greedy.Economy,
		"by score is cheaper than in order":            *greedy.Economy > *bayesian.Economy,
		"nobody is cheaper than the best order":        *next.Economy <= 1 && *next.BestEffort > 0,
		"only the stubborn one rewrites":               stubborn.Rewritten > 0 && bayesian.Rewritten == 0 && follower.Rewritten == 0,
		"only the stubborn one quotes falsely":         stubborn.False == 1 && stubborn.Quotes == 1,
		"who updates quotes truly":                     bayesian.Quotes == 1 && bayesian.False == 0,
		"only the uniform one answers nothing":         *uniform.Uptake == 0 && *stubborn.Uptake == 1 && *bayesian.Uptake == 1,
		"none of the rivals is not the answer":         next.OnNone == nil,
		"no program was asked":                         next.Requests == 0 && next.Tokens == 0,
		"so few forecasts cannot tell":                 next.Forecast.N > 4 && next.Forecast.N < 10 && next.Forecast.Verdict != "better",
	} {
		if !holds {
			t.Errorf("it does not hold that %s", what)
		}
	}
}

// TestNone: when all rivals fail, who updates holds that none is right.
func TestNone(t *testing.T) {
	staged := stage(t, "opera", dispute.Named)
	staged.Answer = dispute.None
	for i := range staged.Seals {
		seal := &staged.Seals[i]
		seal.Outcome, seal.Value, seal.Unforeseen = "", "", "Something that nobody had thought of"
	}
	next, stubborn := scored(t, staged, dispute.ByNext), scored(t, staged, dispute.Stubborn)
	if next.OnNone == nil || *next.OnNone < 0.9 || *stubborn.OnNone > 0.1 {
		t.Errorf("by next %v, stubborn %v", num(next.OnNone), num(stubborn.OnNone))
	}
}

func num(x *float64) any {
	if x == nil {
		return "-"
	}
	return math.Round(*x*1000) / 1000
}

func TestReach(t *testing.T) {
	for _, arm := range dispute.Arms() {
		staged := stage(t, "opera", arm)
		r := play.ReachOf(staged)
		t.Logf("%s: %s %.3f, %v at %v", arm, r.Leader, r.Belief, r.Tests, num(r.Effort))
		if r.Leader != staged.Answer || r.Belief < play.Sure || r.Effort == nil || len(r.Tests) == 0 {
			t.Errorf("%s: %+v", arm, r)
		}
	}
}

func TestMeasure(t *testing.T) {
	if m := play.MeasureOf(nil); m.Mean != nil || m.Verdict != "cannot tell" {
		t.Error(m)
	}
	m := play.MeasureOf([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 2})
	if math.Abs(*m.Mean-1.1) > 1e-12 || m.Verdict != "better" || m.Interval[0] < 0.9 {
		t.Error(m)
	}
	if m := play.MeasureOf([]float64{1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1}); m.Verdict != "cannot tell" {
		t.Error(m)
	}
}
