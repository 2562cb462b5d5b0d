package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// show writes an expression with all its parentheses.
func show(e mail.Expr) string {
	switch e := e.(type) {
	case mail.Term:
		text := strings.Join(e.Words, "_")
		if e.Prefix {
			text += "*"
		}
		return text
	case mail.And:
		text := "(" + showAll(e.All, " & ")
		if len(e.None) > 0 {
			text += " - " + showAll(e.None, " - ")
		}
		return text + ")"
	case mail.Or:
		return "(" + showAll(e, " | ") + ")"
	}
	return "?"
}

func showAll(list []mail.Expr, between string) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, show(e))
	}
	return strings.Join(parts, between)
}

func TestParseSearch(t *testing.T) {
	for query, want := range map[string]string{
		"a": "a", "A b": "(a & b)", "a AND b": "(a & b)", "a OR b": "(a | b)", "a NOT b": "(a - b)", "a AND NOT b": "(a - b)",
		"a b OR c d": "((a & b) | (c & d))", "a (b OR c)": "(a & (b | c))", `"a b" c`: "(a_b & c)", `"a b"* c*`: "(a_b* & c*)",
		"NOT a b": "(b - a)", "a NOT (b OR c)": "(a - (b | c))", "a NOT (NOT b)": "(a & b)", "a (NOT b)": "(a - b)",
		"a NOT (b c)": "(a - (b & c))", "a NOT (NOT b NOT c)": "(a & (b | c))", "a-b": "a_b", "a)": "a", "(a": "a", "a ) b": "(a & b)",
		`"a`: "a", "OR a": "a", "a OR": "a", "AND a AND": "a", "and or not": "(and & or & not)", `"AND"`: "and",
		"a OR (b OR c)": "(a | (b | c))",
		"(((a)))":       "a", "a ()": "a", "*": "!", "": "!", "NOT a": "!", "a OR NOT b": "!", "( )": "!", `""`: "!", "a NOT": "a",
		strings.Repeat("(", 500) + "a": "a", "été": "été", "42": "42", strings.Repeat("a* OR ", 1000) + "a": "!",
	} {
		e, err := mail.ParseSearch(query)
		got := "!"
		if err == nil {
			got = show(e)
		} else if protocol.CodeOf(err) != protocol.InvalidInput {
			t.Errorf("%q: %v", query, err)
		}
		if got != want {
			t.Errorf("%q reads as %s, want %s", query, got, want)
		}
	}
}

// TestParseSearchAnything: hostile queries neither break nor hang, and what they give has
// something to find in every part.
func TestParseSearchAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b*", `"`, "(", ")", " ", "AND", " OR ", " NOT ", "é", "-", "\x01"})).
			Draw(t, "parts")
		e, err := mail.ParseSearch(strings.Join(parts, ""))
		if err != nil {
			return
		}
		var check func(e mail.Expr)
		check = func(e mail.Expr) {
			switch e := e.(type) {
			case mail.Term:
				if len(e.Words) == 0 {
					t.Fatal("a term without words")
				}
			case mail.And:
				if len(e.All) == 0 {
					t.Fatal("nothing must be found")
				}
				for _, part := range append(append([]mail.Expr{}, e.All...), e.None...) {
					check(part)
				}
			case mail.Or:
				if len(e) == 0 {
					t.Fatal("no alternative")
				}
				for _, part := range e {
					check(part)
				}
			}
		}
		check(e)
	})
}

func TestWords(t *testing.T) {
	if got := fmt.Sprint(mail.Words("Co-operation's É2, brenner_bot §42\n日本語")); got != "[co operation s é2 brenner bot 42 日本語]" {
		t.Error(got)
	}
}
