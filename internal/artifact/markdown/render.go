package markdown

import (
	"strconv"
	"strings"

	"brenner/internal/artifact"
)

const titlePrefix = "Brenner Protocol Artifact"

// Render writes the document as Markdown (PROTOCOL 8). The same document always gives the
// same bytes, and Parse gives the document back.
func Render(doc artifact.Document) string {
	b := appendFrontMatter(nil, doc.Metadata)
	b = append(b, "\n# "+titlePrefix...)
	if doc.Metadata.SessionID != "" {
		b = append(append(b, ": "...), titleText(doc.Metadata.SessionID)...)
	}
	b = append(b, '\n')
	dead := killedHypotheses(doc.Artifact)
	for _, s := range artifact.Sections() {
		b = append(b, "\n## "...)
		b = strconv.AppendInt(b, int64(s)+1, 10)
		b = append(append(b, ". "...), s.Title()...)
		b = append(b, '\n')
		b = appendSection(b, doc.Artifact, s, dead)
	}
	return string(b)
}

// titleText writes the session id so that a heading does not lose its end.
func titleText(id string) string {
	text := single(id)
	if cutClosing(text) != text {
		return string(appendReference([]byte(text[:len(text)-1]), '#'))
	}
	return text
}

// emptySections say that they are empty: section 6 in the words of PROTOCOL 8, because
// EX-002 asks for it.
var emptySections = map[artifact.Section]string{
	artifact.ResearchThread:      "*Not stated yet.*",
	artifact.HypothesisSlate:     "*None yet: no hypothesis has been proposed.*",
	artifact.PredictionsTable:    "*None yet: no prediction has been made.*",
	artifact.DiscriminativeTests: "*None yet: no test has been designed.*",
	artifact.AssumptionLedger:    "*None yet: no assumption has been written down.*",
	artifact.AnomalyRegister:     "**None registered**: no observation stands against the framing so far.",
	artifact.AdversarialCritique: "*None yet: nobody has attacked the framing.*",
}

func appendSection(b []byte, a *artifact.Artifact, s artifact.Section, dead hypotheses) []byte {
	before := len(b)
	switch {
	case s == artifact.ResearchThread:
		b = appendBody(b, a.Thread, dead)
	case s == artifact.PredictionsTable && len(a.Items(s)) > 0:
		b = appendPredictions(b, a, dead)
	default:
		for _, it := range a.Ordered(s) {
			b = appendHeading(append(b, '\n'), it)
			b = appendBody(b, it, dead)
		}
	}
	if len(b) == before {
		b = append(append(append(b, '\n'), emptySections[s]...), '\n')
	}
	return b
}

// saysEmpty tells whether a text says that a section has nothing.
func saysEmpty(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r < 'a' && r != '/' || r > 'z'
	})
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "none", "no", "not", "nothing", "n/a", "empty":
		return true
	}
	return false
}
