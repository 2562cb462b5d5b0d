package cli

import (
	"bufio"
	"bytes"
	"os/exec"
	"strings"

	"brenner/internal/termtext"
)

// pagedOutput keeps data until its length is known: what is longer than the terminal goes through the pager.
type pagedOutput struct {
	app  *app
	data bytes.Buffer
}

// paged makes a printer's data go through the pager where there is one; nil: there is none.
func (a *app) paged(p *printer) *pagedOutput {
	s := a.streams
	if a.flags.noPager || !s.InIsTerminal || !p.terminal || s.Height <= 0 || s.Getenv("TERM") == "dumb" {
		return nil
	}
	page := &pagedOutput{app: a}
	p.out = bufio.NewWriter(&page.data)
	return page
}

// show writes the data, page by page if it is long.
func (o *pagedOutput) show() error {
	s := o.app.streams
	if screenLines(o.data.String(), s.Width) >= s.Height {
		if words := o.app.pager(); len(words) > 0 && o.page(words) {
			return nil
		}
	}
	_, err := s.Out.Write(o.data.Bytes())
	return err
}

// page runs the pager. False: it cannot be run, and nothing was shown.
func (o *pagedOutput) page(words []string) bool {
	program, err := exec.LookPath(words[0])
	if err != nil {
		return false
	}
	cmd := exec.Command(program, words[1:]...) // a person ends it, not the context
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(o.data.Bytes()), o.app.streams.Out, o.app.streams.Err
	cmd.Env = o.app.environ()
	if o.app.streams.Getenv("LESS") == "" {
		cmd.Env = append(cmd.Env, "LESS=FRX") // end with what fits, keep colours, leave the text on the screen
	}
	if err := cmd.Start(); err != nil {
		return false
	}
	_ = cmd.Wait() // leaving before the end is no failure
	return true
}

// pager is the command of $PAGER; without the variable it is less. An empty one, and cat, mean none.
func (a *app) pager() []string {
	command := "less"
	for _, v := range a.environ() {
		if value, ok := strings.CutPrefix(v, "PAGER="); ok {
			command = value
		}
	}
	if words := strings.Fields(command); len(words) > 0 && words[0] != "cat" {
		return words
	}
	return nil
}

// screenLines counts the lines that a text takes on a terminal, where long ones are continued on the next.
func screenLines(text string, width int) int {
	n := 0
	for line := range strings.Lines(text) {
		n++
		if width > 0 {
			n += max(0, termtext.Cells(strings.TrimSuffix(line, "\n"))-1) / width
		}
	}
	return n
}
