package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ask puts a question to a person at a terminal. The second result is false where no person can
// answer: prompts are for terminals only, never for scripts.
func (a *app) ask(ctx context.Context, label string) (string, bool, error) {
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

// readAnswer reads one line of a person, which may be empty; false: there are no more.
func (a *app) readAnswer(ctx context.Context, prompt string) (string, bool, error) {
	if a.lines == nil {
		a.lines = &typed{in: bufio.NewReader(a.streams.In)}
	}
	fmt.Fprint(a.streams.Err, prompt)
	line, err := a.lines.next(ctx)
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

// askLines is ask for a text of several lines, as they are pasted; an empty line ends it.
func (a *app) askLines(ctx context.Context, label string) (string, bool, error) {
	text, ok, err := a.ask(ctx, label+" (an empty line ends it)")
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
	in     *bufio.Reader
	coming chan typedLine // nil: nothing is read
}

type typedLine struct {
	text string
	err  error
}

// next returns the next line, or the context's error if that ends first.
func (t *typed) next(ctx context.Context) (string, error) {
	if t.coming == nil {
		coming := make(chan typedLine, 1)
		t.coming = coming
		go func() {
			text, err := t.in.ReadString('\n')
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
