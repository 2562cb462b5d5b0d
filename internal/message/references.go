package message

import (
	"slices"
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

// References are what a body says about other messages and versions. Zero values are absent.
type References struct {
	BaseVersion  int      // DELTA: the version it worked on
	ResponseTo   []string // DELTA: what it answers, C1 for an item, #12 for a message
	Promotes     int64    // DELTA: the CRITIQUE message that it makes an item of
	Target       Target   // CRITIQUE
	Targets      []string // CRITIQUE: every item that its Target names, each once
	Severity     string   // CRITIQUE: Critical, Major or Minor
	BaseArtifact int      // KICKOFF of a later round
	Round        int      // KICKOFF titled "Round N Kickoff"
	After        string   // KICKOFF: the session that its own goes on from
	AckOf        []int64  // ACK: the messages it answers
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
	answering   = pattern.Lazy(`(?i)\b(?:respon(?:se|ds|ding)|repl(?:y|ies|ying)|answer(?:s|ing)?)\b(?:\s+to\b)?(.*)`)
	answered    = pattern.Lazy(`\b([Cc][1-9][0-9]{0,8})\b|(?:#|\b[Mm]essage\s+)([1-9][0-9]{0,17})\b`)
	itemWord    = pattern.Lazy(`\b(?:RT|[HPTAXC][1-9][0-9]{0,8})\b`)
	markedID    = pattern.Lazy(`#([1-9][0-9]{0,17})\b`)
	leadingID   = pattern.Lazy("^`?#?[1-9][0-9]{0,17}\\b")
	furtherID   = pattern.Lazy("(?i)^`?(?:\\s*[,;&+]\\s*(?:and\\s+)?|\\s+and\\s+|\\s+)`?([1-9][0-9]{0,17})(?:[^\\pL\\pN_:./-]|[.:]?$)")
	messageWord = pattern.Lazy(`(?:^|[^\pL\pN_.-])([1-9][0-9]{0,17})(?:[^\pL\pN_-]|$)`)
)

// ackReferences reads what an ACK answers.
func (c *checker) ackReferences() {
	c.report.References.AckOf = c.acknowledged()
	c.report.References.Status = c.chosen("Status", ackStatuses)
}

// deltaReferences reads Base Version and Action of a DELTA, anywhere in its prose.
func (c *checker) deltaReferences() {
	r := &c.report.References
	all := fieldsOf(c.doc, 0, len(c.draft.Body))
	if base, ok := all.get("Base Version"); ok {
		r.BaseVersion = version(base.value)
		c.versionExists(r.BaseVersion, base.start, "Base Version")
	}
	if f, ok := all.get("Promotes"); ok {
		if id := markedID().FindStringSubmatch(f.value); id != nil {
			r.Promotes, _ = strconv.ParseInt(id[1], 10, 64) // at most 18 digits
		}
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
	m := answering().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	var ids []string
	for _, hit := range answered().FindAllStringSubmatch(m[1], -1) {
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
	r.Target.Item = itemWord().FindString(target.Text)
	words := ItemWords(target.Text)
	if f, ok := labels.get("Item"); ok {
		upper := strings.ToUpper(f.value)
		r.Target.Item = itemWord().FindString(upper)
		words = append(ItemWords(upper), words...)
	}
	seen := map[string]bool{}
	for _, word := range words {
		if !seen[word] {
			seen[word] = true
			r.Targets = append(r.Targets, strings.Clone(word))
		}
	}
}

// messageID: MB-107. A reply names its message too.
func (c *checker) messageID(s Section) {
	if len(c.acknowledged()) > 0 {
		return
	}
	found, ok := c.content(s)
	if !ok {
		return
	}
	first := firstLine(found)
	c.violation(s, first.start, "%s names no message.", quoted(first.text))
}

// maxAcked bounds how many messages one ACK acknowledges.
const maxAcked = 1000

// acknowledged returns the messages that an ACK answers: those that its Message ID names, or else the
// one that it replies to.
func (c *checker) acknowledged() []int64 {
	if found, ok := c.doc.Section("Message ID"); ok {
		if ids := namedMessages(found.Text); len(ids) > 0 {
			return ids
		}
	}
	if c.draft.ReplyTo != 0 {
		return []int64{c.draft.ReplyTo}
	}
	return nil
}

// namedMessages reads the ids of a section: those of its first line, and of the lines below it that begin
// with one.
func namedMessages(text string) []int64 {
	var ids []int64
	first := true
	for line := range strings.Lines(text) {
		line = strings.Trim(line, blanks)
		if line == "" {
			continue
		}
		bare, _ := unlisted(line)
		if !first && !leadingID().MatchString(bare) {
			break
		}
		for _, id := range idsOfLine(line) {
			if !slices.Contains(ids, id) && len(ids) < maxAcked {
				ids = append(ids, id)
			}
		}
		first = false
	}
	return ids
}

// idsOfLine reads `7`, `#7 and #9`, `2, 3`, or the first number of a sentence.
func idsOfLine(text string) []int64 {
	var words []string
	for _, m := range markedID().FindAllStringSubmatch(text, maxAcked) {
		words = append(words, m[1])
	}
	if m := messageWord().FindStringSubmatchIndex(text); words == nil && m != nil {
		words = []string{text[m[2]:m[3]]}
		for rest := text[m[3]:]; ; {
			next := furtherID().FindStringSubmatchIndex(rest)
			if next == nil {
				break
			}
			words, rest = append(words, rest[next[2]:next[3]]), rest[next[3]:]
		}
	}
	ids := make([]int64, len(words))
	for i, word := range words {
		ids[i], _ = strconv.ParseInt(word, 10, 64) // at most 18 digits
	}
	return ids
}

// ItemWords returns the item ids that are words of a text, in order; each as often as it
// is there.
func ItemWords(text string) []string { return itemWord().FindAllString(text, -1) }
