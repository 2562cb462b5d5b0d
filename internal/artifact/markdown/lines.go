package markdown

import "strings"

// blankLine tells whether a line has nothing but spaces and tabs.
func blankLine(line string) bool { return trim(line) == "" }

// trimStart removes blank lines at the start.
func trimStart(lines []string) []string {
	for len(lines) > 0 && blankLine(lines[0]) {
		lines = lines[1:]
	}
	return lines
}

// trimEnd removes blank lines at the end.
func trimEnd(lines []string) []string {
	for len(lines) > 0 && blankLine(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// dedent removes the indentation of a value's lines if all of them have it.
func dedent(lines []string) []string {
	for _, line := range lines {
		if !blankLine(line) && !strings.HasPrefix(line, indent) {
			return lines
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(strings.TrimPrefix(line, " "), " ")
	}
	return out
}

// startsBlock tells whether a line of a value begins something that viewers set apart from
// the paragraph before: a list item, a quotation, a row of a table, a fence.
func startsBlock(line string) bool {
	rest := trim(line)
	if rest == "" {
		return false
	}
	if rest[0] == '>' || rest[0] == '|' || bullet(rest) > 0 {
		return true
	}
	if _, n := opener(rest); n > 0 {
		return true
	}
	return strings.Trim(rest, "-:| \t") == "" // the line under the head of a table
}

func tableRow(line string) bool { return strings.HasPrefix(trim(line), "|") }

// bullet returns the length of the list marker that a line begins with, 0 if it has none.
func bullet(line string) int {
	n := 0
	switch {
	case line == "":
		return 0
	case strings.IndexByte("-+*", line[0]) >= 0:
		n = 1
	default:
		for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n == 0 || n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(line) && !isBlank(line[n]) {
		return 0
	}
	return n
}

// startGuard returns the place of the character at a line's start that must become a
// reference, noGuard if there is none: the line would be a heading, a rule, a fence, a
// definition that viewers hide, or one of our labels.
func startGuard(line string) int {
	rest := strings.TrimLeft(line, " \t")
	if rest == "" {
		return noGuard
	}
	guarded := false
	switch rest[0] {
	case '#':
		guarded = headingLevel(rest) > 0
	case '=', '-', '_':
		guarded = strings.Trim(rest, rest[:1]+" \t") == ""
	case '*':
		label, _, ok := splitLabel(rest)
		guarded = ok && ourLabel(label) || strings.Trim(rest, "* \t") == ""
	case '~':
		guarded = strings.HasPrefix(rest, "~~~")
	case '[':
		guarded = strings.Contains(rest, "]:")
	}
	if !guarded {
		return noGuard
	}
	return len(line) - len(rest)
}

// headingLevel returns the level of the ATX heading that a line is, 0 if it is none.
func headingLevel(line string) int {
	n := runLength(line, '#')
	if n == 0 || n > 6 || n < len(line) && !isBlank(line[n]) {
		return 0
	}
	return n
}
