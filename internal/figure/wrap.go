package figure

import "strings"

// cells estimates how wide a text is, in letters of average width. A figure has no fonts to measure with.
func cells(text string) int {
	n := 0
	for _, r := range text {
		if r >= 0x1100 {
			n++ // most scripts above are set twice as wide
		}
		n++
	}
	return n
}

// wrap breaks a text into at most lines of the width; what does not fit ends with an ellipsis.
func wrap(text string, width, lines int) []string {
	var out []string
	words := strings.Fields(text)
	for len(words) > 0 {
		if len(out) == lines-1 {
			return append(out, shorten(strings.Join(words, " "), width))
		}
		n := 1
		for n < len(words) && cells(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		out = append(out, shorten(strings.Join(words[:n], " "), width))
		words = words[n:]
	}
	return out
}

// shorten cuts a text to the width, with an ellipsis where something is missing.
func shorten(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	used := 1
	for i, r := range text {
		if used += cells(string(r)); used > width {
			return strings.TrimRight(text[:i], " ,;:") + "…"
		}
	}
	return text
}
