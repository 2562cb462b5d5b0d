package api_test

import (
	"runtime"
	"strings"
	"testing"

	"brenner/internal/api"
)

// TestHostileSizes: what a body of the largest size holds costs memory in proportion to it, and the
// answer stays small. Judging needs no right.
func TestHostileSizes(t *testing.T) {
	p := newProject(t, api.Options{})
	p.populate(t)
	many := func(text string, n int) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	for name, c := range map[string]struct{ path, body string }{
		"numbers":         {"/validate/message", `{"to":[` + many("1", 2_000_000) + `]}`},
		"names":           {"/validate/message", `{"to":[` + many(`"BlueLake"`, 500_000) + `]}`},
		"fields":          {"/validate/message", `{` + many(`"x":1`, 1_000_000) + `}`},
		"entries":         {"/validate/roster", `{"roster":[` + many(`{}`, 1_500_000) + `]}`},
		"few entries":     {"/validate/roster", `{"roster":[` + many(`{}`, 21_000) + `]}`},
		"unknown keys":    {"/validate/roster", `{"roster":{` + many(`"a":1`, 10_000) + `}}`},
		"recipients":      {"/validate/roster", `{"roster":[],"recipients":[` + many(`"a"`, 1_000_000) + `]}`},
		"roster to start": {"/sessions?dry_run=true", `{"question":"q","context":"c","roster":[` + many(`{}`, 21_000) + `]}`},
		"copies": {"/validate/session", `{"question":"q","context":"` + strings.Repeat("c", 1<<20) + `","to":[` +
			many(`"a"`, 1000) + `]}`},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			a := p.do(t, "POST", "/api/v1"+c.path, c.body)
			runtime.ReadMemStats(&after)
			if a.status/100 != 4 && a.status != 200 || len(a.body) > 2<<20 {
				t.Errorf("%d, %d bytes: %.200s", a.status, len(a.body), a.body)
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 300 {
				t.Errorf("%d MiB for a body of %d MiB", used, len(c.body)>>20)
			}
		})
	}
}

// TestTrialsAreNotRemembered: the real thing may follow under the key of a trial, and the other way round.
func TestTrialsAreNotRemembered(t *testing.T) {
	p := newProject(t, api.Options{Lab: true})
	trial, earnest := "/api/v1/sessions?dry_run=true", "/api/v1/sessions"
	for _, path := range []string{trial, earnest, trial} {
		a := p.do(t, "POST", path, `{"question":"When?","context":"So.","roster":`+roster+`}`, "Idempotency-Key", "tried first")
		if want := map[bool]string{true: `"dry_run":true`, false: `"dry_run":false`}[path == trial]; a.status != 200 ||
			!strings.Contains(string(a.body), want) {
			t.Errorf("%s: %d, want %s in %s", path, a.status, want, a.body)
		}
	}
}

// TestSlash: the API itself answers with and without a slash behind it.
func TestSlash(t *testing.T) {
	p := newProject(t, api.Options{})
	with, without := p.do(t, "GET", "/api/v1/", ""), p.do(t, "GET", "/api/v1", "")
	if with.status != 200 || string(with.body) != string(without.body) {
		t.Errorf("%d %s, and without %s", with.status, with.body, without.body)
	}
	if a := p.do(t, "POST", "/api/v1/", "{}"); a.status != 405 {
		t.Errorf("POST: %d %s", a.status, a.body)
	}
}
