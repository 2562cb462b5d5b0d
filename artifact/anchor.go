package artifact

import (
	"regexp"
	"strconv"
	"strings"
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
	sectionForm  = regexp.MustCompile(`^§([1-9]\d{0,8})(?:-§?([1-9]\d{0,8}))?$`)
	evidenceForm = regexp.MustCompile(`^(EV-\d{3,9})(?:#(E[1-9]\d{0,8}))?$`)
	externalForm = regexp.MustCompile(`^\[external:[^\]]*[^\]\s][^\]]*\]$`)
	citationForm = regexp.MustCompile(`§(\d{1,9})(?:-§?(\d{1,9}))?|\b(EV-\d{3,9})(?:#(E\d{1,9}))?\b`)
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
	case externalForm.MatchString(text):
		return AnchorExternal, nil
	}
	return citing(text)
}

// citing reads the forms that point at a source of the project.
func citing(text string) (AnchorForm, []Citation) {
	if m := evidenceForm.FindStringSubmatch(text); m != nil {
		return AnchorEvidence, []Citation{{Evidence: m[1], Excerpt: m[2]}}
	}
	m := sectionForm.FindStringSubmatch(text)
	if m == nil {
		return AnchorUnknown, nil
	}
	c := sections(m[1], m[2])
	if m[2] != "" && c.Last <= c.First { // ranges ascend
		return AnchorUnknown, nil
	}
	return AnchorSection, []Citation{c}
}

// Citations finds every §n and EV-nnn in a text, in order.
func Citations(text string) []Citation {
	if !strings.Contains(text, "§") && !strings.Contains(text, "EV-") {
		return nil
	}
	var found []Citation
	for _, m := range citationForm.FindAllStringSubmatch(text, -1) {
		if m[3] != "" {
			found = append(found, Citation{Evidence: m[3], Excerpt: m[4]})
			continue
		}
		c := sections(m[1], m[2])
		if c.Last < c.First { // no range, as ranges ascend: two places
			found = append(found, Citation{First: c.First, Last: c.First})
			c.First = c.Last
		}
		found = append(found, c)
	}
	return found
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
