package message

import (
	"strings"

	"brenner/internal/markup"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// party: MB-008, and MB-111 where it is known who is registered and who is retired.
func (c *checker) party(s Section) {
	found, ok := c.content(s)
	if !ok {
		c.report.Findings[len(c.report.Findings)-1].Fix = "Add \"## " + s.Name + "\" with an agent's name."
		return
	}
	for _, p := range people(found, s.Name) {
		if !p.valid() {
			c.violation(s, p.start, "%s under %s is not an agent's name.", quoted(p.text), s.Name).fix(
				"Write the agent's name alone on its line: letters, digits, _ and -.")
		}
		c.registered(protocol.MB111, s.Name, p)
		if c.facts.AgentRetired != nil && c.facts.AgentRetired(p.name) {
			c.add(protocol.NewFinding(protocol.MB111, "%s under %s is retired.", quoted(p.name), s.Name).
				WithFix("Name an agent that takes part, or register %s again.", quoted(p.name)), p.start)
		}
	}
}

// claimant: MB-109, and MB-123 for a name that is none or is not registered.
func (c *checker) claimant(s Section) {
	found, ok := c.content(s)
	if !ok {
		return
	}
	for _, p := range people(found, s.Name) {
		if p.valid() {
			c.registered(protocol.MB123, s.Name, p)
			continue
		}
		c.add(protocol.NewFinding(protocol.MB123, "%s under %s is not an agent's name.", quoted(p.text), s.Name).
			WithFix("Write the agent's name alone on its line: letters, digits, _ and -."), p.start)
	}
}

func (c *checker) registered(code protocol.Code, section string, p person) {
	if c.facts.AgentRegistered == nil || c.facts.AgentRegistered(p.name) {
		return
	}
	c.add(protocol.NewFinding(code, "%s under %s is not registered.", quoted(p.name), section), p.start)
}

// person is an agent that a section names.
type person struct {
	name  string
	text  string // the line that names them
	start int
}

func (p person) valid() bool { return protocol.ValidAgentName(p.name) }

// people reads the names of a section: its first line, or every item of a list that it
// begins with.
func people(s markup.Section, heading string) []person {
	var all []person
	start := s.Start
	for text := range strings.Lines(s.Text) {
		at := start
		start += len(text)
		bare, listed := unlisted(text)
		switch {
		case strings.Trim(text, blanks) == "":
			continue
		case len(all) > 0 && !listed:
			return all
		}
		all = append(all, person{personName(valueOf(bare, heading)), strings.Trim(text, blanks), at})
		if !listed {
			return all
		}
	}
	return all
}

// remark is what may follow a name on its line: "BlueLake (session ended)".
var remark = pattern.Lazy("^[*`]*([A-Za-z0-9_-]+)[*`]*(?:\\s*[(,;:.–—].*|\\s+-\\s.*)$")

func personName(text string) string {
	text = strings.TrimPrefix(unadorned(text), "@")
	if m := remark().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// item: MB-108, MB-110 or MB-113, and MB-124 for a bead that does not exist.
func (c *checker) item(s Section) {
	found, ok := c.content(s)
	if !ok {
		return
	}
	if c.facts.BeadExists == nil {
		return
	}
	first := firstLine(found)
	for _, bead := range beads(first.text) {
		if exists, known := c.facts.BeadExists(bead); known && !exists {
			c.add(protocol.NewFinding(protocol.MB124, "The bead %s does not exist.", bead), first.start)
		}
	}
}

var (
	beadWord = pattern.Lazy(`^[a-z0-9_]+(?:-[a-z0-9_]+)*-[a-z0-9]+(?:\.[a-z0-9]+)*$`)
	beadMark = pattern.Lazy(`[0-9_.]`)
)

// beads returns the words of a line that are meant as bead ids. A hyphenated word alone
// could be any task, so it must stand alone, follow the word bead, or have a digit, a dot
// or an underscore.
func beads(text string) []string {
	text, _ = unlisted(text)
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;:()[]\"'*`", r) })
	var ids []string
	labelled := false
	for _, word := range words {
		id := strings.TrimRight(word, ".")
		switch {
		case strings.EqualFold(id, "bead"), labelled && strings.EqualFold(id, "id"):
			labelled = true
			continue
		case beadWord().MatchString(id) && (labelled || len(words) == 1 || beadMark().MatchString(id)):
			ids = append(ids, id)
		}
		labelled = false
	}
	return ids
}
