package message

import (
	"regexp"
	"strconv"
	"strings"
)

// References are what a body says about other messages and versions. Zero values are absent.
type References struct {
	BaseVersion  int      // DELTA: the version it worked on
	ResponseTo   []string // DELTA: what it answers, C1 for an item, #12 for a message
	Target       Target   // CRITIQUE
	Severity     string   // CRITIQUE: Critical, Major or Minor
	BaseArtifact int      // KICKOFF of a later round
	Round        int      // KICKOFF titled "Round N Kickoff"
	AckOf        int64    // ACK: the message it answers
	Status       string   // ACK: one of the four
	Compiled     int      // COMPILED: its version
}

// Target is what a CRITIQUE attacks.
type Target struct {
	Version int
	Item    string // H2
	Section string
}

// Patterns of what people write in references.
var (
	answering   = regexp.MustCompile(`(?i)\b(?:respon(?:se|ds|ding)|repl(?:y|ies|ying)|answer(?:s|ing)?)\b(?:\s+to\b)?(.*)`)
	answered    = regexp.MustCompile(`\b([Cc][1-9][0-9]{0,8})\b|(?:#|\b[Mm]essage\s+)([1-9][0-9]{0,17})\b`)
	itemWord    = regexp.MustCompile(`\b(?:RT|[HPTAXC][1-9][0-9]{0,8})\b`)
	markedID    = regexp.MustCompile(`#([1-9][0-9]{0,17})\b`)
	messageWord = regexp.MustCompile(`(?:^|[^\pL\pN_.-])([1-9][0-9]{0,17})(?:[^\pL\pN_-]|$)`)
)

// ackReferences reads what an ACK answers.
func (c *checker) ackReferences() {
	c.report.References.AckOf = c.acknowledged()
	c.report.References.Status = c.chosen("Status", ackStatuses)
}

// deltaReferences reads Base Version and Action of a DELTA, wherever in its prose they stand.
func (c *checker) deltaReferences() {
	r := &c.report.References
	all := fieldsOf(c.doc, 0, len(c.draft.Body))
	if base, ok := all.get("Base Version"); ok {
		r.BaseVersion = version(base.value)
		c.versionExists(r.BaseVersion, base.start, "Base Version")
	}
	seen := map[string]bool{}
	for _, f := range all {
		if !strings.EqualFold(f.name, "Action") {
			continue
		}
		for _, id := range responses(f.value) {
			if !seen[id] {
				seen[id] = true
				r.ResponseTo = append(r.ResponseTo, id)
			}
		}
	}
}

// responses reads "Response to C1, C2 critique and #14".
func responses(text string) []string {
	m := answering.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	var ids []string
	for _, hit := range answered.FindAllStringSubmatch(m[1], -1) {
		if hit[1] != "" {
			ids = append(ids, "C"+hit[1][1:])
		} else {
			ids = append(ids, "#"+hit[2])
		}
	}
	return ids
}

// critique reads the target of a CRITIQUE. Without a field for it, the first item id in the
// Target section is the item.
func (c *checker) critique() {
	r := &c.report.References
	r.Severity = c.chosen("Severity", severities)
	target, ok := c.doc.Section("Target")
	if !ok {
		return
	}
	labels := fieldsOf(c.doc, target.Start, target.End)
	if f, ok := labels.get("Artifact Version"); ok {
		r.Target.Version = version(f.value)
		c.versionExists(r.Target.Version, f.start, "Artifact Version")
	}
	r.Target.Section = labels.text("Section")
	r.Target.Item = itemWord.FindString(target.Text)
	if f, ok := labels.get("Item"); ok {
		r.Target.Item = itemWord.FindString(strings.ToUpper(f.value))
	}
}

// messageID: MB-107. A reply names its message too.
func (c *checker) messageID(s Section) {
	if c.acknowledged() != 0 {
		return
	}
	found, ok := c.content(s)
	if !ok {
		return
	}
	first := firstLine(found)
	c.violation(s, first.start, "%s names no message.", quoted(first.text))
}

// acknowledged returns the message that an ACK answers, 0 if it names none.
func (c *checker) acknowledged() int64 {
	found, ok := c.doc.Section("Message ID")
	if !ok || !found.Present() {
		return c.draft.ReplyTo
	}
	text := firstLine(found).text
	for _, pattern := range []*regexp.Regexp{markedID, messageWord} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			id, _ := strconv.ParseInt(m[1], 10, 64) // at most 18 digits
			return id
		}
	}
	return c.draft.ReplyTo
}

// ItemWords returns the item ids that stand in a text as words, in order; each as often as it
// stands there.
func ItemWords(text string) []string { return itemWord.FindAllString(text, -1) }
