package message

import (
	"cmp"
	"strings"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// The words of the Session Configuration block.
const (
	configurationHeading = "Session Configuration"
	rosterMode           = "Roster Mode"
	rosterName           = "Roster Name"
	rosterCreated        = "Roster Created At"
)

// RenderSessionConfiguration writes the block of a KICKOFF that carries its roster, in every
// mode (PROTOCOL 12). ParseSessionConfiguration is its inverse for any text. Notes and the
// time of creation are written only where the roster has them: a fifth column and a line.
func RenderSessionConfiguration(r protocol.Roster) string {
	var b strings.Builder
	b.WriteString("## " + configurationHeading + "\n\n")
	writeLabel(&b, rosterMode, string(cmp.Or(r.Mode, protocol.ModeRoleSeparated)))
	writeLabel(&b, rosterName, r.Name)
	writeLabel(&b, rosterCreated, r.CreatedAt)
	b.WriteByte('\n')
	if hasNotes(r) {
		b.WriteString("| Agent | Role | Program | Model | Notes |\n|-------|------|---------|-------|-------|\n")
		for _, e := range r.Entries {
			writeRow(&b, e.AgentName, string(e.Role), e.Program, e.Model, e.Notes)
		}
	} else {
		b.WriteString("| Agent | Role | Program | Model |\n|-------|------|---------|-------|\n")
		for _, e := range r.Entries {
			writeRow(&b, e.AgentName, string(e.Role), e.Program, e.Model)
		}
	}
	b.WriteString("\n---\n")
	return b.String()
}

func hasNotes(r protocol.Roster) bool {
	for _, e := range r.Entries {
		if e.Notes != "" {
			return true
		}
	}
	return false
}

// writeLabel writes "**Name**: text", and nothing for an empty text.
func writeLabel(b *strings.Builder, name, text string) {
	if text != "" {
		b.WriteString("**" + name + "**: " + escape(text) + "\n")
	}
}

// ParseSessionConfiguration reads the roster of a KICKOFF: the only place where a fold finds
// it. Roles and mode come as they were written; Roster.Check validates them.
// A block without a mode is role_separated. False: the body has no such block.
func ParseSessionConfiguration(doc *markup.Document) (protocol.Roster, bool) {
	s, ok := doc.Section(configurationHeading)
	if !ok {
		return protocol.Roster{}, false
	}
	labels := fieldsOf(doc, s.Start, s.End)
	t, hasTable := tableOf(doc, s.Start, s.End)
	_, hasMode := labels.get(rosterMode)
	if !hasTable && !hasMode {
		return protocol.Roster{}, false
	}
	r := protocol.Roster{
		Mode:      cmp.Or(protocol.RosterMode(labels.text(rosterMode)), protocol.ModeRoleSeparated),
		Name:      labels.text(rosterName),
		CreatedAt: labels.text(rosterCreated),
	}
	agent, role := t.column("Agent"), t.column("Role")
	program, model, notes := t.column("Program"), t.column("Model"), t.column("Notes")
	for _, row := range t.rows {
		r.Entries = append(r.Entries, protocol.RosterEntry{
			AgentName: cell(row, agent),
			Role:      protocol.Role(cell(row, role)),
			Program:   cell(row, program),
			Model:     cell(row, model),
			Notes:     cell(row, notes),
		})
	}
	return r, true
}
