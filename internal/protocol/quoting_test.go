package protocol

import (
	"errors"
	"testing"
)

// TestQuoting: a message quotes a text as a person knows it.
func TestQuoting(t *testing.T) {
	for text, want := range map[string]string{
		`C:\data\x.md`:  `no file "C:\data\x.md"`,
		`plain`:         `no file "plain"`,
		`a "b" \ c`:     `no file "a \"b\" \ c"`,
		"bell\a\\\x1b[": `no file "bell\a\\x1b["`,
		"two\nlines":    `no file "two\nlines"`,
	} {
		if got := Errorf(NotFound, "no file %q", text).Message; got != want {
			t.Errorf("%s; want %s", got, want)
		}
		if got := NewFinding(InvalidInput, "no file %q", text).Message; got != want {
			t.Errorf("finding: %s; want %s", got, want)
		}
	}
	cause := errors.New("the cause")
	err := Errorf(Internal, "%5s|%-4s|%v: %w", "a", "b", "c", cause)
	if err.Message != "    a|b   |c: the cause" || !errors.Is(err, cause) {
		t.Errorf("%q", err.Message)
	}
}
