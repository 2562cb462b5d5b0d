package markdown

import (
	"strconv"
	"strings"

	"brenner/internal/artifact"
)

// What a heading says of its item beside id and name.
const (
	markKilled    = "[KILLED]"
	markThird     = "(third alternative)"
	markRealThird = "(real third alternative)"
	scoreMark     = "(Score: "
	outOf         = "/12)"
	unscored      = "–"
)

// thirdMark returns the flag of a section that is said in headings, and how.
func thirdMark(s artifact.Section) (field, mark string) {
	switch s {
	case artifact.HypothesisSlate:
		return artifact.ThirdAlternative, markThird
	case artifact.AdversarialCritique:
		return artifact.RealThirdAlternative, markRealThird
	}
	return "", ""
}

// appendHeading writes an item's heading. An absent name has no colon before it.
func appendHeading(b []byte, it *artifact.Item) []byte {
	b = append(b, "### "...)
	b = append(b, it.ID...)
	if name, ok := it.Get(artifact.Name).(artifact.Text); ok {
		b = append(b, ':')
		if name != "" {
			b = append(b, ' ')
			b = append(b, headingName(string(name), it)...)
		}
	}
	if field, mark := thirdMark(it.Section); field != "" && it.Flag(field) {
		b = append(append(b, ' '), mark...)
	}
	if it.Section == artifact.DiscriminativeTests {
		b = append(append(b, ' '), scoreText(it.Score())...)
	}
	if !it.Active() {
		b = append(append(b, ' '), markKilled...)
	}
	return append(b, '\n')
}

func scoreText(s artifact.Score) string {
	total, scored := s.Total()
	if !scored {
		return scoreMark + unscored + outOf
	}
	return scoreMark + artifact.FormatTotal(total) + outOf
}

// headingName writes a name so that its end is not taken for one of our marks, nor for the
// closing of a heading.
func headingName(name string, it *artifact.Item) string {
	if !it.Active() {
		return strike(name)
	}
	text := single(name)
	head := heading{name: text}
	if head.readMarks(it.Section); head.name != text || cutClosing(text) != text {
		return string(appendReference([]byte(text[:len(text)-1]), rune(text[len(text)-1])))
	}
	return text
}

// strike writes a text struck through, on one line.
func strike(text string) string {
	return "~~" + writing{guard: noGuard, struck: true, cells: true}.singleOrEmpty(text) + "~~"
}

// cutClosing removes the closing #s of a heading.
func cutClosing(text string) string {
	rest := strings.TrimRight(text, "#")
	if rest == "" || isBlank(rest[len(rest)-1]) {
		return trim(rest)
	}
	return text
}

// heading is what an item's heading says.
type heading struct {
	id      string // as it is written
	name    string // raw
	named   bool
	killed  bool
	third   bool
	hasMark bool // of a score
	scored  bool
	total   float64
}

// readHeading reads the text of an item's heading in a section; false if it does not begin
// with a well-formed id.
func readHeading(text string, s artifact.Section) (heading, bool) {
	h := heading{name: text}
	h.readMarks(s)
	if inner, ok := cutAround(h.name, "~~"); ok { // ~~H2: name~~
		h.name, h.killed = inner, true
	}
	h.name = strings.TrimPrefix(h.name, markKilled+" ")
	h.killed = h.killed || strings.HasPrefix(text, markKilled)
	end := strings.IndexFunc(h.name, func(r rune) bool { return !idRune(r) })
	if end < 0 {
		end = len(h.name)
	}
	rest := h.name[end:]
	h.id, h.name = h.name[:end], ""
	if rest != "" {
		name, colon := strings.CutPrefix(rest, ":")
		if !colon {
			name = strings.TrimLeft(name, "-–—.:) \t")
		}
		h.name, h.named = trim(name), colon || trim(name) != ""
	}
	_, _, _, ok := artifact.ParseItemID(h.id)
	if !ok && !strings.ContainsAny(h.id, "0123456789") && !strings.HasPrefix(rest, ":") {
		h.name, h.named = h.id+rest, h.id+rest != "" // a name without any id
		h.id = h.name
	}
	return h, ok
}

func idRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
}

// text returns the name itself.
func (h heading) text() string {
	if inner, ok := cutAround(h.name, "~~"); ok && h.killed {
		return readEmpty(inner)
	}
	return readInline(h.name)
}

// readMarks takes the marks off the end of a heading, each at most once.
func (h *heading) readMarks(s artifact.Section) {
	_, third := thirdMark(s)
	for {
		switch rest, last := cutLast(h.name); {
		case !h.killed && (strings.EqualFold(last, markKilled) || strings.EqualFold(last, "(KILLED)")):
			h.name, h.killed = rest, true
		case !h.third && third != "" && strings.EqualFold(last, third):
			h.name, h.third = rest, true
		case !h.hasMark && s == artifact.DiscriminativeTests && h.readScore(last):
			h.name, h.hasMark = rest, true
		default:
			return
		}
	}
}

func (h *heading) readScore(mark string) bool {
	if len(mark) < len(scoreMark) || !strings.EqualFold(mark[:len(scoreMark)-1], scoreMark[:len(scoreMark)-1]) {
		return false
	}
	number := strings.TrimSuffix(trim(mark[len(scoreMark)-1:]), ")")
	number, _, _ = strings.Cut(number, "/")
	total, err := strconv.ParseFloat(trim(number), 64)
	h.total, h.scored = total, err == nil
	return true
}

// cutLast splits what is in brackets at the end off a text.
func cutLast(text string) (rest, last string) {
	open := byte('(')
	switch {
	case strings.HasSuffix(text, "]"):
		open = '['
	case !strings.HasSuffix(text, ")"):
		return text, ""
	}
	i := strings.LastIndexByte(text, open)
	if i < 0 {
		return text, ""
	}
	return strings.TrimRight(text[:i], " \t"), text[i:]
}

// cutAround takes a mark off both ends of a text.
func cutAround(text, mark string) (string, bool) {
	if len(text) < 2*len(mark)+1 || !strings.HasPrefix(text, mark) || !strings.HasSuffix(text, mark) {
		return text, false
	}
	return text[len(mark) : len(text)-len(mark)], true
}
