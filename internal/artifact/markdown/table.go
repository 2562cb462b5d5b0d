package markdown

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// maxColumns bounds the predictions table: with thousands of killed hypotheses or stray keys
// it would grow with rows times columns. What has no column is below the table.
const maxColumns = 60

// columns returns the keys that have a column: every active hypothesis, then killed ones and
// keys that are no hypothesis as long as there is room.
func columns(a *artifact.Artifact) []string {
	known := map[string]bool{}
	room := maxColumns - len(a.Active(artifact.HypothesisSlate))
	var keys []string
	for _, it := range a.Items(artifact.HypothesisSlate) {
		known[string(it.ID)] = true
		if it.Active() {
			keys = append(keys, string(it.ID))
		} else if room > 0 {
			keys = append(keys, string(it.ID))
			room--
		}
	}
	var others []string
	for _, it := range a.Items(artifact.PredictionsTable) {
		for _, pair := range it.Map(artifact.Predictions) {
			if !known[pair.Key] {
				known[pair.Key] = true
				others = append(others, pair.Key)
			}
		}
	}
	slices.SortFunc(others, artifact.CompareKeys)
	keys = append(keys, others[:min(len(others), max(room, 0))]...)
	slices.SortFunc(keys, artifact.CompareKeys)
	return keys
}

// appendPredictions writes the table, and below it what rows carry beyond their cells.
func appendPredictions(b []byte, a *artifact.Artifact, dead hypotheses) []byte {
	keys := columns(a)
	place := make(map[string]int, len(keys))
	b = append(b, "\n| ID | Condition |"...)
	for i, key := range keys {
		place[key] = i
		b = append(append(append(b, ' '), pipes(mapKey(key))...), " |"...)
	}
	b = append(b, '\n')
	b = append(b, strings.Repeat("| --- ", len(keys)+2)...)
	b = append(b, "|\n"...)
	items := a.Items(artifact.PredictionsTable)
	for _, it := range items {
		b = appendRow(b, it, keys, place, dead)
	}
	for _, it := range items {
		b = appendDetails(b, it, place, dead)
	}
	return b
}

func appendRow(b []byte, it *artifact.Item, keys []string, place map[string]int, dead hypotheses) []byte {
	b = append(append(b, "| "...), it.ID...)
	if !it.Active() {
		b = append(b, " "+markKilled...)
	}
	b = append(b, " |"...)
	condition, _ := it.Get(artifact.Condition).(artifact.Text)
	style := cellStyle{given: it.Get(artifact.Condition) != nil, struck: !it.Active()}
	b = appendCell(b, string(condition), style)
	pairs := it.Map(artifact.Predictions)
	for i, key := range keys {
		for len(pairs) > 0 && !inColumn(pairs[0].Key, place, i) {
			pairs = pairs[1:] // it has no column: see appendDetails
		}
		style.dead, style.given = dead[key], len(pairs) > 0 && pairs[0].Key == key
		var text string
		if style.given {
			text, pairs = pairs[0].Text, pairs[1:]
		}
		b = appendCell(b, text, style)
	}
	return append(b, '\n')
}

// inColumn tells whether a key has its column at i or later.
func inColumn(key string, place map[string]int, i int) bool {
	at, ok := place[key]
	return ok && at >= i
}

// cellStyle says whether there is anything in a cell, and whose it is: of a killed row, of a
// killed hypothesis.
type cellStyle struct{ given, struck, dead bool }

func appendCell(b []byte, text string, style cellStyle) []byte {
	var cell string
	switch {
	case style.dead && !style.given:
		cell = notApplicable
	case !style.given:
	case style.dead:
		cell = notApplicable + " " + strike(text)
	case style.struck:
		cell = strike(text)
	default:
		cell = writing{guard: noGuard, cells: true}.singleOrEmpty(text)
	}
	if cell != "" {
		b = append(append(b, ' '), pipes(cell)...)
	}
	return append(b, " |"...)
}

// pipes escapes the pipes of a cell as tables want it.
func pipes(cell string) string { return strings.ReplaceAll(cell, "|", `\|`) }

// appendDetails writes what a row has no cell for.
func appendDetails(b []byte, it *artifact.Item, place map[string]int, dead hypotheses) []byte {
	shown := []string{artifact.Condition, artifact.Predictions}
	body := appendBody(nil, it, dead, shown...)
	predictions, given := it.Get(artifact.Predictions).(artifact.Map)
	var rest artifact.Map
	for _, pair := range predictions {
		if _, ok := place[pair.Key]; !ok {
			rest = append(rest, pair)
		}
	}
	if len(rest) > 0 || given && len(predictions) == 0 {
		body = appendMap(appendLabel(body, "Predictions"), rest, dead)
	}
	if len(body) == 0 {
		return b
	}
	return append(appendHeading(append(b, '\n'), it), body...)
}
