package protocol

import (
	"slices"
	"strings"
)

const (
	shortSlug    = 10
	minSlugWords = 2
	maxSlugWords = 5
)

// genericWords say nothing about a question. A slug made of them and of numbers alone is
// generic: session-1, test-run, my-new-session.
var genericWords = map[string]bool{
	"a": true, "abc": true, "another": true, "asdf": true, "bar": true, "baz": true, "brenner": true,
	"default": true, "demo": true, "draft": true, "example": true, "experiment": true, "first": true,
	"foo": true, "general": true, "loop": true, "meeting": true, "misc": true, "my": true, "name": true,
	"new": true, "noname": true, "other": true, "our": true, "project": true, "quick": true,
	"research": true, "run": true, "sample": true, "second": true, "session": true, "sessions": true,
	"slug": true, "stuff": true, "temp": true, "test": true, "testing": true, "tests": true,
	"the": true, "thing": true, "things": true, "third": true, "this": true, "thread": true,
	"title": true, "tmp": true, "todo": true, "topic": true, "trial": true, "try": true,
	"unnamed": true, "untitled": true, "work": true, "xyz": true,
}

// checkSlug gives the advice on slugs as warnings (PROTOCOL 2), counted on the slug alone.
func checkSlug(slug string) []Finding {
	var findings []Finding
	add := func(code Code, format string, args ...any) {
		findings = append(findings, NewFinding(code, format, args...).In("thread_id"))
	}
	if len(slug) < shortSlug {
		add(RSSlugShort, "The slug %q has %d characters; 10 to 40 are easier to recognise.", slug, len(slug))
	}
	if n := countSlugWords(slug); n < minSlugWords || n > maxSlugWords {
		add(RSSlugWords, "The slug %q has %s; two to five say what the session is about.", slug, Plural(n, "word"))
	}
	if isGeneric(slug) {
		add(RSSlugGeneric, "The slug %q does not say what the session is about.", slug)
	}
	return findings
}

// countSlugWords leaves out the number that a collision put behind five words: an id we
// generate ourselves earns no warning.
func countSlugWords(slug string) int {
	words := slugWords(slug)
	if len(words) == maxSlugWords+1 && isNumber(words[maxSlugWords]) {
		return maxSlugWords
	}
	return len(words)
}

func slugWords(slug string) []string {
	return strings.FieldsFunc(slug, func(r rune) bool { return r == '-' })
}

func isGeneric(slug string) bool {
	return !slices.ContainsFunc(slugWords(slug), func(w string) bool { return !genericWords[w] && !isNumber(w) })
}

func isNumber(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return r < '0' || r > '9' })
}
