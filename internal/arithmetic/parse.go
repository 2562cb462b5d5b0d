package arithmetic

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// expression is what one side of an equation comes to.
type expression struct {
	value float64
	digit float64 // a unit of the last digit, if the side is one number
	unit  bool    // a number has a unit or %
	clock bool    // a unit counts time in other steps than ten
	odd   bool    // a unit is converted by other steps than ten
	units string
}

// parser reads one side.
type parser struct {
	text    string
	at      int
	numbers int
	depth   int
	sum     expression
}

// maxDepth bounds brackets in brackets.
const maxDepth = 64

// parse reads a side; false if it is not only numbers and operations on them.
func parse(text string) (expression, bool) {
	p := &parser{text: text}
	v, ok := p.terms()
	p.space()
	if !ok || p.at < len(p.text) {
		return expression{}, false
	}
	p.sum.value = v
	if p.numbers != 1 {
		p.sum.digit = 0
	}
	return p.sum, true
}

// peek returns the next character, 0 at the end.
func (p *parser) peek() (rune, int) {
	if p.at >= len(p.text) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(p.text[p.at:])
}

func (p *parser) space() {
	for {
		r, size := p.peek()
		if size == 0 || !unicode.IsSpace(r) {
			return
		}
		p.at += size
	}
}

// sign takes the next character if it is one of some.
func (p *parser) sign(of string) rune {
	p.space()
	r, size := p.peek()
	if size == 0 || !strings.ContainsRune(of, r) {
		return 0
	}
	p.at += size
	return r
}

// terms reads a sum.
func (p *parser) terms() (float64, bool) {
	v, ok := p.factors()
	for ok {
		switch p.sign("+-−–") {
		case 0:
			return v, true
		case '+':
			var w float64
			w, ok = p.factors()
			v += w
		default:
			var w float64
			w, ok = p.factors()
			v -= w
		}
	}
	return v, ok
}

// factors reads a product.
func (p *parser) factors() (float64, bool) {
	v, ok := p.power()
	for ok {
		var w float64
		switch p.sign("×*·⋅∙/÷") {
		case 0:
			return v, true
		case '/', '÷':
			w, ok = p.power()
			v /= w
		default:
			w, ok = p.power()
			v *= w
		}
	}
	return v, ok
}

// power reads a number or brackets, with what it is raised to.
func (p *parser) power() (float64, bool) {
	if p.depth++; p.depth > maxDepth {
		return 0, false
	}
	defer func() { p.depth-- }()
	switch p.sign("-−–+√") {
	case '-', '−', '–':
		v, ok := p.power()
		return -v, ok
	case '+':
		return p.power()
	case '√':
		p.numbers++ // what is worked out is not written
		v, ok := p.power()
		return math.Sqrt(v), ok
	}
	v, ok := p.operand()
	if !ok {
		return 0, false
	}
	if raised, found := p.raised(); found {
		p.numbers++
		v = math.Pow(v, raised)
	} else if p.sign("^") != 0 {
		p.numbers++
		exponent, ok := p.power()
		if !ok {
			return 0, false
		}
		v = math.Pow(v, exponent)
	}
	return v, p.units()
}

// operand reads a number or brackets.
func (p *parser) operand() (float64, bool) {
	if p.sign("(") != 0 {
		v, ok := p.terms()
		return v, ok && p.sign(")") != 0
	}
	return p.number()
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"

// raised reads an exponent in superscript.
func (p *parser) raised() (float64, bool) {
	digits, negative := "", false
	for {
		r, size := p.peek()
		i := strings.IndexRune(superscripts, r)
		switch {
		case size > 0 && r == '⁻' && digits == "":
			negative = true
		case size > 0 && i >= 0:
			digits += string(rune('0' + utf8.RuneCountInString(superscripts[:i])))
		default:
			v, err := strconv.ParseFloat(digits, 64)
			if negative {
				v = -v
			}
			return v, err == nil
		}
		p.at += size
	}
}

// number reads digits with thousands marks, a decimal point and an exponent: 1,000.5e3.
func (p *parser) number() (float64, bool) {
	p.space()
	start := p.at
	for p.at < len(p.text) && strings.IndexByte("0123456789.,", p.text[p.at]) >= 0 {
		p.at++
	}
	digits, ok := plain(p.text[start:p.at])
	if !ok {
		return 0, false
	}
	exponent := ""
	if rest := p.text[p.at:]; len(rest) > 1 && rest[0]|0x20 == 'e' {
		n := 1
		if rest[n] == '-' || rest[n] == '+' {
			n++
		}
		from := n
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n > from {
			exponent = rest[:n]
			p.at += n
		}
	}
	v, err := strconv.ParseFloat(digits+exponent, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	p.numbers++
	_, decimals, _ := strings.Cut(digits, ".")
	digit, _ := strconv.ParseFloat("1"+exponent, 64)
	p.sum.digit = digit * math.Pow(10, -float64(len(decimals)))
	return v, true
}

// plain takes the thousands marks out of a number. A comma that parts no thousands is a decimal one.
func plain(digits string) (string, bool) {
	digits = strings.TrimRight(digits, ",.")
	if digits == "" || digits[0] == ',' || strings.Count(digits, ".") > 1 {
		return "", false
	}
	groups := strings.Split(digits, ",")
	for i, g := range groups[1:] {
		whole := g
		if i == len(groups)-2 {
			whole, _, _ = strings.Cut(g, ".")
		}
		if len(whole) != 3 {
			return strings.Replace(digits, ",", ".", 1), len(groups) == 2 && !strings.Contains(digits, ".")
		}
	}
	return strings.ReplaceAll(digits, ",", ""), true
}
