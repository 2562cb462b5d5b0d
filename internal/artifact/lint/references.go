package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/genealogy"
	"brenner/internal/protocol"
)

// checkReferences checks ER-REF and WR-REF.
func checkReferences(l *linter) {
	for _, s := range artifact.Sections()[1:] {
		for _, it := range l.active[s] {
			for i, ref := range it.References() {
				l.checkReference(it, place(artifact.ReferencesField, i), ref)
			}
		}
	}
	l.checkThreadReferences()
	l.checkWritten()
	if l.Project != nil && l.Project.Genealogy != nil && l.Document.Artifact.Refers() {
		l.checkGenealogy()
	}
}

func (l *linter) checkReference(it *artifact.Item, path string, ref artifact.Reference) {
	if blankText(ref.Session) {
		l.addItem(it, path, protocol.NewFinding(protocol.ERREF003, "A reference of %s names no session.", called(it)))
	}
	if blankText(ref.Item) {
		l.addItem(it, path, protocol.NewFinding(protocol.ERREF004, "A reference of %s names no item.", called(it)))
	}
	if !slices.Contains(artifact.Relations, ref.Relation) {
		l.addItem(it, path, protocol.NewFinding(protocol.ERREF005, "The relation %q of %s is none of %s.",
			ref.Relation, called(it), strings.Join(artifact.Relations, ", ")))
	}
}

// checkThreadReferences looks at references of the research thread. It has no such field, so
// they are an extra one, of any shape.
func (l *linter) checkThreadReferences() {
	rt := l.Document.Artifact.Thread
	for _, e := range rt.Extra() {
		if e.Name != artifact.ReferencesField {
			continue
		}
		var elements []json.RawMessage
		if json.Unmarshal([]byte(e.Value), &elements) != nil || e.Value == "null" {
			l.addItem(rt, artifact.ReferencesField,
				protocol.NewFinding(protocol.ERREF001, "The references of the research thread are no list."))
			return
		}
		for i, raw := range elements {
			var ref struct{ Session, Item, Relation any }
			path := place(artifact.ReferencesField, i)
			if bytes.HasPrefix(raw, []byte("{")) && json.Unmarshal(raw, &ref) == nil {
				l.checkReference(rt, path, artifact.Reference{Session: asText(ref.Session), Item: asText(ref.Item),
					Relation: asText(ref.Relation)})
				continue
			}
			l.addItem(rt, path, protocol.NewFinding(protocol.ERREF002, "A reference of the research thread is no object."))
		}
	}
}

func asText(v any) string {
	s, _ := v.(string)
	return s
}

// faults are the rules behind what a file's references may lack.
var faults = map[markdown.Fault]struct {
	code protocol.Code
	text string
}{
	markdown.NotAList:    {protocol.ERREF001, "The references of %s are no list: %q."},
	markdown.NotAnObject: {protocol.ERREF002, "A reference of %s cannot be read: %q."},
	markdown.NoSession:   {protocol.ERREF003, "A reference of %s names no session: %q."},
	markdown.NoItem:      {protocol.ERREF004, "A reference of %s names no item: %q."},
	markdown.NoRelation:  {protocol.ERREF005, "A reference of %s has no relation: %q."},
}

// checkWritten reports references that the file holds in a shape that no artifact can have.
func (l *linter) checkWritten() {
	if l.Outline == nil {
		return
	}
	for _, mark := range l.Outline.References {
		it := l.Document.Artifact.Item(mark.Item)
		if it == nil || !it.Active() {
			continue
		}
		rule := faults[mark.Fault]
		f := protocol.NewFinding(rule.code, rule.text, called(it), mark.Text).On(string(it.ID)).In(artifact.ReferencesField)
		f.Line = mark.Line
		l.found = append(l.found, finding{f, sectionPart(it.Section), it.ID.Number()})
	}
}

// checkGenealogy checks WR-REF-006 and ER-REF-007 against the project's other sessions. An
// item is part of a cycle if one of its own references is.
func (l *linter) checkGenealogy() {
	session := l.Document.Metadata.SessionID
	g := l.Project.Genealogy.With(genealogy.Session{
		ID: session, Artifact: l.Document.Artifact, Started: l.Document.Metadata.CreatedAt,
	})
	for _, e := range g.Edges {
		if it := l.own(e.From, session); e.Dangling && it != nil {
			l.addItem(it, artifact.ReferencesField, protocol.NewFinding(protocol.WRREF006, "%s %s %s, which is not known.", it.ID,
				words(e.Relation), e.To))
		}
	}
	for _, c := range g.Cycles {
		reported := map[genealogy.NodeID]bool{}
		for _, id := range c.Path {
			if it := l.own(id, session); it != nil && !reported[id] {
				reported[id] = true
				l.addItem(it, artifact.ReferencesField, protocol.NewFinding(protocol.ERREF007, "%s is part of a cycle of references: %s.",
					it.ID, c))
			}
		}
	}
}

// own returns the active item of this artifact that a node stands for, nil if it is another's.
func (l *linter) own(id genealogy.NodeID, session string) *artifact.Item {
	if id.Session() != session {
		return nil
	}
	it := l.Document.Artifact.Item(artifact.ItemID(id.Item()))
	if it == nil || !it.Active() {
		return nil
	}
	return it
}
