package web

import (
	"fmt"
	"html/template"
	"strings"
	"testing"
	"time"
)

// TestFingerprint: whatever differs in the data of a part, shown or hidden, is another part; what is
// equal is the same one, also after a while in which nothing reads differently.
func TestFingerprint(t *testing.T) {
	type inner struct {
		Name   string
		hidden int
		at     time.Time
	}
	type row struct {
		inner
		List  []string
		Bytes [3]byte
		Map   map[string]int
		Any   any
		Ptr   *string
		At    time.Time
		Stamp string
		Score float64
		On    bool
	}
	now := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	text := "x"
	fill := func(change func(*row)) row {
		r := row{
			inner: inner{"n", 1, now}, List: []string{"ab", "c"}, Bytes: [3]byte{1, 2, 3}, Map: map[string]int{"a": 1, "b": 2}, Any: 1,
			Ptr: &text, At: now.Add(-3 * time.Hour), Stamp: "2026-01-10T09:00:00Z", Score: 1.5,
		}
		change(&r)
		return r
	}
	other := "y"
	seen := map[[32]byte]int{}
	for i, change := range []func(*row){
		func(*row) {},
		func(r *row) { r.Name = "m" },
		func(r *row) { r.hidden = 2 },
		func(r *row) { r.at = now.Add(1) },
		func(r *row) { r.List = []string{"a", "bc"} },
		func(r *row) { r.List = nil },
		func(r *row) { r.List = []string{} },
		func(r *row) { r.Bytes[2] = 4 },
		func(r *row) { r.Map = map[string]int{"a": 2, "b": 1} },
		func(r *row) { r.Any = int64(1) },
		func(r *row) { r.Any = nil },
		func(r *row) { r.Ptr = &other },
		func(r *row) { r.Ptr = nil },
		func(r *row) { r.At = r.At.Add(1) },
		func(r *row) { r.Stamp = "2026-01-10T09:00:01Z" },
		func(r *row) { r.Score = 1.25 },
		func(r *row) { r.On = true },
	} {
		key := fingerprint(now, "page", "part", fill(change))
		if before, twice := seen[key]; twice {
			t.Errorf("changes %d and %d look the same", before, i)
		}
		seen[key] = i
		if later := now.Add(time.Minute); i == 0 && key != fingerprint(later, "page", "part", fill(change)) {
			t.Error("a minute makes another part of what is hours old")
		}
	}
	same := fill(func(*row) {})
	for _, key := range [][32]byte{
		fingerprint(now.Add(2*time.Hour), "page", "part", same), fingerprint(now, "page", "other", same), fingerprint(now, "pagep", "art", same),
	} {
		if _, known := seen[key]; known {
			t.Error("another time, page or template looks the same")
		}
	}
	if fingerprint(now, "page", "part", fill(func(*row) {})) != fingerprint(now, "page", "part", same) {
		t.Error("the same data looks different")
	}
}

// TestPartsAreBounded: what was not asked for lately is forgotten, and made again.
func TestPartsAreBounded(t *testing.T) {
	now := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	p := newParts(func() time.Time { return now })
	page := template.New("")
	show := p.of("page", page)
	template.Must(page.Parse(`{{define "row"}}<p>{{.}}</p>{{end}}`))
	const most = mostPartBytes / aroundPart
	for i := range most + 1000 {
		html, err := show("row", fmt.Sprintf("<b>%d", i))
		if want := template.HTML(fmt.Sprintf("<p>&lt;b&gt;%d</p>", i)); err != nil || html != want {
			t.Fatalf("%q, %v; want %q", html, err, want)
		}
	}
	if n := p.kept.Len(); n > most || n < most-most/20 {
		t.Errorf("%d parts are kept", n)
	}
	for i := range 20 {
		if _, err := show("row", strings.Repeat("x", mostPartBytes/10+i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := p.kept.Len(); n > 10 {
		t.Errorf("%d large parts are kept", n)
	}
	if html, err := show("row", "<b>0"); err != nil || html != "<p>&lt;b&gt;0</p>" {
		t.Errorf("made again: %q, %v", html, err)
	}
}
