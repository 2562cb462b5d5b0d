package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ask puts a question to a person at a terminal, whose answer is one line: what is pasted is made one. The second
// result is false where no person can answer: prompts are for terminals only, never for scripts.
func (a *app) ask(ctx context.Context, label string) (string, bool, error) {
	answer, ok, err := a.askUntilSaid(ctx, label)
	return strings.Join(strings.Fields(answer), " "), ok, err
}

func (a *app) askUntilSaid(ctx context.Context, label string) (string, bool, error) {
	if !a.canAsk() {
		return "", false, nil
	}
	for {
		line, ok, err := a.readAnswer(ctx, label+": ")
		if line != "" || !ok || err != nil {
			return line, ok, err
		}
	}
}

// canAsk tells whether a person is there.
func (a *app) canAsk() bool {
	return a.streams.InIsTerminal && a.streams.ErrIsTerminal && !a.flags.json
}

// readAnswer reads one line of a person, or what they paste, which may be empty; false: there are no more.
func (a *app) readAnswer(ctx context.Context, prompt string) (string, bool, error) {
	fmt.Fprint(a.streams.Err, prompt)
	line, err := a.typed().next(ctx)
	line = strings.TrimSpace(line)
	switch {
	case line != "" || err == nil:
		return line, true, nil
	case errors.Is(err, io.EOF):
		fmt.Fprintln(a.streams.Err)
		return "", false, nil
	}
	return "", false, err
}

// askLines is ask for a text of several lines, an empty line ends it, unless it was pasted.
func (a *app) askLines(ctx context.Context, label string) (string, bool, error) {
	text, ok, err := a.askUntilSaid(ctx, label+" (an empty line ends it)")
	for ok && err == nil {
		line, more, lineErr := a.readAnswer(ctx, "")
		if err = lineErr; !more || line == "" {
			break
		}
		text += "\n" + line
	}
	return text, ok, err
}

// typed is what a person types, line by line. A read that waits cannot be stopped: what it brings is for the
// next question if this one was answered elsewhere.
type typed struct {
	read   func() (string, error)
	hold   func() (release func())
	coming chan typedLine // nil: nothing is read
}

type typedLine struct {
	text string
	err  error
}

// typed reads the terminal, or lines of any other stream.
func (a *app) typed() *typed {
	if a.lines != nil {
		return a.lines
	}
	in := bufio.NewReader(a.streams.In)
	a.lines = &typed{read: func() (string, error) { return in.ReadString('\n') }, hold: func() func() { return func() {} }}
	if k := a.streams.Keyboard; k != nil {
		a.lines = &typed{read: k.Read, hold: k.Hold}
	}
	return a.lines
}

// next returns the next line, or the context's error if that ends first.
func (t *typed) next(ctx context.Context) (string, error) {
	defer t.hold()()
	if t.coming == nil {
		coming := make(chan typedLine, 1)
		t.coming = coming
		go func() {
			text, err := t.read()
			coming <- typedLine{text, err}
		}()
	}
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line := <-t.coming:
		t.coming = nil
		return line.text, line.err
	}
}
