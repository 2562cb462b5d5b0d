package delta

import (
	"strings"

	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// checkSafe reports values that JSON allows but an artifact cannot hold: numbers beyond a
// float64, which no hash can cover, and NUL, which no message may carry, so that the artifact
// could not be published. Nesting is bounded by MaxDepth.
func (b *block) checkSafe(v value, path string) {
	if !v.ok() {
		return
	}
	switch v.kind() {
	case strictjson.Number:
		if !finite(v.raw()) {
			b.report(protocol.NewFinding(protocol.InvalidField, "The number %s is too large to compute with.", protocol.Brief(v.raw())).
				WithFix("Write a smaller number, or put it into a string."), v, path)
		}
	case strictjson.String:
		if strings.IndexByte(v.text(), 0) >= 0 {
			b.report(protocol.NewFinding(protocol.InvalidField, "The text holds the character NUL.").
				WithFix(`Remove \u0000.`), v, path)
		}
	case strictjson.Array:
		for i, w := 0, v.children(); w.ok(); i, w = i+1, w.next() {
			b.checkSafe(w.element(), Element(path, i))
		}
	case strictjson.Object:
		for w := v.children(); w.ok(); w = w.nextMember() {
			b.checkSafe(w.element(), path)
			b.checkSafe(w.member(), path+"."+w.element().text())
		}
	}
}
