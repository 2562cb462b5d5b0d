package protocol_test

import (
	"testing"

	"brenner/internal/protocol"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text, shorten, fit, bytes string // to three
	}{
		{"", "", "", ""},
		{"abc", "abc", "abc", "abc"},
		{"abcd", "abc…", "ab…", "abc…"},
		{"äöü", "äöü", "äöü", "ä…"},
		{"äöüß", "äöü…", "äö…", "ä…"},
	} {
		if got := protocol.Shorten(c.text, 3); got != c.shorten {
			t.Errorf("Shorten(%q) is %q", c.text, got)
		}
		if got := protocol.Fit(c.text, 3); got != c.fit {
			t.Errorf("Fit(%q) is %q", c.text, got)
		}
		if got := protocol.ShortenBytes(c.text, 3); got != c.bytes {
			t.Errorf("ShortenBytes(%q) is %q", c.text, got)
		}
	}
}
