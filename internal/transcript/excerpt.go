package transcript

import (
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/protocol"
)

// Sizes of an excerpt: beyond the first a reader tires, beyond the second a KICKOFF would.
const (
	longExcerpt = 16 << 10
	maxExcerpt  = 256 << 10
	maxSections = 200
)

// ParseSelection reads "12,14-16" into section numbers, in the order given, each once.
func ParseSelection(text string) ([]int, error) {
	var numbers []int
	seen := map[int]bool{}
	for part := range strings.SplitSeq(text, ",") {
		from, to, err := parseRange(part)
		if err != nil {
			return nil, err
		}
		for n := from; n <= to; n++ {
			if !seen[n] {
				seen[n] = true
				numbers = append(numbers, n)
			}
		}
		if len(numbers) > maxSections {
			return nil, protocol.Errorf(protocol.InvalidInput, "%q names more than %d sections", text, maxSections)
		}
	}
	return numbers, nil
}

func parseRange(text string) (from, to int, err error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "§", "")
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(low))
	to, err2 := strconv.Atoi(strings.TrimSpace(high))
	if err1 != nil || err2 != nil || from < 0 || to < from || to-from > maxSections {
		return 0, 0, protocol.Errorf(protocol.InvalidInput,
			"%q is not a section or a range of sections; write 12 or 14-16", text)
	}
	return from, to, nil
}

// Excerpt quotes sections with their citations, as a KICKOFF carries them. Sections that are
// not there are errors; an excerpt that is too long to be read is a warning.
func (t *Transcript) Excerpt(numbers []int) (string, []protocol.Finding) {
	var b strings.Builder
	var findings []protocol.Finding
	for _, n := range numbers {
		s, ok := t.Section(n)
		if !ok {
			findings = append(findings, protocol.NewFinding(protocol.SectionNotFound, "the transcript has no §%d", n).
				WithFix("%s", t.nearest(n)))
			continue
		}
		if s.Text == "" {
			findings = append(findings, protocol.NewFinding(protocol.ExcerptEmpty, "§%d has no text", n))
		}
		s.quote(&b)
	}
	switch {
	case b.Len() > maxExcerpt:
		findings = append(findings, protocol.NewFinding(protocol.ExcerptTooLong,
			"the excerpt has %d KiB; at most %d KiB fit a message", b.Len()>>10, maxExcerpt>>10))
	case b.Len() > longExcerpt:
		findings = append(findings, protocol.NewFinding(protocol.ExcerptLong, "the excerpt has %d KiB", b.Len()>>10))
	}
	return strings.TrimSpace(b.String()), findings
}

func (s Section) quote(b *strings.Builder) {
	if s.Title != "" {
		fmt.Fprintf(b, "> **§%d** %s\n>\n", s.Number, s.Title)
	}
	for line := range strings.SplitSeq(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n") {
		b.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	fmt.Fprintf(b, "> (§%d)\n\n", s.Number)
}

func (t *Transcript) nearest(n int) string {
	if len(t.sections) == 0 {
		return "number the sections of the transcript: a line §1, then its text"
	}
	best := t.sections[0].Number
	for _, s := range t.sections {
		if abs(s.Number-n) < abs(best-n) {
			best = s.Number
		}
	}
	return fmt.Sprintf("the nearest section is §%d, of %d in all", best, len(t.sections))
}

func abs(n int) int { return max(n, -n) }
