package markdown

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// readExtra reads the fields that no table names.
func (p *parser) readExtra(it *artifact.Item, pt part) {
	members, err := readObject(pt.json())
	if err != nil {
		p.invalid(it, pt, "extra", "%s is not a JSON object: %v.", pt.label, err)
		return
	}
	for _, m := range members {
		p.addExtra(it, pt, m.name, artifact.JSON(m.value))
	}
}

// readUnknown keeps what is under a label that no table names, as a delta would
// (PROTOCOL 5).
func (p *parser) readUnknown(it *artifact.Item, pt part) {
	name := strings.ReplaceAll(labelKey(pt.label), " ", "_")
	value, err := json.Marshal(readText(pt.beside, pt.below))
	if err != nil {
		panic(err) // strings always encode
	}
	if p.addExtra(it, pt, name, artifact.JSON(value)) {
		p.mark(it, name, pt.at+1)
		p.report(p.finding(it, pt.at, protocol.UnknownField, "%q is no field of %s; it is kept as %s.", pt.label, it.Section, name).
			In(name))
	}
}

// addExtra notes a field that no table names; it is false if there is no room for it.
func (p *parser) addExtra(it *artifact.Item, pt part, name string, v artifact.JSON) bool {
	if _, taken := p.extra[name]; taken || artifact.Reserved(name) || it.Section.Field(name) >= 0 {
		p.invalid(it, pt, name, "%q cannot be a further field of %s; it is not kept.", name, it.Section)
		return false
	}
	if p.extra == nil {
		p.extra = map[string]artifact.JSON{}
	}
	p.extra[name] = v
	return true
}

// setExtra gives an item its further fields, in order, so that each goes to the end.
func (p *parser) setExtra(it *artifact.Item) {
	for _, name := range slices.Sorted(maps.Keys(p.extra)) {
		it.SetExtra(name, p.extra[name])
	}
	p.extra = nil
}
