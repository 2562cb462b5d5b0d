package cli

import (
	"fmt"
	"os"

	"golang.org/x/term"
)

// passphrase returns a function that asks a person at a terminal for the passphrase of a key, without showing it; nil
// where no person can answer.
func (a *app) passphrase(path string) func() ([]byte, error) {
	if !a.streams.InIsTerminal || !a.streams.ErrIsTerminal || a.flags.json || a.streams.In != os.Stdin {
		return nil
	}
	return func() ([]byte, error) {
		fmt.Fprintf(a.streams.Err, "Passphrase of %s: ", visible(path))
		defer fmt.Fprintln(a.streams.Err)
		return term.ReadPassword(int(os.Stdin.Fd()))
	}
}
