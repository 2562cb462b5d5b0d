package liveness_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/internal/liveness"
)

// moment is a time in the last hours, or none.
func moment(t *rapid.T, name string) time.Time {
	seconds := rapid.OneOf(rapid.Just(-1), rapid.IntRange(0, 300), rapid.IntRange(0, 5*3600)).Draw(t, name)
	if seconds < 0 {
		return time.Time{}
	}
	return now.Add(-time.Duration(seconds) * time.Second)
}

func drawProcess(t *rapid.T, pid int) liveness.Process {
	lives := rapid.SampledFrom([]liveness.Life{liveness.Alive, liveness.Gone, liveness.Unclear, ""})
	p := liveness.Process{
		Source: rapid.SampledFrom([]string{"mcp-http", "mcp-stdio", "run"}).Draw(t, "source"), Host: "lab", PID: pid,
		Started: moment(t, "started"), Own: rapid.Bool().Draw(t, "own"), Life: lives.Draw(t, "life"), PaneLife: lives.Draw(t, "pane life"),
		Call: "tool", Called: moment(t, "called"), CallEnded: moment(t, "call ended"), Pane: rapid.SampledFrom([]string{"", "%1"}).
			Draw(t, "pane"),
	}
	p.Round = p.Own && p.Source == "run"
	if p.Round && rapid.Bool().Draw(t, "due") {
		p.Due = p.Started.Add(time.Duration(rapid.IntRange(0, 7200).Draw(t, "time")) * time.Second)
	}
	if rapid.IntRange(0, 5).Draw(t, "left") == 0 {
		p.Left = p.CallEnded
	}
	if rapid.Bool().Draw(t, "waits") && !p.Called.IsZero() {
		p.WaitingUntil = p.Called.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "wait")) * time.Second)
	}
	if rapid.IntRange(0, 3).Draw(t, "ended") == 0 {
		p.Ended = moment(t, "end")
		p.ExitCode = new(rapid.IntRange(0, 2).Draw(t, "code"))
	}
	return p
}

func drawFacts(t *rapid.T) liveness.Facts {
	f := liveness.Facts{Agent: "RedSky", LastSent: moment(t, "sent"), LastRead: moment(t, "read")}
	for pid := range rapid.IntRange(0, 4).Draw(t, "processes") {
		f.Processes = append(f.Processes, drawProcess(t, pid))
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "debts") {
		since := moment(t, "since")
		f.Debts = append(f.Debts, liveness.Debt{
			Message: int64(i + 1), What: "an acknowledgement", Since: since, Fetched: moment(t, "fetched"),
			Deadline: since.Add(30 * time.Minute),
		})
	}
	if rapid.IntRange(0, 5).Draw(t, "retired") == 0 {
		f.Retired = moment(t, "retired at")
	}
	return f
}

// TestNobodyIsDeadWithoutProof: who is called dead has a process of its own that ended.
func TestNobodyIsDeadWithoutProof(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		v := liveness.Judge(f, now)
		proof := slices.ContainsFunc(f.Processes, func(p liveness.Process) bool {
			inPane := p.Pane != "" && p.PaneLife == liveness.Gone && p.Life != liveness.Alive
			return p.Own && (p.Life == liveness.Gone || !p.Ended.IsZero() || inPane)
		})
		lives := slices.ContainsFunc(f.Processes, func(p liveness.Process) bool {
			return p.Own && p.Life == liveness.Alive && p.Ended.IsZero()
		})
		if v.State == liveness.Dead && (!proof || lives) {
			t.Fatalf("dead without proof: %s", v.Reason)
		}
	})
}

// TestOrderDoesNotMatter: the same facts in another order give the same verdict.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		first := liveness.Judge(f, now)
		f.Processes = rapid.Permutation(f.Processes).Draw(t, "processes again")
		f.Debts = rapid.Permutation(f.Debts).Draw(t, "debts again")
		again := liveness.Judge(f, now)
		if first.State != again.State || first.Reason != again.Reason || !first.Since.Equal(again.Since.Time) {
			t.Fatalf("%s (%s), then %s (%s)", first.State, first.Reason, again.State, again.Reason)
		}
	})
}

// TestTimeWakesNobody: without new facts no agent begins to work, and none rises from the dead.
func TestTimeWakesNobody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		active := func(s liveness.State) bool { return s == liveness.Working || s == liveness.Waiting }
		at := now
		state := liveness.Judge(f, at).State
		for range 6 {
			at = at.Add(time.Duration(rapid.IntRange(1, 3600).Draw(t, "later")) * time.Second)
			next := liveness.Judge(f, at).State
			if !active(state) && active(next) || state == liveness.Dead && next != liveness.Dead {
				t.Fatalf("%s became %s", state, next)
			}
			state = next
		}
	})
}

// TestWhoCallsIsNotBlamed: whatever was before, an agent that calls now works or waits.
func TestWhoCallsIsNotBlamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		at := now.Add(10 * time.Second)
		f.Processes = append(f.Processes, liveness.Process{Source: "mcp-http", Host: "far", PID: 99, Life: liveness.Unclear, Call: "whois",
			Called: at, CallEnded: at})
		if v := liveness.Judge(f, at); v.State != liveness.Working && v.State != liveness.Waiting {
			t.Fatalf("%s: %s", v.State, v.Reason)
		}
	})
}

// TestJudgeChangesNothing: facts belong to the caller.
func TestJudgeChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		kept := f
		kept.Processes, kept.Debts = slices.Clone(f.Processes), slices.Clone(f.Debts)
		liveness.Judge(f, now)
		if diff := cmp.Diff(kept, f); diff != "" {
			t.Fatal(diff)
		}
	})
}
