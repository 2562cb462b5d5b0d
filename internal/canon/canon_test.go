package canon_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"brenner/internal/canon"
)

// TestSumIsOverTheCanonicalForm: what RFC 8785 makes equal hashes alike, and the hash is that of
// the form itself, with the prefix before it.
func TestSumIsOverTheCanonicalForm(t *testing.T) {
	const form = `{"a":[1,0.5,"é\n"],"b":null,"€":true}`
	for _, text := range []string{
		form, `{ "€": true, "b": null, "a": [1.0, 5e-1, "\u00e9\u000a"] }`, "{\"b\":null,\n\"a\":[1e0,0.50,\"é\\n\"],\"\\u20ac\":true}",
	} {
		for _, prefix := range []string{"", "previous"} {
			got, err := canon.Sum([]byte(prefix), []byte(text))
			if want := sha256.Sum256([]byte(prefix + form)); err != nil || got != canon.Hash(want) {
				t.Errorf("%s after %q: %s, %v", text, prefix, got, err)
			}
		}
	}
	other, err := canon.Sum(nil, []byte(strings.Replace(form, "0.5", "0.6", 1)))
	if same, _ := canon.Sum(nil, []byte(form)); err != nil || other == same {
		t.Errorf("another value has the same hash, %v", err)
	}
	for _, text := range []string{"", "{", `{"a":1}x`, `{"a":1e999}`} {
		if h, err := canon.Sum(nil, []byte(text)); err == nil {
			t.Errorf("%q hashes to %s", text, h)
		}
	}
}

func TestHashesReadBack(t *testing.T) {
	h := canon.Hash(sha256.Sum256([]byte("x")))
	if got, ok := canon.ParseHash(h.String()); !ok || got != h || len(h.String()) != 64 {
		t.Errorf("%s reads as %s, %v", h, got, ok)
	}
	for _, text := range []string{"", "00", strings.Repeat("g", 64), h.String() + "0"} {
		if _, ok := canon.ParseHash(text); ok {
			t.Errorf("%q is no hash", text)
		}
	}
}
