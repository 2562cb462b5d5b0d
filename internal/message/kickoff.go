package message

import (
	"brenner/internal/markup"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

var (
	citation   = pattern.Lazy(`§ ?[0-9]|\bEV-[0-9]+`)
	roundTitle = pattern.Lazy(`(?i)\bround\s+([1-9][0-9]{0,8})\s+kick-?off\b`)
)

// researchQuestion: MB-002. A title that is not blank will do.
func (c *checker) researchQuestion(s Section) {
	if title, ok := c.doc.Title(); !ok || title.Text == "" {
		c.present(s)
	}
}

// kickoffContext: MB-003. A later KICKOFF may give the current state instead.
func (c *checker) kickoffContext(s Section) {
	if c.later() {
		if state, ok := c.doc.Section("Current State"); ok && state.Present() {
			return
		}
	}
	c.present(s)
}

// excerpt: MB-101, for the first KICKOFF only.
func (c *checker) excerpt(s Section) {
	if c.later() {
		return
	}
	if found, ok := c.content(s); ok && !citation().MatchString(found.Text) {
		c.violation(s, found.Heading.Start, "The Excerpt cites nothing.").fix(
			"Put the section or the evidence behind each passage: §42 or EV-001.")
	}
}

// later tells whether the KICKOFF is not the first of its thread.
func (c *checker) later() bool {
	if c.facts.Kickoff == PlaceUnknown {
		r := c.kickoffReferences()
		return r.BaseArtifact > 0 || r.Round > 1
	}
	return c.facts.Kickoff == LaterKickoff
}

func (c *checker) kickoffReferences() References {
	var r References
	if base, ok := c.baseArtifact(); ok {
		r.BaseArtifact = version(base.value)
	}
	r.Round = roundOf(c.doc)
	if id := sectionFields(c.doc, AncestorSection).text(AncestorField); !protocol.HasErrors(protocol.CheckThreadID(id)) {
		r.After = id
	}
	return r
}

// Where a KICKOFF says which session its own goes on from.
const (
	AncestorSection = "Earlier Session"
	AncestorField   = "Session"
)

func roundOf(doc *markup.Document) int {
	if title, ok := doc.Title(); ok {
		return number(roundTitle(), title.Text)
	}
	return 0
}

// baseArtifact finds the field in Current State, or else anywhere: the prompts that a
// KICKOFF carries may speak of it too.
func (c *checker) baseArtifact() (field, bool) {
	if f, ok := sectionFields(c.doc, "Current State").get("Base Artifact"); ok {
		return f, true
	}
	return fieldsOf(c.doc, 0, len(c.draft.Body)).get("Base Artifact")
}

// kickoff reads the references of a KICKOFF.
func (c *checker) kickoff() {
	c.report.References = c.kickoffReferences()
	if base, ok := c.baseArtifact(); ok {
		c.versionExists(version(base.value), base.start, "Base Artifact")
	}
}

// versionExists: AP-009, where the versions of the thread are known.
func (c *checker) versionExists(n, offset int, name string) {
	if n == 0 || c.facts.Versions == nil || c.facts.Versions(n) {
		return
	}
	f := protocol.NewFinding(protocol.AP009, "%s names v%d, which this thread does not have.", name, n)
	if latest := c.facts.LatestVersion; latest != nil && *latest > 0 {
		f = f.WithFix("Name a version from v1 to v%d.", *latest)
	} else if latest != nil {
		f = f.WithFix("Leave it out: nothing has been compiled yet.")
	}
	c.add(f, offset)
}
