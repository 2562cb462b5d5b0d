package message

import (
	"strconv"
	"strings"
	"time"

	"brenner/internal/markup"
	"brenner/internal/pattern"
)

var linterCounts = pattern.Lazy(`([0-9]{1,9}) warnings?, *([0-9]{1,9}) errors?`)

// ParseCompiled reads the body of a COMPILED message, ours or another program's; what the
// body does not say is zero. Lists that were cut stay cut. False: it is no such body.
func ParseCompiled(doc *markup.Document) (Compiled, bool) {
	var c Compiled
	labels := sectionFields(doc, "Metadata")
	c.ThreadID = labels.text("Thread ID")
	c.Version = version(labels.text("Version"))
	if title, ok := doc.Title(); ok && c.Version == 0 {
		c.Version = versionIn(title.Text)
	}
	if c.Version == 0 {
		return Compiled{}, false
	}
	c.Previous = version(labels.text("Previous Version"))
	c.CompiledAt, _ = time.Parse(time.RFC3339Nano, labels.text("Compiled At"))
	c.Compiler = labels.text("Compiler")
	c.Through, _ = strconv.ParseInt(strings.TrimPrefix(labels.text("Through message"), "#"), 10, 64)
	if s, ok := doc.Section("Summary"); ok {
		c.Summary = unescape(strings.Trim(s.Text, blanks))
	}
	c.Contributors = parseContributions(doc)
	c.Changes = Changes{parseChanges(doc, "Added"), parseChanges(doc, "Edited"), parseChanges(doc, "Killed")}
	c.parseCounts(doc)
	c.Artifact, _ = ExtractArtifact(doc)
	c.Hash = sectionFields(doc, "Full Artifact").text("Artifact Hash")
	c.Conflicts = parseList(doc, "Conflicts")
	c.Rejected = parseList(doc, "Rejected Deltas")
	c.Evidence = parseEvidence(doc)
	return c, true
}

var evidenceLine = pattern.Lazy("^(EV-[0-9]{3,9}): `([0-9a-f]{64})`$")

func parseEvidence(doc *markup.Document) []EvidenceHash {
	if _, ok := doc.Section("Evidence"); !ok {
		return nil
	}
	list := []EvidenceHash{}
	for _, line := range parseList(doc, "Evidence") {
		if m := evidenceLine().FindStringSubmatch(line); m != nil {
			list = append(list, EvidenceHash{m[1], m[2]})
		}
	}
	return list
}

// parseCounts reads Statistics and Validation Status.
func (c *Compiled) parseCounts(doc *markup.Document) {
	counts := sectionFields(doc, "Statistics")
	for _, s := range statistics(&c.Stats) {
		*s.count, _ = strconv.Atoi(counts.text(s.name))
	}
	status := sectionFields(doc, "Validation Status")
	c.Validation.Schema = Verdict(status.text("Schema"))
	c.Validation.ThirdAlternative = Presence(status.text("Third Alternative"))
	if m := linterCounts().FindStringSubmatch(status.text("Linter")); m != nil {
		c.Validation.Warnings, _ = strconv.Atoi(m[1])
		c.Validation.Errors, _ = strconv.Atoi(m[2])
	}
}

// Contributions reads the table of contributors of a COMPILED body, without looking at the artifact in it.
func Contributions(body string) []Contribution {
	if at := strings.Index(body, "\n## Full Artifact"); at >= 0 {
		body = body[:at]
	}
	return parseContributions(markup.Parse(body))
}

// parseContributions reads the table of contributors, or a plain list of names.
func parseContributions(doc *markup.Document) []Contribution {
	s, ok := doc.Section("Contributors")
	if !ok {
		return nil
	}
	var all []Contribution
	t, ok := tableOf(doc, s.Start, s.End)
	if !ok {
		for _, name := range contributorNames(doc, s) {
			all = append(all, Contribution{Agent: name})
		}
		return all
	}
	for _, row := range t.rows {
		c := Contribution{Agent: cell(row, 0), Program: cell(row, t.column("Program")), Model: cell(row, t.column("Model"))}
		if c.Agent == "" || strings.HasPrefix(c.Agent, moreMark) {
			continue
		}
		c.Deltas, _ = strconv.Atoi(cell(row, 1))
		for item := range strings.SplitSeq(cell(row, 2), ",") {
			if item = strings.Trim(item, blanks); item != "" && !strings.HasPrefix(item, moreMark) {
				c.Items = append(c.Items, item)
			}
		}
		all = append(all, c)
	}
	return all
}

func parseChanges(doc *markup.Document, heading string) []Change {
	var changes []Change
	for _, text := range parseList(doc, heading) {
		item, rest, _ := strings.Cut(text, ": ")
		changes = append(changes, Change{item, rest})
	}
	return changes
}

// parseList reads the items of a section's list.
func parseList(doc *markup.Document, heading string) []string {
	s, ok := doc.Section(heading)
	if !ok {
		return nil
	}
	var items []string
	for l := range prose(doc, s.Start, s.End) {
		if text, listed := unlisted(l.text); listed && !strings.HasPrefix(text, moreMark) {
			items = append(items, unescape(text))
		}
	}
	return items
}
