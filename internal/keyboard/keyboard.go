// Package keyboard reads what a person types or pastes at a terminal. A terminal that hands out lines cuts those of more than 4,095
// bytes without a word (its canonical mode), and what a chat answers is often one long line: here lines have any length, and a
// paste stays together.
package keyboard

import (
	"bufio"
	"io"
	"os"
	"unicode/utf8"

	"brenner/internal/termtext"
)

// Keyboard is a terminal that is typed at. It is read by one goroutine at a time.
type Keyboard struct {
	file   *os.File
	in     *bufio.Reader
	screen io.Writer
	echo   *bufio.Writer // to the screen

	text    []byte // of the line that is being typed
	pasting bool
}

// New reads from a terminal. What is typed is shown on the screen.
func New(in *os.File, screen io.Writer) *Keyboard {
	return &Keyboard{file: in, in: bufio.NewReader(in), screen: screen, echo: bufio.NewWriter(screen)}
}

// The keys that mean something in a line.
const (
	endOfText  = 0x04 // Ctrl-D
	backspace  = 0x08
	deleteWord = 0x17 // Ctrl-W
	deleteLine = 0x15 // Ctrl-U
	escape     = 0x1b
	del        = 0x7f
)

// Read returns the next line with its end, or a whole paste that ends a line; what is pasted in front of other text belongs to its
// line. After Ctrl-D it returns what was typed since, and io.EOF if that is nothing.
func (k *Keyboard) Read() (string, error) {
	defer k.echo.Flush()
	for {
		if k.in.Buffered() == 0 {
			k.echo.Flush() // nothing can be done about a screen that is gone
		}
		b, err := k.in.ReadByte()
		if err != nil {
			return k.take(), err
		}
		switch {
		case b == escape:
			if k.sequence() {
				return k.take(), nil
			}
		case k.pasting:
			k.add(b)
		case b == '\n' || b == '\r':
			k.add('\n')
			return k.take(), nil
		case b == endOfText && len(k.text) == 0:
			return "", io.EOF
		case b == endOfText:
			return k.take(), nil
		default:
			k.edit(b)
		}
	}
}

func (k *Keyboard) take() string {
	text := string(k.text)
	k.text = k.text[:0]
	return text
}

// edit is a key in a line.
func (k *Keyboard) edit(b byte) {
	switch b {
	case backspace, del:
		k.erase()
	case deleteLine:
		k.eraseWhile(func(rune) bool { return true })
	case deleteWord:
		k.eraseWhile(func(r rune) bool { return r == ' ' })
		k.eraseWhile(func(r rune) bool { return r != ' ' })
	default:
		k.add(b)
	}
}

// add takes a byte into the line and shows it. The end of a line inside a paste comes as the Enter key does.
func (k *Keyboard) add(b byte) {
	if b == '\r' {
		b = '\n'
	}
	k.text = append(k.text, b)
	switch {
	case b == '\n' || b == '\t' || b >= ' ' && b != del:
		k.echo.WriteByte(b)
	default:
		k.echo.Write([]byte{'^', b ^ 0x40}) // as terminals show it; it drives none
	}
}

func (k *Keyboard) last() rune {
	r, _ := utf8.DecodeLastRune(k.text)
	return r
}

// erase takes the last character of the line back. False: there is none on this line of the screen.
func (k *Keyboard) erase() bool {
	r, size := utf8.DecodeLastRune(k.text)
	if size == 0 || r == '\n' {
		return false
	}
	k.text = k.text[:len(k.text)-size]
	for range max(1, termtext.Cells(string(r))) {
		k.echo.WriteString("\b \b")
	}
	return true
}

func (k *Keyboard) eraseWhile(of func(rune) bool) {
	for of(k.last()) {
		if !k.erase() {
			return
		}
	}
}

// The sequences with which a terminal brackets a paste.
const (
	pasteBegins = "[200~"
	pasteEnds   = "[201~"
)

// sequence reads what follows an escape. True: a paste has ended, and with it a line. Keys that send sequences, such as arrows, do
// nothing.
func (k *Keyboard) sequence() bool {
	next, err := k.in.Peek(1)
	if err != nil || next[0] != '[' {
		if k.pasting {
			k.add(escape)
		}
		return false
	}
	var seen []byte
	for len(seen) < 32 {
		b, err := k.in.ReadByte()
		if err != nil {
			return false
		}
		seen = append(seen, b)
		if len(seen) > 1 && b >= 0x40 && b <= 0x7e {
			break
		}
	}
	switch {
	case string(seen) == pasteBegins && !k.pasting:
		k.pasting = true
	case string(seen) == pasteEnds:
		k.pasting = false
		return len(k.text) > 0 && k.text[len(k.text)-1] == '\n'
	case k.pasting:
		k.add(escape)
		for _, b := range seen {
			k.add(b)
		}
	}
	return false
}
