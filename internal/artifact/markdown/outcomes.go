package markdown

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/pattern"
)

// notApplicable precedes what was recorded for a hypothesis that has been killed since
// (PROTOCOL 7); the data keeps the text.
const notApplicable = "N/A"

// hypotheses knows which keys of a map are killed hypotheses.
type hypotheses map[string]bool

func killedHypotheses(a *artifact.Artifact) hypotheses {
	dead := hypotheses{}
	for _, it := range a.Items(artifact.HypothesisSlate) {
		if !it.Active() {
			dead[string(it.ID)] = true
		}
	}
	return dead
}

// appendMap writes a map as a list of `- key: text`.
func appendMap(b []byte, m artifact.Map, dead hypotheses) []byte {
	b = append(b, '\n')
	for i, pair := range m {
		if i == 0 {
			b = append(b, '\n')
		}
		b = append(append(append(b, "- "...), mapKey(pair.Key)...), ':')
		if dead[pair.Key] {
			b = append(append(b, ' '), notApplicable+" "+strike(pair.Text)...)
			b = append(b, '\n')
			continue
		}
		b = appendText(b, pair.Text)
	}
	return b
}

// mapKey writes a key so that readKey gives it back.
func mapKey(key string) string {
	w := writing{plain: true, also: ":*", guard: noGuard}
	if text := w.singleOrEmpty(key); readKey(text) == key {
		return text
	}
	w.guard = 0
	return w.single(key)
}

// decoratedKey is how people write the key of a hypothesis: If H1, H1 predicts, H1 (lineage).
var decoratedKey = pattern.Lazy(`^(?i:if |under )?(H[1-9][0-9]{0,8})(?i: predicts| \([^()]*\))?$`)

// readKey reads a key of a map or a column.
func readKey(raw string) string {
	if m := decoratedKey().FindStringSubmatch(raw); m != nil {
		return m[1]
	}
	return readEmpty(raw)
}

// splitPair splits a bullet into its key and what is beside it.
func splitPair(line string) (key, rest string, ok bool) {
	if label, rest, ok := splitLabel(line); ok {
		return readKey(label), rest, true
	}
	for i := range len(line) {
		if line[i] == ':' && (i+1 == len(line) || isBlank(line[i+1])) {
			return readKey(trim(line[:i])), line[i+1:], trim(line[:i]) != ""
		}
	}
	return "", "", false
}

// readOutcome reads the text beside a key, or in a cell, that belongs to a killed hypothesis.
func readOutcome(raw string) (text string, recorded bool) {
	rest := raw
	if len(raw) >= len(notApplicable) && strings.EqualFold(raw[:len(notApplicable)], notApplicable) {
		if rest = trim(raw[len(notApplicable):]); rest == "" {
			return "", false
		}
	}
	if inner, ok := cutAround(rest, "~~"); ok {
		return readEmpty(inner), true
	}
	return readEmpty(raw), true
}
