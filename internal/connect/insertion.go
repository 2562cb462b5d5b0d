package connect

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// insertion is an edit of a text that only adds to it.
type insertion struct {
	at   int // byte offset
	text string
}

// apply returns the text with the insertion.
func (i insertion) apply(before []byte) []byte {
	after := make([]byte, 0, len(before)+len(i.text))
	after = append(after, before[:i.at]...)
	after = append(after, i.text...)
	return append(after, before[i.at:]...)
}

// remove takes inserted text out of a text that was edited since, if it is still there
// exactly once.
func remove(text []byte, inserted string) ([]byte, bool) {
	if inserted == "" || bytes.Count(text, []byte(inserted)) != 1 {
		return nil, false
	}
	return bytes.Replace(text, []byte(inserted), nil, 1), true
}

// contextLines is how many lines a shown change has around it.
const contextLines = 3

// show renders an insertion the way diff does.
func (i insertion) show(path string, before []byte) string {
	after := string(i.apply(before))
	old, changed := lines(string(before)), lines(after)
	head := 0
	for head < len(old) && head < len(changed) && old[head] == changed[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(changed)-head && old[len(old)-1-tail] == changed[len(changed)-1-tail] {
		tail++
	}
	var b strings.Builder
	from, to := max(0, head-contextLines), min(len(old), len(old)-tail+contextLines)
	source, first := path, from+1
	if len(old) == 0 {
		source, first = os.DevNull, 0
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", source, path, first, to-from, from+1, to-from+len(changed)-len(old))
	write(&b, " ", old[from:head])
	write(&b, "-", old[head:len(old)-tail])
	write(&b, "+", changed[head:len(changed)-tail])
	write(&b, " ", old[len(old)-tail:to])
	return b.String()
}

func write(b *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		b.WriteString(mark + strings.TrimRight(line, "\r\n") + "\n")
	}
}

func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, line)
	}
	return all
}

// newline is the line ending that a text uses.
func newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
