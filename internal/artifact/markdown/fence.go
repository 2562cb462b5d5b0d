package markdown

import (
	"slices"
	"strings"
)

// fence is a fenced block: the places of its first and last line.
type fence struct{ open, close int }

// findFences finds the closed fences among lines. One that is never closed is text: it must
// not swallow the rest of a file.
func findFences(lines []string) []fence {
	first := slices.IndexFunc(lines, func(line string) bool {
		_, n := opener(line)
		return n > 0
	})
	if first < 0 {
		return nil
	}
	closers := longestClosers(lines)
	var found []fence
	for i := first; i < len(lines); i++ {
		c, n := opener(lines[i])
		if n == 0 || closers[i+1][fenceChar(c)] < n {
			continue
		}
		end := i + 1
		for !closes(lines[end], c, n) {
			end++
		}
		found = append(found, fence{i, end})
		i = end
	}
	return found
}

// longestClosers says for each line how long the longest closing fence from there on is, for
// backticks and tildes, so that no opener is searched a partner for in vain.
func longestClosers(lines []string) [][2]int {
	longest := make([][2]int, len(lines)+1)
	for i := len(lines) - 1; i >= 0; i-- {
		longest[i] = longest[i+1]
		rest, ok := fenceIndent(lines[i])
		if !ok || rest == "" || rest[0] != '`' && rest[0] != '~' {
			continue
		}
		n := runLength(rest, rest[0])
		if trim(rest[n:]) == "" {
			k := fenceChar(rest[0])
			longest[i][k] = max(longest[i][k], n)
		}
	}
	return longest
}

func fenceChar(c byte) int {
	if c == '~' {
		return 1
	}
	return 0
}

// opener returns the character and length of the fence that a line opens, 0 if it opens none.
func opener(line string) (byte, int) {
	rest, ok := fenceIndent(line)
	if !ok || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return 0, 0
	}
	n := runLength(rest, rest[0])
	if n < 3 || rest[0] == '`' && strings.IndexByte(rest[n:], '`') >= 0 {
		return 0, 0
	}
	return rest[0], n
}

func closes(line string, c byte, n int) bool {
	rest, ok := fenceIndent(line)
	return ok && runLength(rest, c) >= n && trim(strings.TrimLeft(rest, string(c))) == ""
}

// fenceIndent removes the indentation of a fence, at most three spaces.
func fenceIndent(line string) (string, bool) {
	rest := strings.TrimLeft(line, " ")
	return rest, len(line)-len(rest) <= 3
}
