package protocol

import "unicode/utf8"

// placeStride is how many bytes lie between two known places.
const placeStride = 1 << 10

// places turns offsets of a text into lines and columns, in any order and in constant time
// after one pass: a hostile roster may earn a finding for every few bytes.
type places struct {
	data  []byte
	known []place // one for each stride
}

type place struct{ offset, line, column int }

func newPlaces(data []byte) *places {
	p := &places{data: data, known: make([]place, 0, len(data)/placeStride+1)}
	at := place{0, 1, 1}
	for at.offset < len(data) {
		p.known = append(p.known, at)
		at = p.advance(at, len(p.known)*placeStride)
	}
	return p
}

// advance walks to the first character at or behind the offset.
func (p *places) advance(at place, offset int) place {
	for at.offset < offset && at.offset < len(p.data) {
		r, size := utf8.DecodeRune(p.data[at.offset:])
		if at.column++; r == '\n' {
			at.line, at.column = at.line+1, 1
		}
		at.offset += size
	}
	return at
}

// position returns line and column, from 1, columns in code points.
func (p *places) position(offset int) (line, column int) {
	if len(p.known) == 0 {
		return 1, 1
	}
	at := p.known[min(offset/placeStride, len(p.known)-1)]
	if at.offset > offset { // a character lies across the stride
		at = p.known[offset/placeStride-1]
	}
	at = p.advance(at, offset)
	return at.line, at.column
}
