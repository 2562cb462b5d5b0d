package mcpserver

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// The tools of an agent say what it may write: each allowed value once, taken from the tables that the
// door judges by.

// deltaItem is the schema of one delta (PROTOCOL 5).
var deltaItem = func() string {
	var sections []string
	for _, s := range artifact.Sections() {
		sections = append(sections, s.String())
	}
	return inputSchemaOf([]field{
		textField("operation", "").among(string(delta.Add), string(delta.Edit), string(delta.Kill)).must(),
		textField("section", "research_thread takes EDIT only").among(sections...).must(),
		{name: "target_id", kind: "string?", about: "null for ADD; else the item's id, such as H2"},
		{name: "payload", kind: "object", about: payloadText(), required: true},
		textField("rationale", "why, in a sentence"),
		textField("local_id", "a name for what you ADD; others in this call point at it as @name"),
	})
}()

// refs are the fields that every item may have.
var refs = []string{"references", "evidence_refs []"}

// payloadText lists the fields of each section.
func payloadText() string {
	var b strings.Builder
	b.WriteString(`KILL: {"reason"}. EDIT: only what changes; null clears. ADD (* required; all may have ` + strings.Join(refs, ", ") + `)`)
	for _, s := range artifact.Sections() {
		if s == artifact.ResearchThread {
			continue
		}
		b.WriteString("; " + s.String() + ":")
		comma := ""
		for _, f := range s.Fields() {
			if text := fieldText(f); !slices.Contains(refs, text) {
				b.WriteString(comma + " " + text)
				comma = ","
			}
		}
	}
	b.WriteString("; research_thread:")
	for i, f := range artifact.ResearchThread.Fields() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + f.Name)
	}
	return b.String()
}

func fieldText(f artifact.FieldSpec) string {
	text := f.Name
	if f.Required {
		text += "*"
	}
	switch f.Kind {
	case artifact.KindFlag:
		text += " (true|false)"
	case artifact.KindList:
		text += " []"
	case artifact.KindMap:
		text += ` {"H1": text}`
	case artifact.KindScore:
		text += " {" + strings.Join(artifact.ScoreParts, ", ") + ": 0-3}"
	}
	if len(f.Values) > 0 {
		text += " (" + strings.Join(f.Values, "|") + ")"
	}
	return text
}

// subjectText names the prefixes of subjects.
func subjectText() string {
	var prefixes []string
	for _, t := range protocol.MessageTypes() {
		prefix := string(t)
		if t == protocol.TypeDelta {
			prefix += "[" + strings.Join(protocol.Shorthands(), "|") + "]"
		}
		prefixes = append(prefixes, prefix+":")
	}
	return "on RS- threads it begins with one of " + strings.Join(prefixes, " ")
}

// bodyText names the sections that bodies have, with their closed sets, for the types that agents write by hand.
func bodyText() string {
	var types []string
	for _, s := range message.Schemas() {
		if s.Type == protocol.TypeKickoff || s.Type == protocol.TypeDelta || s.Type == protocol.TypeCompiled {
			continue
		}
		var sections []string
		for _, section := range s.Sections {
			if !section.Required() && !section.Recommended() {
				continue
			}
			name := section.Name
			if len(section.Values) > 0 {
				name += " (" + strings.Join(section.Values, "|") + ")"
			}
			sections = append(sections, name)
		}
		if len(sections) > 0 {
			types = append(types, string(s.Type)+": "+strings.Join(sections, ", "))
		}
	}
	return "Markdown. Sections (## headings) by type: " + strings.Join(types, "; ")
}
