package artifact

import (
	"strconv"
	"strings"

	"brenner/internal/pattern"
)

// AnchorForm is the kind of source that an anchor names (PROTOCOL 6).
type AnchorForm uint8

// The forms of an anchor.
const (
	AnchorUnknown   AnchorForm = iota // none of the forms of the protocol
	AnchorSection                     // §12, §12-14, §12-§14
	AnchorEvidence                    // EV-001, EV-001#E2
	AnchorInference                   // inference, [inference] from §12
	AnchorExternal                    // [external: Smith 2020]
	AnchorAxiomatic                   // [axiomatic]
)

// Anchor is where a statement comes from.
type Anchor struct {
	Form      AnchorForm
	Labelled  bool       // it carries [inference], whatever its form
	Citations []Citation // what it cites, for the forms that cite
}

// Citation points into the project's sources: at sections of the transcript, or at an
// entry of the evidence pack.
type Citation struct {
	First, Last int    // §First to §Last; 0 if it cites evidence
	Evidence    string // EV-001; empty if it cites sections
	Excerpt     string // E2; empty if the whole entry is cited
}

const inferenceLabel = "[inference]"

var (
	sectionForm  = pattern.Lazy(`^§([1-9]\d{0,8})(?:-§?([1-9]\d{0,8}))?$`)
	evidenceForm = pattern.Lazy(`^(EV-\d{3,9})(?:#(E[1-9]\d{0,8}))?$`)
	externalForm = pattern.Lazy(`^\[external:[^\]]*[^\]\s][^\]]*\]$`)
)

// ParseAnchor reads an anchor. One that has none of the forms comes back as AnchorUnknown,
// with its label if it has one.
func ParseAnchor(text string) Anchor {
	text = strings.TrimSpace(text)
	labelled := strings.Contains(text, inferenceLabel)
	core := text
	for strings.HasSuffix(core, inferenceLabel) && core != inferenceLabel {
		core = strings.TrimSpace(strings.TrimSuffix(core, inferenceLabel))
	}
	form, citations := anchorForm(core)
	return Anchor{form, labelled, citations}
}

func anchorForm(text string) (AnchorForm, []Citation) {
	if source, ok := strings.CutPrefix(text, inferenceLabel+" from "); ok {
		if form, citations := citing(strings.TrimSpace(source)); form != AnchorUnknown {
			return AnchorInference, citations
		}
		return AnchorUnknown, nil
	}
	switch {
	case text == "inference":
		return AnchorInference, nil
	case text == "[axiomatic]":
		return AnchorAxiomatic, nil
	case externalForm().MatchString(text):
		return AnchorExternal, nil
	}
	return citing(text)
}

// citing reads the forms that point at a source of the project.
func citing(text string) (AnchorForm, []Citation) {
	if m := evidenceForm().FindStringSubmatch(text); m != nil {
		return AnchorEvidence, []Citation{{Evidence: m[1], Excerpt: m[2]}}
	}
	m := sectionForm().FindStringSubmatch(text)
	if m == nil {
		return AnchorUnknown, nil
	}
	c := sections(m[1], m[2])
	if m[2] != "" && c.Last <= c.First { // ranges ascend
		return AnchorUnknown, nil
	}
	return AnchorSection, []Citation{c}
}

// Citations finds every §n and EV-nnn in a text, in order. It is asked of every text of an
// artifact, so it reads by hand what patterns could say.
func Citations(text string) []Citation {
	var found []Citation
	EachCitation(text, func(_, _ int, c Citation) { found = append(found, c) })
	return found
}

// EachCitation visits every §n and EV-nnn in a text, in order, with the bytes it takes.
func EachCitation(text string, visit func(start, end int, c Citation)) {
	for i := 0; i < len(text); {
		n := 1
		var cited []Citation
		switch {
		case strings.HasPrefix(text[i:], sectionSign):
			cited, n = citedSections(text[i:])
		case strings.HasPrefix(text[i:], evidencePrefix) && (i == 0 || !wordByte(text[i-1])):
			cited, n = citedEvidence(text[i:])
		}
		for _, c := range cited {
			visit(i, i+n, c)
		}
		i += n
	}
}

const (
	sectionSign    = "§"
	evidencePrefix = "EV-"
)

// citedSections reads the citation at the start of a text, and its length. A range that runs
// backwards is none: it cites two places.
func citedSections(text string) ([]Citation, int) {
	first := digits(text[len(sectionSign):])
	n := len(sectionSign) + len(first)
	if first == "" {
		return nil, n
	}
	last := ""
	if rest, ok := strings.CutPrefix(text[n:], "-"); ok {
		rest = strings.TrimPrefix(rest, sectionSign)
		if last = digits(rest); last != "" {
			n = len(text) - len(rest) + len(last)
		}
	}
	c := sections(first, last)
	if c.Last < c.First {
		return []Citation{{First: c.First, Last: c.First}, {First: c.Last, Last: c.Last}}, n
	}
	return []Citation{c}, n
}

func citedEvidence(text string) ([]Citation, int) {
	number := digits(text[len(evidencePrefix):])
	n := len(evidencePrefix) + len(number)
	if len(number) < 3 || n < len(text) && wordByte(text[n]) {
		return nil, n
	}
	c := Citation{Evidence: text[:n]}
	if rest, ok := strings.CutPrefix(text[n:], "#E"); ok && digits(rest) != "" {
		c.Excerpt = "E" + digits(rest)
		n += len("#E") + len(digits(rest))
	}
	return []Citation{c}, n
}

// digits returns the number at the start of a text, at most nine digits of it.
func digits(text string) string {
	n := 0
	for n < len(text) && n < 9 && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n]
}

func wordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

func sections(first, last string) Citation {
	n, _ := strconv.Atoi(first) // at most nine digits, by the patterns
	c := Citation{First: n, Last: n}
	if last != "" {
		c.Last, _ = strconv.Atoi(last)
	}
	return c
}

// String writes the citation in its form.
func (c Citation) String() string {
	switch {
	case c.Excerpt != "":
		return c.Evidence + "#" + c.Excerpt
	case c.Evidence != "":
		return c.Evidence
	case c.Last != c.First:
		return "§" + strconv.Itoa(c.First) + "-" + strconv.Itoa(c.Last)
	}
	return "§" + strconv.Itoa(c.First)
}
