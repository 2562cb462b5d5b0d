package markdown

import (
	"slices"
	"strings"
)

// appendList writes a list on one line, separated by commas, if it can be read back from
// there, else as bullets.
func appendList(b []byte, list []string) []byte {
	if len(list) == 0 {
		return append(b, '\n')
	}
	items := make([]string, len(list))
	for i, item := range list {
		items[i] = writing{guard: noGuard}.singleOrEmpty(item)
	}
	if line := strings.Join(items, ", "); slices.Equal(readInlineList(line), list) {
		return append(append(append(b, ' '), line...), '\n')
	}
	b = append(b, "\n\n"...)
	for i, item := range list {
		if guard := startGuard(item); guard != noGuard {
			items[i] = writing{guard: guard}.single(item)
		}
		b = append(append(append(b, "- "...), items[i]...), '\n')
	}
	return b
}

// readInlineList reads a list written on one line.
func readInlineList(raw string) []string {
	switch strings.ToLower(trim(raw)) {
	case "none", "n/a", "-", "–", "—":
		return []string{}
	}
	list := []string{}
	for _, item := range splitList(raw) {
		if item = trim(item); item != "" {
			list = append(list, readEmpty(item))
		}
	}
	return list
}

// splitList splits at commas outside brackets: [external: Smith, 2020] is one anchor.
func splitList(raw string) []string {
	var items []string
	depth, from := 0, 0
	for i := range len(raw) {
		switch raw[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				items = append(items, raw[from:i])
				from = i + 1
			}
		}
	}
	return append(items, raw[from:])
}

// point is a bullet of a list: what is beside its marker, the lines below, and its place
// among the lines of the list.
type point struct {
	beside string
	below  []string
	at     int
}

// readPoints reads a bulleted list. Lines that belong to no bullet come back in stray.
func readPoints(lines []string) (points []point, stray []int) {
	lines = dedent(lines)
	for i, line := range lines {
		n := bullet(line)
		switch {
		case n > 0:
			points = append(points, point{beside: trim(line[n:]), at: i})
		case blankLine(line), isBlank(line[0]):
			if len(points) > 0 {
				last := &points[len(points)-1]
				last.below = append(last.below, line)
			} else if !blankLine(line) {
				stray = append(stray, i)
			}
		default:
			stray = append(stray, i)
		}
	}
	return points, stray
}
