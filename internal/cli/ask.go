package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ask puts a question to a person at a terminal. The second result is false where nobody can
// answer: prompts are for terminals only, never for scripts.
func (a *app) ask(ctx context.Context, label string) (string, bool, error) {
	if !a.streams.InIsTerminal || !a.streams.ErrIsTerminal || a.flags.json {
		return "", false, nil
	}
	if a.lines == nil {
		a.lines = bufio.NewReader(interruptible(ctx, a.streams.In))
	}
	for {
		fmt.Fprintf(a.streams.Err, "%s: ", label)
		line, err := a.lines.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			return line, true, nil
		}
		switch {
		case errors.Is(err, io.EOF):
			fmt.Fprintln(a.streams.Err)
			return "", false, nil
		case err != nil:
			return "", false, err
		}
	}
}
