package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"brenner/internal/keyboard"
)

// Streams is everything a command line touches outside of its arguments. Tests put buffers
// in its place.
type Streams struct {
	In  io.Reader
	Out io.Writer // data
	Err io.Writer // everything else

	Keyboard *keyboard.Keyboard // the terminal that In is; nil: it is none

	InIsTerminal  bool // a person can be asked
	OutIsTerminal bool
	ErrIsTerminal bool
	Width         int // columns of the terminal; 0 if unknown
	Height        int // its lines

	Getenv  func(string) string
	Environ func() []string // all of it, NAME=value; nil: nothing
}

// System returns the streams of the process.
func System() Streams {
	s := Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InIsTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		OutIsTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		ErrIsTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Getenv:        os.Getenv,
		Environ:       os.Environ,
	}
	if width, height, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		s.Width, s.Height = width, height
	}
	switch {
	case s.InIsTerminal && s.ErrIsTerminal:
		s.Keyboard = keyboard.New(os.Stdin, os.Stderr)
	case s.InIsTerminal && s.OutIsTerminal:
		s.Keyboard = keyboard.New(os.Stdin, os.Stdout)
	case s.InIsTerminal:
		s.Keyboard = keyboard.New(os.Stdin, io.Discard)
	}
	return s
}

// plain tells whether the environment asks for text without colours (no-color.org, and
// terminals that have none).
func (s Streams) plain() bool {
	return s.Getenv("NO_COLOR") != "" || s.Getenv("TERM") == "dumb"
}
