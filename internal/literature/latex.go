package literature

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// latex reads the text of a LaTeX value: accents, symbols and dashes become characters, braces and commands go.
func latex(text string) string {
	if !strings.ContainsAny(text, "\\{}$~-`'") {
		return clean(text)
	}
	w := latexWriter{text: text}
	for w.at < len(text) {
		w.step()
	}
	return clean(w.out.String())
}

// latexWriter turns LaTeX into text, in one pass.
type latexWriter struct {
	text   string
	at     int
	out    strings.Builder
	accent rune // combining mark that waits for its letter; 0: none
	math   bool
	raised []script // of each open brace
	next   script   // of what comes next
}

// script says whether letters stand above or below the line.
type script uint8

const (
	level script = iota
	above
	below
)

func (w *latexWriter) step() {
	c := w.text[w.at]
	switch {
	case c == '\\':
		w.command()
	case c == '{':
		w.raised = append(w.raised, max(w.next, w.script()))
		w.next = level
		w.at++
	case c == '}':
		w.raised = w.raised[:max(len(w.raised)-1, 0)]
		w.accent = 0
		w.at++
	case c == '$':
		w.math = !w.math
		w.at++
	case w.math && (c == '^' || c == '_'):
		w.next = map[byte]script{'^': above, '_': below}[c]
		w.at++
	case c == '~':
		w.at++
		w.put(" ")
	default:
		w.plain()
	}
}

func (w *latexWriter) script() script {
	if n := len(w.raised); n > 0 {
		return w.raised[n-1]
	}
	return level
}

var ligatures = []struct{ from, to string }{{"---", "—"}, {"--", "–"}, {"``", "“"}, {"''", "”"}}

func (w *latexWriter) plain() {
	if !w.math {
		for _, l := range ligatures {
			if strings.HasPrefix(w.text[w.at:], l.from) {
				w.at += len(l.from)
				w.put(l.to)
				return
			}
		}
	}
	_, size := utf8.DecodeRuneInString(w.text[w.at:])
	w.at += size
	w.put(w.text[w.at-size : w.at])
}

// put writes a character, with the accent that waits for it.
func (w *latexWriter) put(text string) {
	s := max(w.next, w.script())
	w.next = level
	for _, r := range text {
		if w.accent != 0 && unicode.IsSpace(r) {
			continue
		}
		if w.accent != 0 {
			switch r {
			case 'ı':
				r = 'i'
			case 'ȷ':
				r = 'j'
			}
		}
		w.out.WriteRune(scripted(r, s))
		if w.accent != 0 {
			w.out.WriteRune(w.accent)
			w.accent = 0
		}
	}
}

var (
	above10 = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	below10 = []rune("₀₁₂₃₄₅₆₇₈₉")
)

// scripted raises or lowers digits and signs; other letters stay as they are.
func scripted(r rune, s script) rune {
	digit := r >= '0' && r <= '9'
	switch {
	case s == above && digit:
		return above10[r-'0']
	case s == below && digit:
		return below10[r-'0']
	case s == above && r == '+':
		return '⁺'
	case s == above && (r == '-' || r == '−'):
		return '⁻'
	case s == below && r == '+':
		return '₊'
	case s == below && (r == '-' || r == '−'):
		return '₋'
	}
	return r
}

// command reads what begins with a backslash.
func (w *latexWriter) command() {
	w.at++
	if w.at >= len(w.text) {
		return
	}
	start := w.at
	for w.at < len(w.text) && asciiLetter(w.text[w.at]) {
		w.at++
	}
	if w.at == start {
		w.sign()
		return
	}
	name := w.text[start:w.at]
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 { // belongs to the command
		w.at++
	}
	if mark, ok := wordAccents[name]; ok {
		w.accent = mark
	} else if symbol, ok := symbols[name]; ok {
		w.put(symbol)
	}
}

// sign reads a command that is one character.
func (w *latexWriter) sign() {
	r, size := utf8.DecodeRuneInString(w.text[w.at:])
	w.at += size
	switch mark, ok := signAccents[r]; {
	case ok:
		w.accent = mark
	case strings.ContainsRune("/-@", r): // places where a word may break, and the like
	case strings.ContainsRune(" ,;:!\\\n\t", r):
		w.put(" ")
	default:
		w.put(string(r))
	}
}

func asciiLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// verbatim reads a value that is no prose, such as an address: only escapes and braces go.
func verbatim(text string) string {
	if !strings.ContainsAny(text, `\{}$`) {
		return clean(text)
	}
	for name, char := range map[string]string{`{\$}\sim{\$}`: "~", `$\sim$`: "~"} {
		text = strings.ReplaceAll(text, name, char)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) || !asciiLetter(text[i+1]) {
			b.WriteByte(text[i])
			if text[i] == '\\' && i+1 < len(text) {
				i++
				b.WriteByte(text[i])
			}
			i++
			continue
		}
		end := i + 1
		for end < len(text) && asciiLetter(text[end]) {
			end++
		}
		if symbol, ok := symbols[text[i+1:end]]; ok {
			b.WriteString(escapeBraces(symbol))
		} else {
			b.WriteString(text[i:end])
		}
		i = end
	}
	return clean(unescape(b.String()))
}

// escapeBraces keeps braces and backslashes that stand for themselves.
func escapeBraces(text string) string {
	return strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`).Replace(text)
}
