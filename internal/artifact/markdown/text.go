package markdown

import "strings"

// indent begins the further lines of a value. Viewers do not show it; it keeps
// the first column, where headings and labels are, free of any value.
const indent = "  "

// appendText writes a value after its label: the first line beside it if it is plain prose,
// further lines below it, indented, as the Markdown that they are.
func appendText(b []byte, text string) []byte {
	if text != "" && ordinary(text) {
		return append(append(append(b, ' '), text...), '\n')
	}
	lines, beside := blockLines(text)
	if !beside {
		b = append(b, "\n\n"...)
	}
	for i, line := range lines {
		switch {
		case i == 0 && beside && line != "":
			b = append(b, ' ')
		case i == 0 && beside, line == "":
		default:
			b = append(b, indent...)
		}
		b = append(b, line...)
		b = append(b, '\n')
	}
	return b
}

// blockLines writes a text as lines; beside says whether the first is beside the label.
func blockLines(text string) (lines []string, beside bool) {
	body := strings.Trim(text, "\n")
	if !strings.Contains(body, "\n") {
		return []string{single(text)}, true
	}
	lead := strings.Index(text, body)
	trail := len(text) - lead - len(body)
	lines = strings.Split(valid(body), "\n")
	verbatim := verbatimLines(lines)
	if lead > 0 || trail > 0 {
		clear(verbatim) // the breaks of the edges are written on the first and the last line
	}
	beside = lead > 0 || !verbatim[0] && !isBlank(lines[0][0]) && !startsBlock(lines[0])
	for i, line := range lines {
		w := writing{cells: true, guard: noGuard}
		if verbatim[i] {
			continue
		}
		if i > 0 || !beside {
			w.guard = startGuard(line)
		} else if isBlank(line[0]) {
			w.guard = 0
		}
		lines[i] = string(w.appendLine(nil, line))
	}
	lines[0] = strings.Repeat(lineBreak, lead) + lines[0]
	lines[len(lines)-1] += strings.Repeat(lineBreak, trail)
	breakLines(lines, verbatim)
	return lines, beside
}

// breakLines ends each line that a viewer would run together with the next one in a
// backslash, the line break of Markdown.
func breakLines(lines []string, verbatim []bool) {
	for i := range len(lines) - 1 {
		this, next := lines[i], lines[i+1]
		if this == "" || next == "" || verbatim[i] || verbatim[i+1] || startsBlock(next) || tableRow(this) {
			continue
		}
		lines[i] += `\`
	}
}

// verbatimLines tells which lines belong to a code block that can stand as it is: it begins
// in the first column, every viewer sees it end where we do, and nothing in it needs a
// reference.
func verbatimLines(lines []string) []bool {
	verbatim := make([]bool, len(lines))
	for _, f := range findFences(lines) {
		if isBlank(lines[f.open][0]) || strings.HasPrefix(lines[f.close], indent) {
			continue
		}
		if strings.IndexFunc(strings.Join(lines[f.open:f.close+1], ""), unseen) >= 0 {
			continue
		}
		for i := f.open; i <= f.close; i++ {
			verbatim[i] = true
		}
	}
	return verbatim
}

// readText reads what appendText writes: what is beside the label, and the lines below.
func readText(beside string, below []string) string {
	beside, below = trim(beside), trimEnd(below)
	if beside == "" {
		return strings.Join(readLines(dedent(trimStart(below))), "\n")
	}
	return strings.Join(append([]string{readLine(beside)}, readLines(dedent(below))...), "\n")
}

func readLines(lines []string) []string {
	fences := findFences(lines)
	out := make([]string, len(lines))
	for i, line := range lines {
		if len(fences) > 0 && i > fences[0].close {
			fences = fences[1:]
		}
		if len(fences) > 0 && i >= fences[0].open {
			out[i] = line
			continue
		}
		out[i] = readLine(strings.TrimRight(line, " \t"))
	}
	return out
}

// readLine reads a line of text; a single backslash at its end is the line break.
func readLine(raw string) string {
	if oddBackslashes(raw) {
		raw = raw[:len(raw)-1]
	}
	return readInline(raw)
}
