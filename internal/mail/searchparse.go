package mail

import (
	"strings"

	"brenner/internal/protocol"
)

// maxSearch is what a query may hold, in bytes: every word of it is looked up, and hostile ones have
// thousands.
const maxSearch = 4 << 10

// ParseSearch reads a search query: words (all must be found), "phrases", prefix*, AND, OR, NOT
// in capitals, and parentheses. AND binds closer than OR. What cannot be an operator in its
// place is a word. INVALID_INPUT: there is nothing to look for, or only what must not be there, or the
// query is too long.
func ParseSearch(query string) (Expr, error) {
	if len(query) > maxSearch {
		return nil, protocol.Errorf(protocol.InvalidInput, "the query has %d bytes, and %d are read: use fewer words", len(query),
			maxSearch)
	}
	p := searchParser{tokens: searchTokens(query)}
	c := p.or()
	for p.pos < len(p.tokens) { // a stray closing parenthesis
		p.pos++
		c = c.with(p.or())
	}
	if len(c.all) == 0 || p.loose {
		return nil, protocol.Errorf(protocol.InvalidInput, "the query %q names nothing that must be found", query)
	}
	return c.expr(), nil
}

type searchToken struct {
	text   string
	quoted bool
}

const searchDelimiters = "\"() \t\r\n"

func searchTokens(query string) []searchToken {
	var tokens []searchToken
	for query != "" {
		var t searchToken
		switch query[0] {
		case '"':
			text, rest, _ := strings.Cut(query[1:], `"`)
			if strings.HasPrefix(rest, "*") {
				text, rest = text+"*", rest[1:]
			}
			t, query = searchToken{text, true}, rest
		case '(', ')':
			t, query = searchToken{query[:1], false}, query[1:]
		case ' ', '\t', '\n', '\r':
			query = query[1:]
			continue
		default:
			end := strings.IndexAny(query, searchDelimiters)
			if end < 0 {
				end = len(query)
			}
			t, query = searchToken{query[:end], false}, query[end:]
		}
		tokens = append(tokens, t)
	}
	return tokens
}

// clause is a conjunction that may still be empty, or have only what must not be found.
type clause struct{ all, none []Expr }

func (c clause) empty() bool { return len(c.all)+len(c.none) == 0 }

func (c clause) with(d clause) clause {
	return clause{append(c.all, d.all...), append(c.none, d.none...)}
}

// not is the negation: of nothing but negations it is what they negate.
func (c clause) not() clause {
	switch {
	case c.empty():
		return c
	case len(c.all) > 0:
		return clause{none: []Expr{c.expr()}}
	case len(c.none) == 1:
		return clause{all: c.none}
	default:
		return clause{all: []Expr{Or(c.none)}}
	}
}

// expr is the clause as an expression; it must have something to be found.
func (c clause) expr() Expr {
	if len(c.all) == 1 && len(c.none) == 0 {
		return c.all[0]
	}
	return And{c.all, c.none}
}

// maxSearchDepth bounds the nesting of parentheses in hostile queries.
const maxSearchDepth = 50

type searchParser struct {
	tokens []searchToken
	pos    int
	depth  int
	loose  bool // an alternative has nothing that must be found
}

func (p *searchParser) next(op string) bool {
	return p.pos < len(p.tokens) && !p.tokens[p.pos].quoted && p.tokens[p.pos].text == op
}

func (p *searchParser) accept(op string) bool {
	found := p.next(op)
	if found {
		p.pos++
	}
	return found
}

func (p *searchParser) or() clause {
	first := p.and()
	if !p.next("OR") {
		return first
	}
	var alternatives Or
	for c := first; ; c = p.and() {
		if len(c.all) > 0 {
			alternatives = append(alternatives, c.expr())
		} else if !c.empty() {
			p.loose = true
		}
		if !p.accept("OR") {
			break
		}
	}
	switch len(alternatives) {
	case 0:
		return clause{}
	case 1:
		return clause{all: alternatives}
	default:
		return clause{all: []Expr{alternatives}}
	}
}

func (p *searchParser) and() clause {
	var c clause
	for p.pos < len(p.tokens) && !p.next("OR") && !p.next(")") {
		switch {
		case p.accept("AND"):
		case p.accept("NOT"):
			c = c.with(p.primary().not())
		default:
			c = c.with(p.primary())
		}
	}
	return c
}

func (p *searchParser) primary() clause {
	if p.depth < maxSearchDepth && p.accept("(") {
		p.depth++
		c := p.or()
		p.depth--
		p.accept(")")
		return c
	}
	if p.pos == len(p.tokens) || p.next(")") {
		return clause{}
	}
	t := p.tokens[p.pos]
	p.pos++
	words := Words(t.text)
	if len(words) == 0 {
		return clause{}
	}
	return clause{all: []Expr{Term{Words: words, Prefix: strings.HasSuffix(t.text, "*")}}}
}
