package message

import (
	"strings"
	"time"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// compiled judges what a COMPILED says about its version: AP-002, AP-010, AP-102 and MB-103. AP-001
// is a rule about subjects.
func (c *checker) compiled() {
	inSubject := number(subjectVersion(), c.report.Subject.Description)
	c.checkBodyVersion(sectionFields(c.doc, "Metadata"), inSubject)
	n := inSubject
	if n == 0 {
		n = bodyVersion(c.doc)
	}
	if c.facts.Existing && n > maxImportedVersion {
		n = 0
	}
	c.report.References.Compiled = n
	c.nextVersion(n)
	c.frontMatter(n)
}

// checkBodyVersion: MB-103 and AP-102. A summary may speak of other versions, which are not
// compared.
func (c *checker) checkBodyVersion(labels fields, inSubject int) {
	named := func(n, offset int) {
		if n != 0 && inSubject != 0 && n != inSubject {
			c.add(protocol.NewFinding(protocol.AP102, "The body says v%d, the subject v%d.", n, inSubject), offset)
		}
	}
	if title, ok := c.doc.Title(); ok {
		named(versionIn(title.Text), title.Start)
	}
	if f, ok := labels.get("Version"); ok {
		named(version(f.value), f.start)
	}
	if bodyVersion(c.doc) == 0 {
		c.add(protocol.NewFinding(protocol.MB103, "The body names no version in its title, metadata or summary."), 0)
	}
}

// nextVersion: AP-002. What we send follows exactly; mail that exists may have left some out.
func (c *checker) nextVersion(n int) {
	if n == 0 || c.facts.LatestVersion == nil {
		return
	}
	latest := *c.facts.LatestVersion
	if n == latest+1 || n > latest && c.facts.Existing {
		return
	}
	c.report.Findings = append(c.report.Findings, protocol.NewFinding(protocol.AP002,
		"The version is v%d, the thread's latest is v%d.", n, latest).In("subject").
		WithFix("Use v%d, or let a compile take the version.", latest+1).Doing(protocol.Operation("compile")))
}

// metadata: AP-003 and AP-101.
func (c *checker) metadata(s Section) {
	labels := sectionFields(c.doc, s.Name)
	c.threadNamed(labels)
	c.timestamp(labels)
}

func (c *checker) threadNamed(labels fields) {
	f, ok := labels.get("Thread ID")
	id := unescape(f.value)
	switch {
	case !ok || id == "":
		c.addIn("Metadata", protocol.NewFinding(protocol.AP003, "The metadata do not name the thread."))
	case c.draft.ThreadID != "" && id != c.draft.ThreadID:
		c.add(protocol.NewFinding(protocol.AP003, "The body names the thread %s, the message stands on %s.", quoted(id), c.draft.ThreadID).
			WithFix("Write - **Thread ID**: %s", c.draft.ThreadID), f.start)
	}
}

func (c *checker) timestamp(labels fields) {
	f, ok := labels.get("Compiled At")
	if !ok {
		c.addIn("Metadata", protocol.NewFinding(protocol.AP101, "The metadata do not say when it was compiled."))
		return
	}
	if _, err := time.Parse(time.RFC3339Nano, f.value); err != nil {
		c.add(protocol.NewFinding(protocol.AP101, "%s is not an RFC 3339 timestamp.", quoted(f.value)), f.start)
	}
}

// artifactPath: AP-005. Without a thread the one that the body names decides.
func (c *checker) artifactPath(s Section) {
	thread := c.draft.ThreadID
	if thread == "" {
		thread = sectionFields(c.doc, "Metadata").text("Thread ID")
	}
	want := ArtifactPath(thread)
	f, ok := sectionFields(c.doc, s.Name).get("Artifact Path")
	switch {
	case !ok:
		c.addIn("Persistence", protocol.NewFinding(protocol.AP005, "The body does not name the artifact's path.").
			WithFix("Write - **Artifact Path**: `%s` under \"## Persistence\".", want))
	case unescape(f.value) != want && thread != "":
		c.add(protocol.NewFinding(protocol.AP005, "The artifact path is %s, not %s.", quoted(f.value), want).
			WithFix("Write - **Artifact Path**: `%s`", want), f.start)
	}
}

// ArtifactPath is where the artifact of a thread is persisted, relative to the project.
func ArtifactPath(threadID string) string { return "artifacts/" + threadID + ".md" }

// frontMatter: AP-010, where the inline artifact has front matter.
func (c *checker) frontMatter(n int) {
	text, offset, ok := inlineArtifact(c.doc)
	if !ok || n == 0 {
		return
	}
	inside, found := frontMatterOf(text)
	switch {
	case !found:
	case inside == 0:
		c.add(protocol.NewFinding(protocol.AP010, "The front matter of the artifact names no version."), offset)
	case inside != n:
		c.add(protocol.NewFinding(protocol.AP010, "The front matter says version %d, the message v%d.", inside, n), offset)
	}
}

// frontMatterOf returns the version in a text's front matter, and whether it has any.
func frontMatterOf(text string) (int, bool) {
	first := true
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, blanks)
		switch {
		case first && l != "---":
			return 0, false
		case !first && (l == "---" || l == "..."):
			return 0, true
		case frontMatterVersion().MatchString(l):
			return number(frontMatterVersion(), l), true
		}
		first = false
	}
	return 0, !first
}

// contributors: MB-104 and AP-004, a row or an item.
func (c *checker) contributors(s Section) {
	found, ok := c.content(s)
	if !ok {
		return
	}
	if len(contributorNames(c.doc, found)) == 0 {
		c.violation(s, found.Heading.Start, "The Contributors section has neither a row nor an item.")
	}
}

// contributorNames reads the first cell of each row, or each item of a list.
func contributorNames(doc *markup.Document, s markup.Section) []string {
	var names []string
	if t, ok := tableOf(doc, s.Start, s.End); ok {
		for _, row := range t.rows {
			names = appendName(names, cell(row, 0))
		}
		return names
	}
	for l := range prose(doc, s.Start, s.End) {
		if text, listed := unlisted(l.text); listed {
			names = appendName(names, unescape(unadorned(text)))
		}
	}
	return names
}

func appendName(names []string, name string) []string {
	switch strings.ToLower(strings.Trim(name, ".")) {
	case "", "none", "n/a", "–", "—":
		return names
	}
	return append(names, name)
}

// addIn reports a finding at a section's heading, or at the beginning if it is absent.
func (c *checker) addIn(section string, f protocol.Finding) {
	offset := 0
	if s, ok := c.doc.Section(section); ok {
		offset = s.Heading.Start
	}
	c.add(f, offset)
}
