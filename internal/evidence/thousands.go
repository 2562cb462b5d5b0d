package evidence

import "strings"

// Digits may be parted in groups of three by a space: 1 248 000 is one number.

// thousandsMarks part the groups, beside points and commas, which are read with the digits.
const thousandsMarks = " \u00a0\u2009\u202f"

// leading are the digits of a number that further groups may follow; empty if none can.
func leading(whole, text string) string {
	if whole != "" {
		text = whole
	} else if len(text) > 3 {
		return ""
	}
	if strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// joinGroups is a number with one more group of three digits; empty if the atom is none of it. raw is what both stand in, and end
// where the digits before end.
func joinGroups(digits, raw string, end int, a *atom) string {
	if digits == "" || len(digits) > 3*maxGroups || a.start <= end || a.start-end > len("\u2009") ||
		!strings.Contains(thousandsMarks, raw[end:a.start]) {
		return ""
	}
	group, rest := a.text, ""
	if len(group) > 3 {
		group, rest = group[:3], group[3:]
	}
	more := rest != "" && (rest[0] >= '0' && rest[0] <= '9' || strings.Contains(rest, ","))
	if len(group) < 3 || strings.Trim(group, "0123456789") != "" || more {
		return ""
	}
	return digits + a.text
}

// grouped reads the number that begins at an atom with all its groups, and how many atoms it takes beyond the first.
func (p *passage) grouped(atoms []atom, i int) (text string, more int) {
	text = atoms[i].text
	digits := leading("", strings.TrimLeft(text, numberSigns))
	for k := i + 1; k < len(atoms); k++ {
		whole := joinGroups(digits, p.text, atoms[k-1].end, &atoms[k])
		if whole == "" {
			break
		}
		text, more = whole, k-i
		digits = leading(whole, "")
	}
	return text, more
}

// insideNumber tells whether an atom is a further group of the number before it.
func (p *passage) insideNumber(atoms []atom, i int) bool {
	for k := i - 1; k >= 0 && k >= i-maxGroups; k-- {
		if _, more := p.grouped(atoms, k); more > 0 {
			return k+more >= i
		}
	}
	return false
}

// maxGroups is how many groups of three digits a number has at most.
const maxGroups = 8
