package markdown

import (
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/pattern"
)

// appendScore writes the parts of a score after their total. Parts that the rubric does not
// name are written as JSON.
func appendScore(b []byte, s artifact.Score) []byte {
	if len(s) == 0 {
		return append(b, '\n')
	}
	total, _ := s.Total()
	parts := make([]string, len(s))
	for i, p := range s {
		parts[i] = strings.ReplaceAll(p.Name, "_", " ") + " " + p.Number
	}
	line := artifact.FormatTotal(total) + "/12 (" + strings.Join(parts, ", ") + ")"
	if read, ok := readScoreLine(line); !ok || !slices.Equal(read, s) {
		line = codeJSON(string(artifact.AppendValue(nil, s)))
	}
	return append(append(append(b, ' '), line...), '\n')
}

var scorePart = pattern.Lazy(`(?i)\b(likelihood[ _]ratio|lr|cost|speed|ambiguity)\*{0,2}\s*[:=]?\*{0,` +
	`2}\s*(-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)`)

// readScoreLine reads a score from one line, in our form or in one that people write
// (LR=3, Cost: 2). It is false if there is no part in it, or a number that is none.
func readScoreLine(line string) (artifact.Score, bool) {
	if object := uncode(line); strings.HasPrefix(object, "{") {
		return readScoreJSON(object)
	}
	var parts []artifact.Part
	for _, m := range scorePart().FindAllStringSubmatch(line, -1) {
		name := strings.ReplaceAll(strings.ToLower(m[1]), " ", "_")
		if name == "lr" {
			name = artifact.ScoreParts[0]
		}
		twice := slices.ContainsFunc(parts, func(p artifact.Part) bool { return p.Name == name })
		if twice || !json.Valid([]byte(m[2])) {
			return nil, false
		}
		parts = append(parts, artifact.Part{Name: name, Number: m[2]})
	}
	return artifact.NewScore(parts...), len(parts) > 0
}

func readScoreJSON(object string) (artifact.Score, bool) {
	members, err := readObject(object)
	if err != nil {
		return nil, false
	}
	parts := make([]artifact.Part, len(members))
	for i, m := range members {
		if c := m.value[0]; c != '-' && (c < '0' || c > '9') {
			return nil, false
		}
		parts[i] = artifact.Part{Name: m.name, Number: m.value}
	}
	return artifact.NewScore(parts...), true
}
