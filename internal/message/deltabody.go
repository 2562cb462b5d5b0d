package message

import "strings"

// DeltaBody writes the body of a DELTA: what is said before the blocks, then each block in a fence that it cannot close.
func DeltaBody(intro string, blocks ...string) string {
	var b strings.Builder
	b.WriteString("# Delta Contribution\n\n")
	if intro != "" {
		b.WriteString(intro + "\n\n")
	}
	b.WriteString("## Deltas\n")
	for _, block := range blocks {
		fence := Fence(block)
		b.WriteString("\n" + fence + "delta\n" + strings.TrimRight(block, "\r\n") + "\n" + fence + "\n")
	}
	return b.String()
}

// Fence is a fence that a text cannot close: longer than each row of backticks in it.
func Fence(text string) string {
	longest, row := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return strings.Repeat("`", max(3, longest+1))
}
