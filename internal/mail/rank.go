package mail

import (
	"cmp"
	"math"
	"slices"
)

// Rank brings matches, newest first, into the order of a search result: up to
// Candidates of them best first, more than that newest first. It cuts them to the limit.
func Rank(q SearchQuery, newestFirst []Message) []Message {
	if len(newestFirst) > Candidates {
		return newestFirst[:min(q.Limit, len(newestFirst))]
	}
	type scored struct {
		message Message
		score   float64
	}
	terms := termsOf(q.Expr)
	list := make([]scored, len(newestFirst))
	for i, m := range newestFirst {
		list[i] = scored{m, score(terms, Words(m.Subject), Words(m.Body))}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	ranked := make([]Message, 0, min(q.Limit, len(list)))
	for _, s := range list[:min(q.Limit, len(list))] {
		ranked = append(ranked, s.message)
	}
	return ranked
}

// score counts how much of a message the terms are: a word in the subject weighs five times
// one in the body, repeating it counts less and less, and a short body more than a long one.
func score(terms []Term, subject, body []string) float64 {
	const subjectWeight, saturation, typicalLength = 5, 1.2, 200
	length := 0.25 + 0.75*float64(len(body))/typicalLength
	total := 0.0
	for _, t := range terms {
		n := subjectWeight*float64(t.count(subject)) + float64(t.count(body))/math.Max(1, length)
		total += n * (saturation + 1) / (n + saturation)
	}
	return total
}

// termsOf lists the terms that count for a match.
func termsOf(e Expr) []Term {
	switch e := e.(type) {
	case Term:
		return []Term{e}
	case And:
		return termsOfAll(e.All)
	case Or:
		return termsOfAll(e)
	}
	return nil
}

func termsOfAll(list []Expr) []Term {
	var terms []Term
	for _, e := range list {
		terms = append(terms, termsOf(e)...)
	}
	return terms
}
