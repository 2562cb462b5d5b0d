package literature

import (
	"strings"
	"unicode"
)

// parseNames reads a list of BibTeX names: First von Last; von Last, First; von Last, Jr, First; with "and" between.
func parseNames(field string) []Name {
	var names []Name
	for _, one := range splitNames(field) {
		if len(names) > maxNames {
			break
		}
		if n := parseName(one); n != (Name{}) {
			names = append(names, n)
		}
	}
	return names
}

// splitNames cuts at the word and, outside of braces.
func splitNames(field string) []string {
	var names []string
	start := 0
	for _, w := range words(field) {
		if strings.EqualFold(field[w[0]:w[1]], "and") {
			names, start = append(names, field[start:w[0]]), w[1]
		}
	}
	return append(names, field[start:])
}

// words finds the stretches without white space outside of braces.
func words(text string) [][2]int {
	var found [][2]int
	depth, start := 0, -1
	for i := 0; i <= len(text); i++ {
		space := i == len(text) || depth == 0 && strings.IndexByte(" \t\r\n~", text[i]) >= 0
		switch {
		case space && start >= 0:
			found, start = append(found, [2]int{start, i}), -1
		case !space && start < 0:
			start = i
		}
		if i < len(text) {
			depth = max(depth+brace(text[i]), 0)
		}
	}
	return found
}

func brace(c byte) int {
	switch c {
	case '{':
		return 1
	case '}':
		return -1
	}
	return 0
}

// splitCommas cuts at commas outside of braces.
func splitCommas(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		if depth = max(depth+brace(text[i]), 0); text[i] == ',' && depth == 0 {
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	return append(parts, text[start:])
}

func parseName(text string) Name {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return Name{}
	case text == others:
		return Name{Literal: others}
	case wholeBrace(text):
		return Name{Literal: latex(text)}
	}
	parts := splitCommas(text)
	if len(parts) == 1 {
		return firstVonLast(text)
	}
	n := vonLast(parts[0])
	n.Given = latex(strings.Join(parts[1:], ", "))
	if len(parts) > 2 {
		n.Suffix, n.Given = latex(parts[1]), latex(strings.Join(parts[2:], ", "))
	}
	return n
}

// wholeBrace tells whether one pair of braces holds all of a text.
func wholeBrace(text string) bool {
	if !strings.HasPrefix(text, "{") || strings.HasPrefix(text, `{\`) {
		return false
	}
	depth := 0
	for i := range len(text) {
		if depth += brace(text[i]); depth == 0 {
			return i == len(text)-1
		}
	}
	return false
}

// firstVonLast reads a name without commas. The particle is what begins with a small letter; the last word is never part of it.
func firstVonLast(text string) Name {
	all := words(text)
	if len(all) == 0 {
		return Name{}
	}
	from, to := -1, -1
	for i, w := range all[:len(all)-1] {
		if small(text[w[0]:w[1]]) {
			if from < 0 {
				from = i
			}
			to = i + 1
		}
	}
	if from < 0 {
		from, to = len(all)-1, len(all)-1
	}
	part := func(a, b int) string {
		if a >= b {
			return ""
		}
		return latex(text[all[a][0]:all[b-1][1]])
	}
	return Name{Given: part(0, from), Particle: part(from, to), Family: part(to, len(all))}
}

// vonLast reads what stands before the first comma.
func vonLast(text string) Name {
	all := words(text)
	to := 0
	for i, w := range all[:max(len(all)-1, 0)] {
		if small(text[w[0]:w[1]]) {
			to = i + 1
		} else {
			break
		}
	}
	if to == 0 {
		return Name{Family: latex(text)}
	}
	return Name{Particle: latex(text[all[0][0]:all[to-1][1]]), Family: latex(text[all[to][0]:])}
}

// small tells whether a word begins with a small letter. One in braces does not count.
func small(word string) bool {
	if strings.HasPrefix(word, "{") && !strings.HasPrefix(word, `{\`) {
		return false
	}
	for _, r := range latex(word) {
		if unicode.IsLetter(r) {
			return unicode.IsLower(r)
		}
	}
	return false
}
