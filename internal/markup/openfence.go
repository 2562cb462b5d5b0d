package markup

import "strings"

// maxExpectedFences bounds the room that is made for fences before they are seen.
const maxExpectedFences = 256

// openFence opens a fenced code block.
func (s *scanner) openFence() opened {
	rest := s.rest()
	length := countByte(rest, rest[0])
	info := strings.Trim(rest[length:], " \t")
	if length < 3 || (rest[0] == '`' && strings.IndexByte(info, '`') >= 0) {
		return nothing
	}
	indent := s.indent()
	s.open()
	s.leaf, s.isProse = fenced, false
	if s.doc.fences == nil {
		s.doc.fences = make([]Fence, 0, s.fences)
	}
	s.doc.fences = append(s.doc.fences, Fence{
		Info: info, Char: rest[0], Length: length, Quoted: s.quoted(),
		Start: s.next, End: s.end, Line: s.lineNumber(),
	})
	s.code = verbatim{index: len(s.doc.fences) - 1, indent: indent, lines: s.code.lines[:0]}
	return consumed
}

// continueFence closes the open fence, or adds the line to its content.
func (s *scanner) continueFence() {
	f := &s.doc.fences[s.code.index]
	f.End, s.isProse = s.end, false
	if !s.indented() && !s.blank() && s.char() == f.Char {
		rest := s.rest()
		n := countByte(rest, f.Char)
		if n >= f.Length && strings.Trim(rest[n:], " \t") == "" {
			f.Closed = true
			s.closeFence()
			s.leaf = noLeaf
			return
		}
	}
	s.skipColumns(s.code.indent)
	s.code.add(s.line())
}

func (s *scanner) closeFence() { s.code.fill(&s.doc.fences[s.code.index], s.text) }
