package markdown

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// readMap reads `- key: text` bullets; on one line pairs are separated by semicolons.
func (p *parser) readMap(it *artifact.Item, pt part, field string) artifact.Value {
	points := p.readPoints(pt, pt.below)
	if line := trim(pt.beside); line != "" {
		var inline []point
		for pair := range strings.SplitSeq(line, ";") {
			if trim(pair) != "" {
				inline = append(inline, point{beside: trim(pair), at: pt.at})
			}
		}
		points = append(inline, points...)
	}
	seen := map[string]bool{}
	pairs := []artifact.Pair{}
	for _, pnt := range points {
		key, rest, ok := splitPair(pnt.beside)
		if !ok || seen[key] {
			p.report(p.finding(it, pnt.at, protocol.InvalidField, "This is not one outcome per key; write `- H1: text`. It is not kept.").
				In(field))
			continue
		}
		seen[key] = true
		p.markKey(it, field, key, pnt.at+1)
		pairs = append(pairs, artifact.Pair{Key: key, Text: p.readOutcome(key, rest, pnt.below)})
	}
	return artifact.NewMap(pairs...)
}

func (p *parser) readOutcome(key, rest string, below []string) string {
	if p.dead[key] && len(below) == 0 {
		text, _ := readOutcome(trim(rest))
		return text
	}
	return readText(rest, below)
}

// uniteRow adds predictions below the table to those of its row.
func (p *parser) uniteRow(it *artifact.Item, pt part, row, more artifact.Map) artifact.Map {
	pairs := slices.Clone(row)
	for _, pair := range more {
		if _, ok := row.Get(pair.Key); ok {
			p.invalid(it, pt, artifact.Predictions+"."+pair.Key, "The table gives %s for %s already; this one is not kept.", pair.Key,
				name(it))
			continue
		}
		pairs = append(pairs, pair)
	}
	return artifact.NewMap(pairs...)
}

// readScore reads the parts of a score beside the label or as bullets.
func (p *parser) readScore(it *artifact.Item, pt part) artifact.Value {
	texts := []string{trim(pt.beside)}
	for _, pnt := range p.readPoints(pt, pt.below) {
		texts = append(texts, pnt.beside)
	}
	line := strings.Join(texts, ", ")
	if line == "" {
		return artifact.Score{}
	}
	score, ok := readScoreLine(line)
	if !ok {
		if strings.Trim(line, "-–—/12 ") != "" {
			p.invalid(it, pt, artifact.ScoreField, "The parts of the score cannot be read.")
		}
		return nil
	}
	for _, part := range score {
		p.checkPart(it, pt, part)
	}
	return score
}

// checkPart reports a part outside 0–3; it is kept as written (PROTOCOL 5, scores).
func (p *parser) checkPart(it *artifact.Item, pt part, part artifact.Part) {
	if !slices.Contains(artifact.ScoreParts, part.Name) {
		return
	}
	one := artifact.NewScore(part)
	if total, _ := one.Total(); strings.HasPrefix(part.Number, "-") || total >= 3 && part.Number != "3" {
		p.report(p.finding(it, pt.at, protocol.ScoreOutOfRange, "%s is %s; a part counts from 0 to 3.", part.Name, part.Number).
			In(artifact.ScoreField))
	}
}

// readLinks reads references; misshapen ones are noted for the linter and left out.
func (p *parser) readLinks(it *artifact.Item, pt part) artifact.Value {
	refs := artifact.References{}
	entries, isList := p.linkTexts(pt)
	if !isList {
		p.links = append(p.links, linkMark{it, ReferenceMark{Fault: NotAList, Text: trim(pt.beside), Line: pt.at + 1}})
		return refs
	}
	for _, e := range entries {
		ref, faults := readLink(e.beside)
		for _, fault := range faults {
			p.links = append(p.links, linkMark{it, ReferenceMark{Fault: fault, Text: e.beside, Line: e.at + 1}})
		}
		if len(faults) == 0 {
			refs = append(refs, ref)
		}
	}
	return refs
}

// linkTexts returns the references of a list in any of the forms in which one is written:
// bullets, a line with commas, JSON.
func (p *parser) linkTexts(pt part) ([]point, bool) {
	text := pt.json()
	switch first := trim(text); {
	case strings.HasPrefix(first, "["):
		elements, err := readArray(text)
		points := make([]point, len(elements))
		for i, e := range elements {
			points[i] = point{beside: codeJSON(e), at: pt.at}
		}
		return points, err == nil
	case strings.HasPrefix(first, "{"), strings.HasPrefix(first, `"`):
		return nil, false
	}
	var points []point
	for _, entry := range splitList(pt.beside) {
		if trim(entry) != "" {
			points = append(points, point{beside: trim(entry), at: pt.at})
		}
	}
	return append(points, p.readPoints(pt, pt.below)...), true
}
