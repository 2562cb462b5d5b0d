package markdown

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// readPart sets the field of an item that a label stands for.
func (p *parser) readPart(it *artifact.Item, pt part) {
	name, known := fieldOf(it.Section, pt.label)
	if !known {
		p.readUnknown(it, pt)
		return
	}
	p.mark(it, strings.TrimPrefix(name, "."), pt.at+1)
	switch name {
	case killed, killedBy, killedAt, killReason:
		p.readKill(it, pt, name)
	case conflictsField:
		it.Conflicts = p.readList(pt)
		slices.Sort(it.Conflicts)
	case extraField:
		p.readExtra(it, pt)
	default:
		p.readField(it, pt, name)
	}
}

func (p *parser) readField(it *artifact.Item, pt part, name string) {
	spec := it.Section.Fields()[it.Section.Field(name)]
	v := p.readValue(it, pt, spec)
	if v == nil {
		return
	}
	old := it.Get(name)
	if more, ok := v.(artifact.Map); ok && old != nil && name == artifact.Predictions {
		v = p.uniteRow(it, pt, old.(artifact.Map), more)
	} else if old != nil && !artifact.Equal(old, v) {
		p.report(p.finding(it, pt.at, protocol.InvalidField, "%s stands twice; this one is not kept.", pt.label).
			As(protocol.SeverityWarning).In(name))
		return
	}
	it.Set(name, v)
}

// readValue reads a value of the field's kind, nil if it cannot be read.
func (p *parser) readValue(it *artifact.Item, pt part, spec artifact.FieldSpec) artifact.Value {
	switch spec.Kind {
	case artifact.KindText:
		return p.readWord(it, pt, spec)
	case artifact.KindFlag:
		return p.readFlag(it, pt, spec)
	case artifact.KindList:
		return artifact.List(p.readList(pt))
	case artifact.KindMap:
		return p.readMap(it, pt, spec.Name)
	case artifact.KindScore:
		return p.readScore(it, pt)
	case artifact.KindReferences:
		return p.readLinks(it, pt)
	default:
		return p.readJSON(it, pt, spec.Name)
	}
}

// invalid reports a value that cannot be read.
func (p *parser) invalid(it *artifact.Item, pt part, field, format string, args ...any) {
	p.report(protocol.NewFinding(protocol.InvalidField, format, args...).
		On(string(it.ID)).In(field).At(pt.at+1, p.besideColumn(pt)))
}

func (p *parser) readWord(it *artifact.Item, pt part, spec artifact.FieldSpec) artifact.Value {
	if len(spec.Values) == 0 {
		return artifact.Text(readText(pt.beside, pt.below))
	}
	if word, ok := closedWord(spec, trim(pt.beside)); ok && len(trimEnd(pt.below)) == 0 {
		return artifact.Text(word)
	}
	text := readText(pt.beside, pt.below)
	p.invalid(it, pt, spec.Name, "%s is none of %s.", pt.label, strings.Join(spec.Values, ", "))
	return artifact.Text(text)
}

func (p *parser) readFlag(it *artifact.Item, pt part, spec artifact.FieldSpec) artifact.Value {
	switch strings.ToLower(strings.TrimRight(trim(pt.beside), ".!")) {
	case "yes", "true", "y", "x", "✓", "✔":
		return artifact.Flag(true)
	case "no", "false", "n":
		return artifact.Flag(false)
	}
	p.invalid(it, pt, spec.Name, "%s is neither yes nor no.", pt.label)
	return nil
}

// readList reads a list beside the label, or as bullets below it.
func (p *parser) readList(pt part) []string {
	beside, below := pt.beside, pt.below
	for len(below) > 0 && trim(beside) != "" && !blankLine(below[0]) && bullet(trim(below[0])) == 0 {
		beside, below = beside+" "+trim(below[0]), below[1:] // a list that runs on
	}
	list := []string{}
	if trim(beside) != "" {
		list = readInlineList(beside)
	}
	for _, pnt := range p.readPoints(pt, below) {
		if len(pnt.below) == 0 {
			list = append(list, readEmpty(pnt.beside))
		} else {
			list = append(list, readText(pnt.beside, pnt.below))
		}
	}
	return list
}

// readPoints reads the bullets below a label and reports what is none.
func (p *parser) readPoints(pt part, below []string) []point {
	first := pt.at + 1 + len(pt.below) - len(below)
	points, stray := readPoints(below)
	for i := range points {
		points[i].at += first
		points[i].below = trimEnd(points[i].below)
	}
	for i := range stray {
		stray[i] += first
	}
	p.strays(stray, "This text belongs to no bullet and is not kept.")
	return points
}

// readJSON reads JSON in a fence below the label, or beside it.
func (p *parser) readJSON(it *artifact.Item, pt part, field string) artifact.Value {
	value, err := compact(pt.json())
	if err != nil {
		p.invalid(it, pt, field, "%s is not JSON: %v.", pt.label, err)
		return nil
	}
	return artifact.JSON(value)
}

// json returns the text that should be JSON.
func (pt part) json() string {
	below := dedent(trimEnd(trimStart(pt.below)))
	if trim(pt.beside) != "" {
		return uncode(pt.beside + "\n" + strings.Join(below, "\n"))
	}
	if fences := findFences(below); len(fences) == 1 && fences[0] == (fence{0, len(below) - 1}) {
		below = below[1 : len(below)-1]
	}
	return strings.Join(below, "\n")
}
