package protocol

import (
	"fmt"
	"strings"
)

// ParseRoster reads a Roster object or its bare list of entries. Wrong types are findings
// with path, line and column; what could be read comes back beside them. A mode that is not
// given stays empty, so that another source may set it; the rules are Check's.
func ParseRoster(data []byte) (Roster, []Finding) {
	p := newRosterParser(data)
	return p.roster, p.findings
}

// CheckRosterText reads a roster and judges it by all rules, defaults filled in, every
// finding with its place in the text: what `validate roster` shows.
func CheckRosterText(data []byte, recipients []string) (Roster, []Finding) {
	p := newRosterParser(data)
	if p.broken {
		return p.roster.WithDefaults(), p.findings
	}
	for _, f := range p.roster.Check(recipients) {
		if parent, _, _ := strings.Cut(f.Path, "."); p.wrong[f.Path] || p.wrong[parent] {
			continue // a wrong type says more than the value it left empty
		}
		if offset, ok := p.offsets[f.Path]; ok {
			f = f.At(p.places.position(offset))
		}
		p.findings = append(p.findings, f)
	}
	return p.roster.WithDefaults(), p.findings
}

// The bounds of a roster, which is read whole with all that is wrong in it.
const (
	maxRoster  = 1 << 20
	maxEntries = 1000
)

type rosterParser struct {
	roster   Roster
	findings []Finding
	offsets  map[string]int  // of what is at a path
	wrong    map[string]bool // paths with a wrong type
	broken   bool            // not even the list of entries could be found
	places   *places
}

func newRosterParser(data []byte) *rosterParser {
	p := &rosterParser{offsets: map[string]int{}, wrong: map[string]bool{}, places: newPlaces(data)}
	if len(data) > maxRoster {
		p.broken = true
		p.report(0, "", "The roster has more than %d bytes.", maxRoster)
		return p
	}
	root, offset, err := readTree(data)
	switch {
	case err != nil:
		p.broken = true
		p.report(offset, "", "The roster is not valid JSON: %v.", err)
	case root.isList():
		p.readEntries(root)
	case root.isObject():
		p.readRoster(root)
	default:
		p.broken = true
		p.report(root.offset, "", "The roster is %s, not an object or a list of entries.", root.kind())
	}
	return p
}

func (p *rosterParser) report(offset int, path, format string, args ...any) {
	p.wrong[path] = true
	p.findings = append(p.findings, NewFinding(InvalidRoster, format, args...).In(path).At(p.places.position(offset)))
}

func (p *rosterParser) readRoster(root *jsonNode) {
	p.offsets["entries"] = root.offset
	p.readObject(root, "", func(name, path string, node *jsonNode) bool {
		switch name {
		case "entries":
			p.readEntries(node)
		case "mode":
			p.roster.Mode = RosterMode(p.text(node, path))
		case "name":
			p.roster.Name = p.text(node, path)
		case "createdAt":
			p.offsets[path] = node.offset
			p.roster.CreatedAt = p.text(node, path)
		default:
			return false
		}
		return true
	})
}

func (p *rosterParser) readEntries(list *jsonNode) {
	p.offsets["entries"] = list.offset
	if !list.isList() {
		p.broken = true
		p.report(list.offset, "entries", "entries is %s, not a list.", list.kind())
		return
	}
	if len(list.elements) > maxEntries {
		p.broken = true
		p.report(list.offset, "entries", "The roster has %d entries; it may have %d.", len(list.elements), maxEntries)
		return
	}
	for i, node := range list.elements {
		path := fmt.Sprintf("entries[%d]", i)
		if !node.isObject() {
			p.report(node.offset, path, "Entry %d is %s, not an object.", i+1, node.kind())
		}
		p.roster.Entries = append(p.roster.Entries, p.readEntry(node, path))
	}
}

// readEntry keeps an entry of a wrong type as an empty one: paths count all of them.
func (p *rosterParser) readEntry(node *jsonNode, path string) (e RosterEntry) {
	p.offsets[path+".agentName"], p.offsets[path+".role"] = node.offset, node.offset
	p.readObject(node, path, func(name, path string, node *jsonNode) bool {
		switch name {
		case "agentName":
			e.AgentName = p.text(node, path)
		case "role":
			e.Role = Role(p.text(node, path))
		case "program":
			e.Program = p.text(node, path)
		case "model":
			e.Model = p.text(node, path)
		case "notes":
			e.Notes = p.text(node, path)
		default:
			return false
		}
		return true
	})
	return e
}

// readObject hands each member to set, which says whether it knows the name.
func (p *rosterParser) readObject(object *jsonNode, prefix string, set func(name, path string, node *jsonNode) bool) {
	seen := make(map[string]bool, len(object.members))
	for _, m := range object.members {
		path := m.name
		if prefix != "" {
			path = prefix + "." + m.name
		}
		if seen[m.name] {
			p.report(m.offset, path, "%s stands twice in one object.", m.name)
			continue
		}
		seen[m.name] = true
		p.offsets[path] = m.node.offset
		if !set(m.name, path, m.node) {
			p.findings = append(p.findings, NewFinding(UnknownRosterKey, "Nothing reads %q.", shorten(m.name)).
				In(path).At(p.places.position(m.offset)))
		}
	}
}

// text returns a string; null counts as absent.
func (p *rosterParser) text(node *jsonNode, path string) string {
	switch v := node.value.(type) {
	case string:
		return v
	case nil:
		return ""
	}
	p.report(node.offset, path, "%s is %s, not a string.", path, node.kind())
	return ""
}
