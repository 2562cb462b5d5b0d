package evidence

import (
	"strings"
	"unicode"

	"brenner/internal/pattern"
)

// maxBefore is how many words may stand between a number and the citation in brackets behind it, in halves.
const maxBefore = 2 * 8

// addresses are DOIs and URLs: their digits are no numbers.
var addresses = pattern.Lazy(`(?i)\b(?:https?://|www\.|doi:)\S+|\b10\.[0-9]{4,9}/\S+`)

// figures finds the numbers that stand before citations in brackets (SCIENCE 1, EV-N01).
func (p *passage) figures() []Figure {
	if len(p.cited) == 0 || len(p.brackets) == 0 || !strings.ContainsAny(p.masked, "0123456789") {
		return nil
	}
	masked := []byte(p.masked)
	for _, m := range addresses().FindAllStringIndex(p.masked, -1) {
		hide(masked, m[0], m[1], hiddenCode)
	}
	atoms := atomsOf(string(masked), quoted)
	var found []Figure
	next := 0 // the first atom behind the last citation
	for i := 0; i < len(p.cited); {
		g := p.groupAt(i, span{})
		for i < len(p.cited) && p.cited[i].start < g.end {
			i++
		}
		end := next
		for end < len(atoms) && atoms[end].start < g.start {
			end++
		}
		if g.bracketed {
			found = append(found, p.before(g, atoms[next:end])...)
		}
		for next = end; next < len(atoms) && atoms[next].start < g.end; {
			next++
		}
	}
	return found
}

// before finds the numbers among the atoms that end before a citation.
func (p *passage) before(g group, atoms []atom) []Figure {
	var found []Figure
	for i, words := len(atoms)-1, 0; i >= 0 && words <= maxBefore; i-- {
		a := &atoms[i]
		if a.kind != word {
			continue
		}
		if f, ok := p.figure(atoms, i); ok {
			for _, c := range g.cited {
				f.Citations = append(f.Citations, c.Citation)
			}
			found = append([]Figure{f}, found...)
		}
		words += said([]atom{*a})
	}
	return found
}

// numberSigns are those before a number that say nothing of its size.
const numberSigns = "+-<>≤≥±"

// timesSigns are the signs before a power of ten.
const timesSigns = "×x·*⋅"

// figure reads the number that an atom is; false if it is none that is compared.
func (p *passage) figure(atoms []atom, i int) (Figure, bool) {
	a := &atoms[i]
	whole, more := p.grouped(atoms, i)
	core := strings.TrimRight(strings.TrimLeft(whole, numberSigns), "%‰°′")
	if core == "" || strings.Trim(core, "0123456789.,^+-") != "" || !unicode.IsDigit(rune(core[0])) || p.quotedAt(a.start) ||
		p.insideNumber(atoms, i) || !plainNumber(atoms, i, i+more) {
		return Figure{}, false
	}
	end := i + more // its last atom
	value, text := parseQuantity(core), p.text[a.start:atoms[end].end]
	if i > 1 && strings.HasPrefix(core, "10^") && strings.Contains(timesSigns, atoms[i-1].text) {
		return Figure{}, false // the power of a number that is read with it
	}
	if end+2 < len(atoms) && strings.HasPrefix(atoms[end+2].text, "10^") && strings.Contains(timesSigns, atoms[end+1].text) {
		value, text = value.times(parseQuantity(atoms[end+2].text)), p.text[a.start:atoms[end+2].end]
	} else if !telling(core) {
		return Figure{}, false
	}
	return Figure{Text: text, Offset: p.offset(a.start), value: value}, value.n > 0
}

// telling tells whether a number says enough to be looked up: three digits, or a decimal point; no year.
func telling(core string) bool {
	n := 0
	for _, r := range core {
		if unicode.IsDigit(r) {
			n++
		}
	}
	year := len(core) == 4 && n == 4 && core >= "1500" && core <= "2100"
	return !year && (n >= 3 || strings.Contains(core, ".") || strings.Contains(core, "^"))
}

// quotedAt tells whether a place is inside a quotation.
func (p *passage) quotedAt(at int) bool {
	for _, q := range p.quotes {
		if q.start <= at && at < q.end {
			return true
		}
	}
	return false
}

// notBehind and notBefore are words beside a number that is none to compare.
var (
	notBehind = map[string]bool{"p": true, "pp": true, "page": true, "pages": true, "fig": true, "figure": true, "figs": true,
		"table": true, "eq": true, "no": true, "vol": true,
		"about": true, "~": true, "≈": true, "line": true, "lines": true, "section": true}
	notBefore = map[string]bool{"fold": true, "times": true}
)

// plainNumber tells whether a number, from one atom to another, stands for itself: it is not joined to letters or to other numbers as
// dates are, and no word beside it says that it is none, or only about right. The two of a range do.
func plainNumber(atoms []atom, i, end int) bool {
	a := &atoms[i]
	if strings.ContainsAny(a.text[:min(3, len(a.text))], "~≈") {
		return false
	}
	if end+1 < len(atoms) {
		next := &atoms[end+1]
		joined := next.glue != space && next.kind == word && !ranging(atoms, end)
		if joined || notBefore[strings.ToLower(next.text)] || next.text == "/" && dated(atoms, end+1) {
			return false
		}
	}
	if i == 0 {
		return true
	}
	last := &atoms[i-1]
	joined := a.glue != space && a.glue != openHyphen && last.kind == word && !ranging(atoms, i-1)
	if joined || last.text == "#" || last.text == "/" && dated(atoms, i-1) {
		return false
	}
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		if atoms[k].kind == word || atoms[k].text == "~" || atoms[k].text == "≈" {
			return !notBehind[strings.ToLower(atoms[k].text)]
		}
		if atoms[k].text != "." {
			break
		}
	}
	return true
}

// ranging tells whether an atom and the one behind it are the two ends of a range: 150–200.
func ranging(atoms []atom, i int) bool {
	free := func(k int) bool { return k == 0 || k >= len(atoms) || atoms[k].glue == space || atoms[k].kind != word }
	if atoms[i+1].glue != hyphen || !free(i) || !free(i+2) {
		return false
	}
	low, high := parseQuantity(atoms[i].text), parseQuantity(atoms[i+1].text)
	plain := strings.Trim(atoms[i].text+atoms[i+1].text, "0123456789.,%‰°′") == ""
	return plain && low.n > 0 && high.n > 0 && low.values[0] < high.values[0]
}

// dated tells whether a stroke parts two numbers, as in dates.
func dated(atoms []atom, i int) bool {
	digit := func(k int) bool {
		return k >= 0 && k < len(atoms) && atoms[k].text[0] >= '0' && atoms[k].text[0] <= '9'
	}
	return digit(i-1) && digit(i+1)
}
