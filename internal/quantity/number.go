package quantity

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// number reads a number at the beginning of a text, and returns what follows it: 1.5, −2e-6, 1.5×10^-6, 10⁻⁶.
func number(text string) (x float64, rest string, ok bool) {
	digits, rest := mantissa(text)
	if digits == "" {
		return 0, text, false
	}
	exponent, after := raised(rest)
	if exponent != "" && strings.TrimPrefix(digits, "-") == "10" {
		digits, rest = strings.TrimSuffix(digits, "0"), after // a power of ten without a factor
	} else {
		exponent, rest = powerOfTen(rest)
	}
	if exponent != "" {
		digits += "e" + exponent
	}
	x, err := strconv.ParseFloat(digits, 64)
	return x, rest, err == nil && !math.IsInf(x, 0)
}

// mantissa reads an optional sign, digits and an optional fraction.
func mantissa(text string) (digits, rest string) {
	sign, rest := minus(text)
	n := 0
	for n < len(rest) && digit(rest[n]) {
		n++
	}
	if n+1 < len(rest) && rest[n] == '.' && digit(rest[n+1]) {
		n++
		for n < len(rest) && digit(rest[n]) {
			n++
		}
	}
	if n == 0 {
		return "", text
	}
	return sign + rest[:n], rest[n:]
}

// minus reads a sign, which may be a hyphen or a minus.
func minus(text string) (sign, rest string) {
	for _, mark := range []string{"-", "−"} {
		if after, ok := strings.CutPrefix(text, mark); ok {
			return "-", after
		}
	}
	return "", text
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// powerOfTen reads e-6, ×10^-6 or ×10⁻⁶ behind a number.
func powerOfTen(text string) (exponent, rest string) {
	if after, ok := cutAny(text, "e", "E"); ok {
		if e, rest := integer(after); e != "" {
			return e, rest
		}
	}
	times, ok := cutAny(strings.TrimLeft(text, " "), "×", "·", "*", "x")
	if !ok {
		return "", text
	}
	ten, ok := strings.CutPrefix(strings.TrimLeft(times, " "), "10")
	if !ok {
		return "", text
	}
	if e, rest := raised(ten); e != "" {
		return e, rest
	}
	return "", text
}

// raised reads an exponent behind a ten: ^-6, ^(-6) is none, ⁻⁶.
func raised(text string) (exponent, rest string) {
	if after, ok := strings.CutPrefix(text, "^"); ok {
		return integer(after)
	}
	var b strings.Builder
	for rest = text; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		c, ok := superscripts[r]
		if !ok || c == '-' && b.Len() > 0 {
			break
		}
		b.WriteByte(c)
		rest = rest[size:]
	}
	if e := b.String(); e != "" && e != "-" {
		return e, rest
	}
	return "", text
}

var superscripts = map[rune]byte{
	'⁻': '-', '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9',
}

// integer reads an optional sign and digits.
func integer(text string) (digits, rest string) {
	sign, rest := minus(text)
	if sign == "" {
		rest = strings.TrimPrefix(rest, "+")
	}
	n := 0
	for n < len(rest) && digit(rest[n]) {
		n++
	}
	if n == 0 {
		return "", text
	}
	return sign + rest[:n], rest[n:]
}

func cutAny(text string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(text, p); ok {
			return rest, true
		}
	}
	return text, false
}
