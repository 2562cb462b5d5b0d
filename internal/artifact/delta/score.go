package delta

import (
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// scoreValue reads a test's score: numbers, kept as they were written (PROTOCOL 5, scores).
func (b *block) scoreValue(v value, f *Field) bool {
	if v.kind() != strictjson.Object {
		b.report(wrongType(f.Name, "an object of numbers", v).
			WithFix(`Write {"likelihood_ratio": 2, "cost": 2, "speed": 1, "ambiguity": 2}.`), v, f.Path)
		return false
	}
	parts, valid := make([]artifact.Part, 0, countElements(v)/2), true
	for w := v.children(); w.ok(); w = w.nextMember() {
		name, number := w.element().text(), w.member()
		path := f.Path + "." + name
		if number.kind() != strictjson.Number {
			b.report(wrongType(f.Name+"."+protocol.Brief(name), "a number", number), number, path)
			valid = false
			continue
		}
		parts = append(parts, artifact.Part{Name: b.own(w.element()), Number: strings.Clone(number.raw())})
		b.checkPart(name, w, path)
	}
	f.Value = artifact.NewScore(parts...)
	return valid
}

func (b *block) checkPart(name string, w walk, path string) {
	if !slices.Contains(artifact.ScoreParts, name) {
		b.report(protocol.NewFinding(protocol.UnknownField, "A score has no part %s; it is kept but does not count.",
			protocol.Brief(name)), w.element(), path)
		return
	}
	number := w.member()
	if n, _ := strconv.ParseFloat(number.raw(), 64); n < 0 || n > 3 {
		b.report(protocol.NewFinding(protocol.ScoreOutOfRange, "%s is %s; it counts as the nearest of 0 and 3.",
			name, protocol.Brief(number.raw())), number, path)
	}
}
