package web

import (
	"strings"
	"unicode"

	"brenner/internal/mail"
)

// piece is a part of a text; hits are what was looked for.
type piece struct {
	Text string
	Hit  bool
}

// termsOf lists what an expression looks for, not what must not be there.
func termsOf(e mail.Expr) []mail.Term {
	switch e := e.(type) {
	case mail.Term:
		return []mail.Term{e}
	case mail.And:
		return termsOfAll(e.All)
	case mail.Or:
		return termsOfAll(e)
	}
	return nil
}

func termsOfAll(list []mail.Expr) []mail.Term {
	var terms []mail.Term
	for _, e := range list {
		terms = append(terms, termsOf(e)...)
	}
	return terms
}

// highlight marks the words of terms in a text.
func highlight(text string, terms []mail.Term) []piece {
	var out []piece
	from := 0
	for _, w := range wordsAt(text) {
		if !isSought(text[w.from:w.to], terms) {
			continue
		}
		if w.from > from {
			out = append(out, piece{Text: text[from:w.from]})
		}
		out = append(out, piece{Text: text[w.from:w.to], Hit: true})
		from = w.to
	}
	if from < len(text) {
		out = append(out, piece{Text: text[from:]})
	}
	return out
}

func isSought(word string, terms []mail.Term) bool {
	word = strings.ToLower(word)
	for _, t := range terms {
		for i, sought := range t.Words {
			if word == sought || t.Prefix && i == len(t.Words)-1 && strings.HasPrefix(word, sought) {
				return true
			}
		}
	}
	return false
}

// The parts of a text that a snippet shows, in bytes: around the first hit, and how much of a text is
// looked through for one.
const (
	snippetBefore = 90
	snippetLength = 320
	snippetLooks  = 64 << 10
)

// snippet shows the part of a body around the first word that was looked for.
func snippet(body string, terms []mail.Term) []piece {
	if len(body) > snippetLooks {
		body = strings.ToValidUTF8(body[:snippetLooks], "")
	}
	first := 0
	for _, w := range wordsAt(body) {
		if isSought(body[w.from:w.to], terms) {
			first = w.from
			break
		}
	}
	from := max(0, first-snippetBefore)
	to := min(len(body), from+snippetLength)
	if gap := strings.IndexAny(body[from:first], " \n\t"); from > 0 && gap >= 0 {
		from += gap // not in the middle of a word
	}
	if gap := strings.LastIndexAny(body[first:to], " \n\t"); to < len(body) && gap > 0 {
		to = first + gap
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(body[from:to], "")), " ")
	if from > 0 {
		text = "… " + text
	}
	if to < len(body) {
		text += " …"
	}
	return highlight(text, terms)
}

type extent struct{ from, to int }

// wordsAt finds the words of a text as search sees them (mail.Words), with their places.
func wordsAt(text string) []extent {
	var words []extent
	start := -1
	for i, r := range text {
		inside := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		if inside && start < 0 {
			start = i
		}
		if !inside && start >= 0 {
			words, start = append(words, extent{start, i}), -1
		}
	}
	if start >= 0 {
		words = append(words, extent{start, len(text)})
	}
	return words
}
