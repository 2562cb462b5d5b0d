package session_test

import (
	"testing"

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
