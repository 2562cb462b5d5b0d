package termtext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"brenner/internal/termtext"
)

// TestVisibleJSON: on a terminal JSON means the same and shows what it holds.
func TestVisibleJSON(t *testing.T) {
	for _, text := range []string{
		"plain", "é漢字 🙂", "\u0085\u009b31m", "\u202eevil\u202c \u2066x\u2069", "\ufeff\u200b\u2028", "\U000e0041\U0010fffd",
		"\x1b[31m\t\n\x7f",
	} {
		data, err := json.MarshalIndent(map[string]string{"text": text}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		shown := termtext.VisibleJSON(data)
		var back map[string]string
		if err := json.Unmarshal(shown, &back); err != nil || back["text"] != text {
			t.Errorf("%q reads as %q, %v", text, back["text"], err)
		}
		if i := strings.IndexFunc(string(shown), func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }); i >= 0 {
			t.Errorf("%q is shown as %q", text, shown)
		}
	}
	if plain := []byte("{\n  \"a\": 1\n}"); string(termtext.VisibleJSON(plain)) != string(plain) {
		t.Error("plain JSON changes")
	}
}
