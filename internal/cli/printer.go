package cli

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

// printer shows a report to a person. Data goes to stdout; notes, progress and what to do
// next go to stderr.
type printer struct {
	out, err *bufio.Writer
	color    bool // of stdout
	harmless bool // stdout is a terminal: texts must not drive it
	terminal bool // both streams are a terminal
	quiet    bool
	failed   bool // the command failed; its error closes the output
	width    int
	now      time.Time
	said     []protocol.Finding // that were shown
}

const defaultWidth = 100

func newPrinter(a *app) *printer {
	width := a.streams.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &printer{
		out:      bufio.NewWriter(a.streams.Out),
		err:      bufio.NewWriter(a.streams.Err),
		color:    a.streams.OutIsTerminal && !a.flags.noColor && !a.streams.plain(),
		harmless: a.streams.OutIsTerminal,
		terminal: a.streams.OutIsTerminal && a.streams.ErrIsTerminal,
		quiet:    a.flags.quiet,
		width:    width,
		now:      a.now(),
	}
}

// print writes data. Text from outside passes through visible or line first.
func (p *printer) print(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// text writes a whole text as data: as it is into a pipe or file, made harmless on a
// terminal.
func (p *printer) text(s string) {
	if !p.harmless {
		p.print("%s", s)
		return
	}
	for line := range strings.Lines(s) {
		body, end := strings.CutSuffix(line, "\n")
		p.print("%s", termtext.VisibleWithTabs(body))
		if end {
			p.print("\n")
		}
	}
}

// note writes a line beside the data, unless --quiet.
func (p *printer) note(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintf(p.err, format+"\n", args...)
	}
}

// next names the command one would type next; only on a terminal.
func (p *printer) next(words ...string) {
	if !p.terminal {
		return
	}
	for i, word := range words {
		words[i] = visible(shellWord(word))
	}
	p.note("next: %s", strings.Join(words, " "))
}

// hint says what one would do next where that is not one command; only on a terminal.
func (p *printer) hint(format string, args ...any) {
	if p.terminal {
		p.note("next: "+format, args...)
	}
}

// shellWord quotes an argument so that it can be pasted into a POSIX shell.
func shellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// fail writes the error that ended the command.
func (p *printer) fail(message string) {
	p.out.Flush()              // flush reports what goes wrong
	for _, f := range p.said { // a fault is said once
		message = strings.ReplaceAll(message, ": "+string(f.Code)+": "+f.Message, "")
		if message == f.Message {
			return
		}
		message = strings.TrimSuffix(message, ": "+f.Message)
	}
	fmt.Fprintf(p.err, "brenner: %s\n", visible(message))
}

// flush writes out data first, then notes, and returns what went wrong with the data.
func (p *printer) flush() error {
	err := p.out.Flush()
	p.err.Flush() // there is no place left to complain
	return err
}

// The styles of the terminal (SGR parameters).
const (
	styleBold = "1"
	styleDim  = "2"
)

var severityStyle = map[protocol.Severity]string{
	protocol.SeverityError:   "1;31",
	protocol.SeverityWarning: "1;33",
	protocol.SeverityInfo:    "1;36",
}

func (p *printer) style(style, text string) string {
	if !p.color {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// count writes "1 error", "2 errors".
func count(n int, noun string) string { return protocol.Plural(n, noun) }
