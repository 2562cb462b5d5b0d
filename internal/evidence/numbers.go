package evidence

import (
	"unicode"
	"unicode/utf8"
)

// A sign before a number and a unit sign behind it belong to its word: −5 is not 5, and 5 % is not 5.

// relation tells whether a character says how a number relates to another.
func relation(r rune) bool {
	switch r {
	case '±', '<', '>', '≤', '≥', '~', '≈':
		return true
	}
	return false
}

// startsNumber tells whether a number with a sign begins here.
func (s *scanner) startsNumber() bool {
	ch, _ := s.peek(0)
	switch {
	case ch.raised:
		return false
	case relation(ch.r):
		return s.digitFollows(1) || s.signFollows(1)
	case ch.r == '+' || ch.r == '-':
		return !s.behindWord() && s.signDirect()
	}
	return false
}

// behindWord tells whether the atom before is a word directly before this place.
func (s *scanner) behindWord() bool { return s.begun && s.joined == nothing && s.atomBefore == word }

// signDirect tells whether a sign stands directly before its number. With white space between, a dash may part sentences.
func (s *scanner) signDirect() bool {
	next, ok := s.peek(1)
	return ok && unicode.IsDigit(next.r)
}

// digitFollows tells whether the n-th character that follows is a digit, perhaps after white space.
func (s *scanner) digitFollows(n int) bool {
	ch, ok := s.peek(n + s.spaces(n))
	return ok && !ch.raised && unicode.IsDigit(ch.r)
}

// maxSpaces is how much white space may part a number from its signs.
const maxSpaces = 8

// spaces counts the white space from the n-th character that follows.
func (s *scanner) spaces(n int) int {
	count := 0
	for ; count < maxSpaces; count++ {
		if ch, ok := s.peek(n + count); !ok || ch.raised || !unicode.IsSpace(ch.r) || ch.r == '\f' {
			break
		}
	}
	return count
}

// signFollows tells whether another sign and a digit follow.
func (s *scanner) signFollows(n int) bool {
	n += s.spaces(n)
	ch, ok := s.peek(n)
	return ok && (ch.r == '-' || ch.r == '+') && s.digitFollows(n+1)
}

// number reads a number with the signs before it.
func (s *scanner) number() {
	for {
		ch, _ := s.peek(0)
		if unicode.IsDigit(ch.r) {
			s.word(ch)
			return
		}
		s.take()
		switch {
		case ch.r == '\n':
			s.newline(ch)
		case ch.r == '\f':
			s.at.page++
		case !unicode.IsSpace(ch.r):
			s.buf = utf8.AppendRune(s.buf, ch.r)
		}
	}
}

// unitSign reads %, ‰, ° or ′ behind a number, with or without a space.
func (s *scanner) unitSign(end int) int {
	n := s.spaces(0)
	ch, ok := s.peek(n)
	if !ok || ch.raised || n > 0 && ch.r == '\u2032' {
		return end
	}
	switch ch.r {
	case '%', '‰', '°', '\u2032':
	default:
		return end
	}
	for range n {
		if gap := s.take(); gap.r == '\n' {
			s.newline(gap)
		}
	}
	s.take()
	s.buf = utf8.AppendRune(s.buf, ch.r)
	return ch.end
}
