package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact"
)

// RenderCompiled writes the body of a COMPILED message: every part of the extended schema,
// then Conflicts, Rejected Deltas and, where there is a pack, Evidence (PROTOCOL 10, SCIENCE 1). With at least one contributor, and an
// artifact of its own version, it passes Check without findings; ParseCompiled reads it.
func RenderCompiled(c Compiled) string {
	var b strings.Builder
	b.Grow(min(len(c.Artifact), maxInlineArtifact) + 4<<10)
	fmt.Fprintf(&b, "# Compiled Artifact v%d\n\n", c.Version)
	c.writeMetadata(&b)
	fmt.Fprintf(&b, "## Summary\n\n%s\n\n", paragraph(c.summary()))
	c.writeContributors(&b)
	c.writeChanges(&b)
	c.writeStatistics(&b)
	c.writeValidation(&b)
	fmt.Fprintf(&b, "## Persistence\n\n- **Artifact Path**: `%s`\n- **Status**: Draft\n\n", ArtifactPath(c.ThreadID))
	c.writeArtifact(&b)
	b.WriteString("## Conflicts\n\n")
	writeList(&b, c.Conflicts)
	b.WriteString("\n## Rejected Deltas\n\n")
	writeCounted(&b, c.Rejected, c.MoreRejected)
	c.writeEvidence(&b)
	return b.String()
}

// writeEvidence lists the cited sources, all of them: verify compares each.
func (c Compiled) writeEvidence(b *strings.Builder) {
	if c.Evidence == nil {
		return
	}
	b.WriteString("\n## Evidence\n\n")
	if len(c.Evidence) == 0 {
		b.WriteString(nothing + "\n")
	}
	for _, e := range c.Evidence {
		fmt.Fprintf(b, "- %s: `%s`\n", e.ID, e.SHA256)
	}
}

func (c Compiled) writeMetadata(b *strings.Builder) {
	fmt.Fprintf(b, "## Metadata\n\n- **Thread ID**: %s\n- **Version**: v%d\n", escape(c.ThreadID), c.Version)
	if c.Previous > 0 {
		fmt.Fprintf(b, "- **Previous Version**: v%d\n", c.Previous)
	}
	fmt.Fprintf(b, "- **Compiled At**: %s\n- **Compiler**: %s\n", artifact.FormatTime(c.CompiledAt), escape(c.Compiler))
	if c.Through > 0 {
		fmt.Fprintf(b, "- **Through message**: #%d\n", c.Through)
	}
	b.WriteByte('\n')
}

// writeContributors writes the table of contributors. It says what was registered of them, where anything was: a crate knows
// nothing else of senders whom no roster names (SCIENCE 9).
func (c Compiled) writeContributors(b *strings.Builder) {
	head, rule := "| Agent | Delta Count | Items Added/Modified |", "|-------|-------------|---------------------|"
	registered := slices.ContainsFunc(c.Contributors, func(row Contribution) bool { return row.Program+row.Model != "" })
	if registered {
		head, rule = head+" Program | Model |", rule+"---------|-------|"
	}
	b.WriteString("## Contributors\n\n" + head + "\n" + rule + "\n")
	for i, row := range c.Contributors {
		if i == maxLines {
			writeRow(b, more(len(c.Contributors)-maxLines), "", "")
			break
		}
		items := row.Items
		if len(items) > maxRowItems {
			items = append(items[:maxRowItems:maxRowItems], more(len(row.Items)-maxRowItems))
		}
		cells := []string{row.Agent, strconv.Itoa(row.Deltas), strings.Join(items, ", ")}
		if registered {
			cells = append(cells, row.Program, row.Model)
		}
		writeRow(b, cells...)
	}
	b.WriteByte('\n')
}

func (c Compiled) writeChanges(b *strings.Builder) {
	fmt.Fprintf(b, "## Changes from v%d\n\n", c.Previous)
	none := true
	for _, kind := range c.Changes.kinds() {
		if len(kind.changes) == 0 {
			continue
		}
		none = false
		fmt.Fprintf(b, "### %s (%d)\n\n", kind.name, len(kind.changes))
		lines := make([]string, len(kind.changes))
		for i, change := range kind.changes {
			lines[i] = change.Item
			if change.Text != "" {
				lines[i] += ": " + change.Text
			}
		}
		writeList(b, lines)
		b.WriteByte('\n')
	}
	if none {
		b.WriteString(nothing + "\n\n")
	}
}

