package keyboard

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestRead: keys as a terminal sends them, and the lines that come of them.
func TestRead(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	for _, c := range []struct {
		name, keys string
		lines      []string
		screen     string // empty: not looked at
	}{
		{"lines", "one\rtwo\n", []string{"one\n", "two\n"}, "one\ntwo\n"},
		{"a long line", long + "\r", []string{long + "\n"}, ""},
		{"mended", "ab\x7fc\x08d\r", []string{"ad\n"}, "ab\b \bc\b \bd\n"},
		{"mended where it is empty", "\x7fa\r", []string{"a\n"}, "a\n"},
		{"a wide character", "a漢\x7f\r", []string{"a\n"}, "a漢\b \b\b \b\n"},
		{"a word", "one two \x17three\r", []string{"one three\n"}, ""},
		{"a line", "one\x15two\r", []string{"two\n"}, ""},
		{"arrows", "a\x1b[Db\x1b[1;5Cc\r", []string{"abc\n"}, "abc\n"},
		{"the end in a line", "one\x04two\r", []string{"one", "two\n"}, ""},
		{"a paste", "\x1b[200~one\r\r\x04\x7ftwo\x1b[201~\r", []string{"one\n\n\x04\x7ftwo\n"}, "one\n\n^D^?two\n"},
		{"a paste that ends a line", "\x1b[200~one\n\ntwo\n\x1b[201~more\r", []string{"one\n\ntwo\n", "more\n"}, ""},
		{"a paste in a line", "a\x1b[200~b\x1b[201~c\r", []string{"abc\n"}, ""},
		{"a paste with colours", "\x1b[200~\x1b[31mred\x1b[201~\r", []string{"\x1b[31mred\n"}, "^[[31mred\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, screen := pressed(t, c.keys)
			for _, want := range c.lines {
				if got, err := k.Read(); got != want || err != nil {
					t.Fatalf("%.60q, %v; want %.60q", got, err, want)
				}
			}
			if got, err := k.Read(); got != "" || !errors.Is(err, io.EOF) {
				t.Errorf("at the end: %.60q, %v", got, err)
			}
			if c.screen != "" && screen.String() != c.screen {
				t.Errorf("shown: %q; want %q", screen, c.screen)
			}
		})
	}
}

// pressed is a keyboard at which all of this was typed, with Ctrl-D behind it.
func pressed(t *testing.T, keys string) (*Keyboard, *strings.Builder) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer w.Close()
		_, _ = io.WriteString(w, keys+"\x04")
	}()
	t.Cleanup(func() { _ = r.Close() })
	var screen strings.Builder
	return New(r, &screen), &screen
}
