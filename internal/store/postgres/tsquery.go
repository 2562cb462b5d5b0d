package postgres

import (
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// maxTerms bounds what one query makes the server do.
const maxTerms = 1000

// tsquery is a search as the index understands it. It finds all that matches; where it is not
// exact it may find more, and each find has to be looked at.
type tsquery struct {
	text    string // for messages of any project
	project string // the word of the project
	exact   bool
}

// inProject is the query for messages of the project alone. Where nearly all are, that does not help: a posting list as long as the
// log would be read beside those of the words.
func (q tsquery) inProject() string {
	var w queryWriter
	w.string("(" + q.text + ") & ")
	w.lexeme(q.project)
	return w.b.String()
}

// newQuery translates a search. INVALID_INPUT: it has too many words.
func newQuery(q mail.SearchQuery) (tsquery, error) {
	w := queryWriter{exact: q.Filter == nil} // a filter has to look at each message
	w.byte('(')
	w.expr(q.Expr)
	w.string(" | ")
	w.lexeme(tooLarge)
	w.byte(')')
	if q.Thread != "" {
		w.string(" & ")
		w.lexeme(threadWord(q.Thread))
		w.exact = w.exact && len(q.Thread) < maxWord
	}
	for i, t := range q.Types {
		w.string([2]string{" & (", " | "}[min(i, 1)])
		w.lexeme(typeWord(t))
	}
	if len(q.Types) > 0 {
		w.byte(')')
	}
	if w.terms > maxTerms {
		return tsquery{}, protocol.Errorf(protocol.InvalidInput, "a search has at most %d words", maxTerms)
	}
	return tsquery{w.b.String(), projectWord(q.Project), w.exact}, nil
}

type queryWriter struct {
	b     strings.Builder
	terms int
	exact bool
}

func (w *queryWriter) byte(c byte)        { w.b.WriteByte(c) }
func (w *queryWriter) string(s string)    { w.b.WriteString(s) }
func (w *queryWriter) lexeme(word string) { writeLexeme(&w.b, word) }

func (w *queryWriter) expr(e mail.Expr) {
	switch e := e.(type) {
	case mail.Term:
		w.term(e)
	case mail.And:
		w.list(e.All, " & ")
		for _, none := range e.None {
			if isExact(none) {
				w.string(" & !")
				w.list([]mail.Expr{none}, "")
			} else {
				w.exact = false
			}
		}
	case mail.Or:
		w.list(e, " | ")
	}
}

func (w *queryWriter) list(list []mail.Expr, operator string) {
	w.byte('(')
	for i, e := range list {
		if i > 0 {
			w.string(operator)
		}
		w.byte('(')
		w.expr(e)
		w.byte(')')
	}
	w.byte(')')
}

// term asks for the words of a term; whether they follow each other the index does not know.
func (w *queryWriter) term(t mail.Term) {
	for i, word := range t.Words {
		if i > 0 {
			w.string(" & ")
		}
		w.lexeme(cut(word))
		if t.Prefix && i == len(t.Words)-1 {
			w.string(":*")
		}
	}
	w.terms += len(t.Words)
	w.exact = w.exact && isExact(t)
}

// isExact tells whether the index alone can answer an expression.
func isExact(e mail.Expr) bool {
	switch e := e.(type) {
	case mail.Term:
		return len(e.Words) == 1 && len(e.Words[0]) < maxWord
	case mail.And:
		return allExact(e.All) && allExact(e.None)
	case mail.Or:
		return allExact(e)
	}
	return false
}

func allExact(list []mail.Expr) bool {
	for _, e := range list {
		if !isExact(e) {
			return false
		}
	}
	return true
}
