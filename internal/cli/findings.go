package cli

import (
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/commandline"
	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

// findings shows findings as data, each with the line it points at.
func (p *printer) findings(list []protocol.Finding, src *source) {
	for _, f := range p.once(list) {
		p.print("%s", p.finding(f, src))
	}
}

// once leaves out what only repeats, under another code, what the finding before says about the same place.
func (p *printer) once(list []protocol.Finding) []protocol.Finding {
	var told []protocol.Finding
	for _, f := range list {
		if n := len(told); n > 0 && f.Fix != "" && f.Fix == told[n-1].Fix && f.Path == told[n-1].Path && f.Line == told[n-1].Line &&
			f.Item == told[n-1].Item && f.Code != told[n-1].Code {
			continue
		}
		told = append(told, f)
	}
	p.said = append(p.said, told...)
	return told
}

// findingsOnErr lists findings beside the data.
func (p *printer) findingsOnErr(list []protocol.Finding) {
	for _, f := range p.once(list) {
		fmt.Fprint(p.err, p.finding(f, nil))
	}
}

// few lists the first findings beside the data, and counts the rest.
func (p *printer) few(list []protocol.Finding) {
	const maxListed = 3
	p.findingsOnErr(list[:min(maxListed, len(list))])
	if more := len(list) - maxListed; more > 0 {
		p.note("… and %d more", more)
	}
}

func (p *printer) finding(f protocol.Finding, src *source) string {
	var b strings.Builder
	switch {
	case f.Line > 0 && f.Column > 0:
		fmt.Fprintf(&b, " %d:%d", f.Line, f.Column)
	case f.Line > 0:
		fmt.Fprintf(&b, " %d", f.Line)
	}
	if f.Item != "" {
		fmt.Fprintf(&b, " %s:", visible(f.Item))
	}
	fmt.Fprintf(&b, " %s", visible(f.Message))
	if f.Path != "" {
		fmt.Fprintf(&b, " (%s)", visible(f.Path))
	}
	plain := string(f.Severity) + " " + string(f.Code)
	text := strings.Join(p.folded("", "  ", plain+b.String()), "\n")
	b.Reset()
	b.WriteString(p.style(severityStyle[f.Severity], string(f.Severity)) + " " + p.style(styleBold, string(f.Code)))
	b.WriteString(strings.TrimPrefix(text, plain) + "\n")
	p.snippet(&b, f, src)
	p.fix(&b, commandline.Fix(f.Fix, f.Action))
	return b.String()
}

// remedy is what mends a finding that was said already.
func (p *printer) remedy(f protocol.Finding) string {
	var b strings.Builder
	p.fix(&b, commandline.Fix(f.Fix, f.Action))
	return b.String()
}

// snippet shows the offending line, with a caret under the column if one is known.
func (p *printer) snippet(b *strings.Builder, f protocol.Finding, src *source) {
	text, offset, ok := src.at(f.Line, max(f.Column, 1))
	if !ok {
		return
	}
	number := fmt.Sprintf("%5s", strconv.Itoa(f.Line))
	shown, before := excerpt(text, offset, max(p.width-len(number)-4, 20))
	fmt.Fprintf(b, "%s %s\n", p.style(styleDim, number+" |"), shown)
	if f.Column == 0 {
		return
	}
	gutter := strings.Repeat(" ", len(number))
	fmt.Fprintf(b, "%s %s%s\n", p.style(styleDim, gutter+" |"), strings.Repeat(" ", before),
		p.style(severityStyle[f.Severity], "^"))
}

// fix shows what to type instead; a fix of several lines keeps its layout.
func (p *printer) fix(b *strings.Builder, fix string) {
	label := "  fix: "
	if !strings.Contains(strings.TrimRight(fix, "\r\n"), "\n") && fix != "" {
		b.WriteString(strings.Join(p.folded(label, "       ", visible(strings.TrimRight(fix, "\r\n"))), "\n") + "\n")
		return
	}
	for line := range strings.Lines(fix) {
		fmt.Fprintf(b, "%s%s\n", label, termtext.VisibleWithTabs(strings.TrimRight(line, "\r\n")))
		label = "       "
	}
}

// folded breaks a line that is longer than the terminal between words; all lines but the first begin with the margin.
// Elsewhere a line stays one line.
func (p *printer) folded(first, margin, text string) []string {
	if !p.terminal || termtext.Cells(first+text) <= p.width {
		return []string{first + text}
	}
	return indented(first, margin, termtext.Wrap(text, p.width-max(len(first), len(margin))), "")
}

// explain names the command that tells more about the gravest finding.
func (p *printer) explain(list []protocol.Finding) {
	for _, f := range list {
		if f.Severity == protocol.SeverityError {
			p.next("brenner", "help", "findings", string(f.Code))
			return
		}
	}
}

// tally counts findings by severity: "2 errors, 1 warning"; "no findings" if there are none.
func tally(list []protocol.Finding) string {
	var parts []string
	for _, s := range []protocol.Severity{protocol.SeverityError, protocol.SeverityWarning, protocol.SeverityInfo} {
		n := 0
		for _, f := range list {
			if f.Severity == s {
				n++
			}
		}
		switch {
		case n == 0:
		case s == protocol.SeverityInfo:
			parts = append(parts, fmt.Sprintf("%d info", n))
		default:
			parts = append(parts, count(n, string(s)))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}
