package cli

import (
	"strings"

	"brenner/internal/pattern"
	"brenner/internal/termtext"
)

// wrapHelp fits a help page into a terminal: prose is wrapped, lists keep their second column, and the lines of examples
// are continued as a shell would have it.
func wrapHelp(text string, width int) string {
	var out []string
	var paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, termtext.Wrap(strings.Join(paragraph, " "), width)...)
			paragraph = nil
		}
	}
	heading := "" // of the list that we are in
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		indented := strings.HasPrefix(line, " ")
		switch {
		case !indented && strings.HasSuffix(line, ":") && len(paragraph) == 0:
			heading = line
			out = append(out, line)
		case line == "":
			flush()
			out = append(out, line)
		case !indented:
			paragraph = append(paragraph, line)
		default:
			flush()
			wrap := wrapLine
			if heading == "Examples:" {
				wrap = wrapCommand
			}
			out = append(out, wrap(line, width)...)
		}
	}
	flush()
	return strings.Join(out, "\n") + "\n"
}

// twoColumns is a line of a list: a name, a gap, and what it means.
var twoColumns = pattern.Lazy(`^(\s+\S+(?: \S+)*)\s{2,}(\S.*)$`)

// wrapCommand continues a line as a shell would read it.
func wrapCommand(line string, width int) []string {
	if termtext.Cells(line) <= width {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	return indented(indent, indent+"  ", termtext.Wrap(line, width-len(indent)-4), ` \`)
}

func wrapLine(line string, width int) []string {
	const deep = 6
	if termtext.Cells(line) <= width {
		return []string{line}
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	parts := twoColumns().FindStringSubmatch(line)
	if parts == nil {
		return indented(indent, indent+"  ", termtext.Wrap(line, width-len(indent)-2), "")
	}
	column := len(line) - len(parts[2])
	if column <= width/2 {
		return indented(line[:column], strings.Repeat(" ", column), termtext.Wrap(parts[2], width-column), "")
	}
	margin := strings.Repeat(" ", deep)
	return append(wrapLine(parts[1], width), indented(margin, margin, termtext.Wrap(parts[2], width-deep), "")...)
}

// indented puts a margin before each line, another one before the first, and an end behind all but the last.
func indented(first, margin string, lines []string, end string) []string {
	for i := range lines {
		if i < len(lines)-1 {
			lines[i] += end
		}
		lines[i] = first + lines[i]
		first = margin
	}
	return lines
}
