package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/liveness"
	"brenner/internal/session"
)

func TestActivityTexts(t *testing.T) {
	texts := func(a session.Activity) []string {
		return []string{a.StateText(), a.LeftText(), a.OutputAgeText(), a.CPUText(), a.TokensText(), a.CostText()}
	}
	for _, c := range []struct {
		of   session.Activity
		want []string
	}{
		{session.Activity{State: liveness.Idle}, []string{"idle", "", "", "", "", ""}},
		{
			session.Activity{State: liveness.Working, LeftS: new(int64(119)), OutputAgeS: new(int64(0)), CPUPercent: new(99.6),
				Usage: &session.Usage{InputTokens: 9_000, OutputTokens: 999}},
			[]string{"working", "119s", "0s", "100%", "9999", ""},
		},
		{
			session.Activity{State: liveness.Working, Paused: true, LeftS: new(int64(-120)), OutputAgeS: new(int64(7200)),
				Usage: &session.Usage{InputTokens: 10_900, CostUSD: new(0.256)}},
			[]string{"paused", "-2m", "2h", "", "10k", "$0.26"},
		},
	} {
		if diff := cmp.Diff(c.want, texts(c.of)); diff != "" {
			t.Errorf("%+v: %s", c.of, diff)
		}
	}
}

// TestDoingIsSaidPlainly: no word of programs' numbers, and what needs a person comes before what does not.
func TestDoingIsSaidPlainly(t *testing.T) {
	now := time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)
	since := liveness.Instant{Time: now.Add(-5 * time.Minute)}
	asks := []session.ToDo{{Kind: session.ToDoReply, ThreadID: "RS-1", Agent: "RedSky", MessageID: 7}}
	for _, c := range []struct {
		a    session.Activity
		word session.DoingWord
		rest string
	}{
		{session.Activity{ThreadID: "RS-1", Agent: "redsky", State: liveness.Working}, session.AsksQuestion, "#7"},
		{
			session.Activity{ThreadID: "RS-2", Agent: "RedSky", State: liveness.Working, Since: since},
			session.IsWorking, "at it for 5\u00a0min",
		},
		{
			session.Activity{
				State: liveness.Working, Since: since, LastLine: "reads", LastOutput: liveness.Instant{Time: now.Add(-20 * time.Second)},
			},
			session.IsWorking, "reads · last word 20\u00a0s ago",
		},
		{
			session.Activity{State: liveness.Dead, Cause: liveness.CauseEnded, Since: since, Reason: "process 12"},
			session.HasEnded, "its program ended 5\u00a0min ago",
		},
		{
			session.Activity{State: liveness.Silent, Cause: liveness.CauseNoContribution, Since: since},
			session.HasEnded, "without what it was asked for",
		},
		{session.Activity{State: liveness.Silent, Cause: liveness.CauseNotConnected, Since: since}, session.AsksConsent, "its window"},
		{
			session.Activity{State: liveness.Silent, Cause: liveness.CauseOverdue, Since: since, Processes: 1},
			session.IsSilent, "nothing for 5\u00a0min, its program still runs",
		},
		{session.Activity{State: liveness.Idle, Paused: true}, session.IsPaused, "paused"},
		{session.Activity{State: liveness.Waiting, Since: since}, session.IsIdle, "wakes it"},
		{session.Activity{State: liveness.Unknown}, session.NotJoined, "yet"},
		{session.Activity{State: liveness.Unknown, Since: since}, session.NotSeen, "for 5\u00a0min"},
	} {
		if word, rest := c.a.Doing(asks, now); word != c.word || !strings.Contains(rest, c.rest) || strings.Contains(rest, "process") {
			t.Errorf("%s %s: %q, %q", c.a.State, c.a.Cause, word, rest)
		}
	}
}
