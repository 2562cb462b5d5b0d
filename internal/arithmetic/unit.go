package arithmetic

import (
	"strings"
	"unicode"
)

// units reads the unit behind a number: 5 %, 3 µm, 4 mol/s, 2 cells per embryo. False if what stands there is a variable.
func (p *parser) units() bool {
	at := p.at
	p.space()
	name := p.name()
	if name == "" {
		p.at = at
		return true
	}
	if variable(name) {
		return false
	}
	p.unit(name)
	for {
		at = p.at
		p.raised()
		if p.sign("^") != 0 {
			p.sign("-−")
			for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
				p.at++
			}
			continue
		}
		joined := p.sign("/·⋅*") != 0
		if !joined {
			p.space()
			if rest, ok := strings.CutPrefix(p.text[p.at:], "per "); ok {
				p.at = len(p.text) - len(rest)
				joined = true
			}
		}
		if !joined {
			return true
		}
		p.space()
		if name = p.name(); name == "" { // an operation with a number follows
			p.at = at
			p.raised()
			return true
		}
		p.unit(name)
	}
}

// name reads a word that may be a unit.
func (p *parser) name() string {
	start := p.at
	for {
		r, size := p.peek()
		if size == 0 || !unicode.IsLetter(r) && !strings.ContainsRune("%‰°µμΩ$€", r) {
			return p.text[start:p.at]
		}
		p.at += size
	}
}

func (p *parser) unit(name string) {
	p.sum.unit = true
	p.sum.units += name + " "
	p.sum.clock = p.sum.clock || clocks[name]
	p.sum.odd = p.sum.odd || oddities[name]
}

// variable tells whether a word is the name of a value rather than a unit.
func variable(name string) bool {
	return name == "pi" || name == "π" || name == "Pi" || len(name) == 1 && strings.IndexByte("abcefijknopqrtuvwxyz", name[0]) >= 0
}

// clocks are units of time that no power of ten converts.
var clocks = set("min mins minute minutes h hr hrs hour hours d day days wk wks week weeks month months y yr yrs year years a")

// oddities are other units that no power of ten converts: between two of them an equation converts, and adds up nothing.
var oddities = set("in inch inches ft foot feet yd mi mile miles lb lbs oz cal kcal Cal eV keV MeV mol molecules atoms atm bar psi Torr " +
	"mmHg deg rad ° °C °F K Da kDa pc Mpc AU ly")

func set(names string) map[string]bool {
	found := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		found[name] = true
	}
	return found
}

// foreign tells whether two sides have units that only a table converts.
func foreign(a, b *expression) bool { return (a.odd || b.odd) && a.units != b.units }
