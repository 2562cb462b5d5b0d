package strictjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// The functions of this file read texts that are as strict as RFC 7493 asks for. They only say whether a text
// is right: why it is not is a question for the library, which is asked in that case alone.

// text is what can be read.
type text interface{ ~string | ~[]byte }

// maxNesting is how many containers may be open at once, as in the library.
const maxNesting = 10_000

// space returns the place of what follows insignificant space.
func space[T text](s T, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\r' || s[at] == '\t') {
		at++
	}
	return at
}

// ordinary has the bytes that stand for themselves in a string, without those beyond ASCII.
var ordinary = func() (is [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		is[c] = c != '"' && c != '\\'
	}
	return is
}()

// stringEnd returns the place behind the string that begins at a place, -1 if it is not one, and whether it
// has escapes.
func stringEnd[T text](s T, at int) (end int, escaped bool) {
	for i := at + 1; i < len(s); {
		switch c := s[i]; {
		case ordinary[c]:
			i++
		case c == '"':
			return i + 1, escaped
		case c == '\\':
			_, size := escape(s, i)
			if size == 0 {
				return -1, false
			}
			escaped = true
			i += size
		case c >= utf8.RuneSelf:
			size := runeSize(s, i)
			if size == 0 {
				return -1, false
			}
			i += size
		default:
			return -1, false
		}
	}
	return -1, false
}

// runeSize is how many bytes the character at a place has, 0 if they are not UTF-8.
func runeSize[T text](s T, at int) int {
	var bytes [utf8.UTFMax]byte
	n := copy(bytes[:], s[at:])
	r, size := utf8.DecodeRune(bytes[:n])
	if r == utf8.RuneError && size <= 1 {
		return 0
	}
	return size
}

// escape reads the escape sequence at a place; the size is 0 if it is not one.
func escape[T text](s T, at int) (r rune, size int) {
	if at+1 >= len(s) {
		return 0, 0
	}
	if c := short[s[at+1]]; c != 0 {
		return rune(c), 2
	}
	return longEscape(s, at)
}

// short has what the escapes of two characters say, by the second.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func longEscape[T text](s T, at int) (r rune, size int) {
	r, ok := unit(s, at)
	switch {
	case !ok:
		return 0, 0
	case !utf16.IsSurrogate(r):
		return r, 6
	}
	low, _ := unit(s, at+6)
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, 0
	}
	return r, 12
}

// unit reads \uXXXX.
func unit[T text](s T, at int) (r rune, ok bool) {
	if at+6 > len(s) || s[at] != '\\' || s[at+1] != 'u' {
		return 0, false
	}
	for i := at + 2; i < at+6; i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// numberEnd returns the place behind the number that begins at a place, -1 if it is not one.
func numberEnd[T text](s T, at int) int {
	if at < len(s) && s[at] == '-' {
		at++
	}
	from := at
	if at = digits(s, at); at == from {
		return -1
	}
	if s[from] == '0' {
		at = from + 1 // another digit is no part of it
	}
	if at < len(s) && s[at] == '.' {
		from = at + 1
		if at = digits(s, from); at == from {
			return -1
		}
	}
	if at < len(s) && s[at]|0x20 == 'e' {
		if at++; at < len(s) && (s[at] == '+' || s[at] == '-') {
			at++
		}
		from = at
		if at = digits(s, from); at == from {
			return -1
		}
	}
	return at
}

func digits[T text](s T, at int) int {
	for at < len(s) && '0' <= s[at] && s[at] <= '9' {
		at++
	}
	return at
}

// literalEnd returns the place behind true, false or null at a place, -1 if there is none of them.
func literalEnd[T text](s T, at int) int {
	for _, word := range [...]string{"true", "false", "null"} {
		if end := at + len(word); end <= len(s) && string(s[at:end]) == word {
			return end
		}
	}
	return -1
}

// valueEnd returns the place behind the value that begins at a place, -1 if it is not one. Names may come
// twice; depth is how many containers are open.
func valueEnd[T text](s T, at, depth int) int {
	if at >= len(s) {
		return -1
	}
	switch s[at] {
	case '"':
		end, _ := stringEnd(s, at)
		return end
	case '{', '[':
		if depth >= maxNesting {
			return -1
		}
		return containerEnd(s, at, depth+1)
	case 't', 'f', 'n':
		return literalEnd(s, at)
	}
	return numberEnd(s, at)
}

func containerEnd[T text](s T, at, depth int) int {
	object, closing := s[at] == '{', s[at]+2 // in ASCII
	if at = space(s, at+1); at < len(s) && s[at] == closing {
		return at + 1
	}
	for {
		if object {
			if at = nameEnd(s, at); at < 0 {
				return -1
			}
		}
		if at = valueEnd(s, at, depth); at < 0 {
			return -1
		}
		at = space(s, at)
		switch {
		case at >= len(s):
			return -1
		case s[at] == closing:
			return at + 1
		case s[at] != ',':
			return -1
		}
		at = space(s, at+1)
	}
}

// nameEnd returns the place of the value that follows the name at a place, -1 if there is no name.
func nameEnd[T text](s T, at int) int {
	if at >= len(s) || s[at] != '"' {
		return -1
	}
	if at, _ = stringEnd(s, at); at < 0 {
		return -1
	}
	if at = space(s, at); at >= len(s) || s[at] != ':' {
		return -1
	}
	return space(s, at+1)
}
