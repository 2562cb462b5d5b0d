package delta

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/strictjson"
)

// referencesValue reads links to items of other sessions (PROTOCOL 13).
func (b *block) referencesValue(v value, f *Field) bool {
	if v.kind() != strictjson.Array {
		b.report(wrongType(f.Name, "a list of objects", v).WithFix("%s", referenceFix), v, f.Path)
		return false
	}
	refs, valid := make(artifact.References, 0, countElements(v)), true
	for i, w := 0, v.children(); w.ok(); i, w = i+1, w.next() {
		ref, ok := b.reference(w.element(), Element(f.Path, i))
		valid = valid && ok
		refs = append(refs, ref)
	}
	f.Value = refs
	return valid
}

const referenceFix = `Write [{"session": "RS-…", "item": "H2", "relation": "refines"}].`

func (b *block) reference(v value, path string) (artifact.Reference, bool) {
	var ref artifact.Reference
	if v.kind() != strictjson.Object {
		b.report(wrongType(strings.TrimPrefix(path, PayloadKey+"."), "an object", v).WithFix("%s", referenceFix), v, path)
		return ref, false
	}
	var extra []string
	for w := v.children(); w.ok(); w = w.nextMember() {
		switch key := w.element().text(); key {
		case "session", "item", "relation":
		default:
			b.report(protocol.NewFinding(protocol.UnknownField, "A reference has no key %s; it is kept as it is.",
				protocol.Brief(key)), w.element(), path+"."+key)
			extra = append(extra, w.element().raw()+":"+w.member().compact())
		}
	}
	if len(extra) > 0 {
		ref.Extra = artifact.JSON("{" + strings.Join(extra, ",") + "}")
	}
	session, okSession := b.referencePart(v, "session", path)
	item, okItem := b.referencePart(v, "item", path)
	relation, okRelation := b.referencePart(v, "relation", path)
	ref.Session, ref.Item, ref.Relation = session, item, relation
	if okItem {
		b.useHandle(item, v.get("item"), path+".item", asMention)
	}
	if okRelation && !slices.Contains(artifact.Relations, relation) {
		b.report(protocol.NewFinding(protocol.InvalidField, "There is no relation %s.", protocol.Brief(relation)).
			WithFix("Use one of %s.", strings.Join(artifact.Relations, ", ")), v.get("relation"), path+".relation")
		okRelation = false
	}
	return ref, okSession && okItem && okRelation
}

// referencePart reads one of the three strings of a reference.
func (b *block) referencePart(v value, key, path string) (string, bool) {
	part := v.get(key)
	switch {
	case !part.ok():
		b.report(protocol.NewFinding(protocol.InvalidField, "The reference has no %s.", key).
			WithFix("%s", referenceFix), v, path+"."+key)
		return "", false
	case part.kind() != strictjson.String:
		b.report(wrongType(key, "a string", part), part, path+"."+key)
		return "", false
	case strings.TrimSpace(part.text()) == "":
		b.report(protocol.NewFinding(protocol.InvalidField, "The reference's %s is blank.", key).
			WithFix("%s", referenceFix), part, path+"."+key)
		return "", false
	}
	return b.own(part), true
}

// index is the path of an element.
