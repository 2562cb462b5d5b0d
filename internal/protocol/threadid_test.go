package protocol

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type threadVector struct {
	ID, Why, Fix   string
	Kind           ThreadKind
	Findings, Mail []string
}

func TestThreadIDVectors(t *testing.T) {
	for _, v := range readVectors[threadVector](t, "threadid.json") {
		t.Run(v.ID, func(t *testing.T) {
			findings := CheckThreadID(v.ID)
			wellFormed(t, findings)
			if diff := cmp.Diff(v.Findings, verdict(findings)); diff != "" {
				t.Errorf("as enforced (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(v.Mail, verdict(CheckMailThreadID(v.ID))); diff != "" {
				t.Errorf("as ordinary mail (-want +got):\n%s", diff)
			}
			if !strings.Contains(fixes(findings), v.Fix) {
				t.Errorf("fix %q does not name %q", fixes(findings), v.Fix)
			}
			if kind := KindOf(v.ID); kind != v.Kind {
				t.Errorf("kind %s, want %s", kind, v.Kind)
			}
		})
	}
}

type generateVector struct {
	Question string
	Taken    int
	ID       string
}

func TestGenerateThreadID(t *testing.T) {
	for _, v := range readVectors[generateVector](t, "generate.json") {
		t.Run(v.Question, func(t *testing.T) {
			left := v.Taken
			got := GenerateThreadID(v.Question, day, func(string) bool { left--; return left >= 0 })
			if got != v.ID {
				t.Errorf("got %s, want %s", got, v.ID)
			}
			if findings := CheckThreadID(got); len(findings) > 0 {
				t.Errorf("the id generated for it: %v", findings)
			}
		})
	}
}

func TestGenerateTakesTheDayInUTC(t *testing.T) {
	east := time.Date(2025, 12, 31, 1, 0, 0, 0, time.FixedZone("east", 3600*5))
	if got := GenerateThreadID("Cell fate dichotomy", east, nil); got != "RS-20251230-cell-fate-dichotomy" {
		t.Errorf("got %s", got)
	}
}

func TestThreadIDFromSlug(t *testing.T) {
	never := func(string) bool { return false }
	once := func() func(string) bool {
		n := 0
		return func(string) bool { n++; return n == 1 }
	}
	long := strings.Repeat("abcdefghi-", 4)[:39] + "z"
	for _, c := range []struct {
		slug, id string
		taken    func(string) bool
		verdict  []string
	}{
		{"contract-start", "RS-20251230-contract-start", never, nil},
		{"contract-start", "RS-20251230-contract-start-2", once(), nil},
		{long, "RS-20251230-" + long[:29] + "-2", once(), nil},
		{"session-1", "RS-20251230-session-1", nil, []string{"warning RS_SLUG_SHORT", "warning RS_SLUG_GENERIC"}},
		{"Contract Start", "RS-20251230-Contract Start", never, []string{"error INVALID_RS_THREAD_ID"}},
		{"../x", "RS-20251230-../x", never, []string{"error INVALID_RS_THREAD_ID"}},
	} {
		id, findings := ThreadIDFromSlug(c.slug, day, c.taken)
		if id != c.id {
			t.Errorf("%q: got %s, want %s", c.slug, id, c.id)
		}
		if diff := cmp.Diff(c.verdict, verdict(findings)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.slug, diff)
		}
	}
}

func TestTmuxName(t *testing.T) {
	if got := TmuxName("brenner_bot-5so.3.4:2"); got != "brenner_bot-5so_3_4_2" {
		t.Errorf("got %s", got)
	}
}

// FuzzThreadID: nothing panics, a suggested id is valid, so is every generated one, and an
// id that passes can be a file name.
func FuzzThreadID(f *testing.F) {
	for _, v := range readVectors[threadVector](f, "threadid.json") {
		f.Add(v.ID)
	}
	for _, v := range readVectors[generateVector](f, "generate.json") {
		f.Add(v.Question)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !HasErrors(CheckThreadID(text)) && (strings.ContainsAny(text, "/\\\x00") || strings.Contains(text, "..") || len(text) > 128) {
			t.Errorf("%q passed", text)
		}
		if HasErrors(CheckMailThreadID(text)) && !HasErrors(CheckThreadID(text)) {
			t.Errorf("%q is an error in mail only", text)
		}
		if s := suggestThreadID(text); s != "" && HasErrors(CheckThreadID(s)) {
			t.Errorf("suggested %q for %q", s, text)
		}
		seen := map[string]bool{}
		for range 12 {
			id := GenerateThreadID(text, day, func(id string) bool { return seen[id] })
			if findings := CheckThreadID(id); HasErrors(findings) || seen[id] {
				t.Fatalf("generated %q from %q: %v", id, text, findings)
			}
			seen[id] = true
		}
	})
}