// statistics names the counts in the order of the specification; rendering and parsing go
// through it.
func statistics(s *artifact.Stats) []struct {
	name  string
	count *int
} {
	return []struct {
		name  string
		count *int
	}{
		{"Hypotheses", &s.Hypotheses}, {"Predictions", &s.Predictions}, {"Tests", &s.Tests},
		{"Assumptions", &s.Assumptions}, {"Anomalies", &s.Anomalies}, {"Critiques", &s.Critiques},
	}
}

func (c Compiled) writeStatistics(b *strings.Builder) {
	b.WriteString("## Statistics\n\n- Research Thread: 1\n")
	for _, s := range statistics(&c.Stats) {
		fmt.Fprintf(b, "- %s: %d\n", s.name, *s.count)
	}
	b.WriteByte('\n')
}

func (c Compiled) writeValidation(b *strings.Builder) {
	v := c.Validation
	fmt.Fprintf(b, "## Validation Status\n\n- Schema: %s\n- Linter: %d warnings, %d errors\n- Third Alternative: %s\n\n",
		v.Schema, v.Warnings, v.Errors, v.ThirdAlternative)
}

// writeArtifact puts the artifact into one fence longer than any inside it, or links to it
// where it is too large.
func (c Compiled) writeArtifact(b *strings.Builder) {
	b.WriteString("## Full Artifact\n\n")
	if c.Hash != "" {
		fmt.Fprintf(b, "- **Artifact Hash**: `%s`\n\n", c.Hash)
	}
	if c.Artifact == "" || len(c.Artifact) > maxInlineArtifact {
		fmt.Fprintf(b, "[Artifact v%d](%s)\n\n", c.Version, ArtifactLink(c.ThreadID, c.Version))
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(c.Artifact)+1))
	b.WriteString(fence + "markdown\n" + c.Artifact)
	if !strings.HasSuffix(c.Artifact, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(fence + "\n\n")
}

// longestRun returns the length of the longest run of backticks or tildes.
func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		switch {
		case text[i] != '`' && text[i] != '~':
			run = 0
			continue
		case run > 0 && text[i] == text[i-1]:
			run++
		default:
			run = 1
		}
		longest = max(longest, run)
	}
	return longest
}

// nothing is what an empty list says.
const nothing = "None."

// writeList writes lines of text as a list, cut with a count.
func writeList(b *strings.Builder, lines []string) { writeCounted(b, lines, 0) }

// writeCounted is writeList where further entries are known by their number only.
func writeCounted(b *strings.Builder, lines []string, unlisted int) {
	if len(lines)+unlisted == 0 {
		b.WriteString(nothing + "\n")
	}
	shown := min(len(lines), maxLines)
	for _, text := range lines[:shown] {
		b.WriteString("- " + paragraph(clip(oneLine(text), maxLineBytes)) + "\n")
	}
	if left := len(lines) - shown + unlisted; left > 0 {
		b.WriteString("- " + more(left) + "\n")
	}
}

const moreMark = "… and "

// more says how many entries of a list are left out.
func more(left int) string { return moreMark + strconv.Itoa(left) + " more" }

// paragraph writes a text of one line as a paragraph: nothing at its beginning opens a
// heading, a list, a quote, a fence or a definition, nor looks like the subject of a DELTA.
func paragraph(text string) string {
	text = escape(text)
	if rest, ok := strings.CutPrefix(text, "DELTA["); ok {
		return `DELTA\[` + rest
	}
	if text != "" && strings.ContainsRune("#>+-~=:[", rune(text[0])) {
		return `\` + text
	}
	if digits := strings.TrimLeft(text, "0123456789"); digits != "" && len(digits) < len(text) && (digits[0] == '.' || digits[0] == ')') {
		return text[:len(text)-len(digits)] + `\` + digits
	}
	return text
}
