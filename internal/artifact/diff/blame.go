package diff

import (
	"strings"

	"brenner/internal/artifact"
)

// Line says who wrote a field, as `artifact blame --json` prints it. What is unknown, as in
// an artifact read from a file, is null.
type Line struct {
	Item      artifact.ItemID `json:"item"`
	Field     string          `json:"field"`
	Value     Value           `json:"value"`
	Agent     *string         `json:"agent"`
	MessageID *int64          `json:"message_id"`
	Block     *int            `json:"block"`
	CreatedTS *string         `json:"created_ts"`
	Rationale *string         `json:"rationale"`
}

const killedField = "killed"

// Blame says who wrote each field of an item, or of all items if item is empty; map fields
// key by key. With a field it answers for that one alone: claim, predictions (all its
// keys), predictions.H2, or H2 for that cell of a prediction (P1.H2). A field that was
// cleared is listed with its value null.
func Blame(a *artifact.Artifact, item artifact.ItemID, field string) []Line {
	lines := []Line{}
	for _, s := range artifact.Sections() {
		for _, it := range a.Items(s) {
			if item != "" && it.ID != item {
				continue
			}
			for _, l := range blame(it) {
				if concerns(l.Field, field, s) {
					lines = append(lines, l)
				}
			}
		}
	}
	return lines
}

// ParseAddress splits what a person types after `artifact blame T`: H2, H2.claim,
// P1.predictions.H2 or P1.H2.
func ParseAddress(text string) (artifact.ItemID, string) {
	item, field, _ := strings.Cut(text, ".")
	return artifact.ItemID(item), field
}

func concerns(path, wanted string, s artifact.Section) bool {
	switch {
	case wanted == "" || path == wanted || strings.HasPrefix(path, wanted+"."):
		return true
	case s == artifact.PredictionsTable: // P1.H2 addresses a cell (PROTOCOL 6)
		return path == artifact.Predictions+"."+wanted
	}
	return false
}

func blame(it *artifact.Item) []Line {
	var lines []Line
	add := func(p Path, v artifact.Value) {
		lines = append(lines, line(it.ID, p.String(), v, source(it, p)))
	}
	for _, f := range it.Section.Fields() {
		switch v := it.Get(f.Name); {
		case v == nil && it.Source(f.Name) == nil: // never written
		case f.Kind == artifact.KindMap || f.Kind == artifact.KindScore && partwise(it, f.Name):
			entries, _ := entriesOf(v)
			for _, e := range entries {
				add(Path{Entry, f.Name, e.key}, e.value)
			}
			if len(entries) == 0 {
				add(Path{Kind: Whole, Field: f.Name}, v)
			}
		default:
			add(Path{Kind: Whole, Field: f.Name}, v)
		}
	}
	for _, e := range it.Extra() {
		add(Path{Kind: Extra, Field: e.Name}, e.Value)
	}
	if k := it.Killed; k != nil {
		l := line(it.ID, killedField, artifact.Text(k.Reason), k.Source)
		if k.Source == nil && k.By != "" {
			at := artifact.FormatTime(k.At)
			l.Agent, l.CreatedTS = &k.By, &at
		}
		lines = append(lines, l)
	}
	return lines
}

// partwise tells whether the parts of a score have sources of their own.
func partwise(it *artifact.Item, field string) bool {
	for _, p := range it.Score() {
		if it.Source(field+"."+p.Name) != nil {
			return true
		}
	}
	return false
}

func line(id artifact.ItemID, field string, v artifact.Value, s *artifact.Source) Line {
	l := Line{Item: id, Field: field, Value: Value{v}}
	if s != nil {
		at := artifact.FormatTime(s.At)
		l.Agent, l.MessageID, l.Block, l.CreatedTS = &s.Agent, &s.MessageID, &s.Block, &at
		if s.Rationale != "" {
			l.Rationale = &s.Rationale
		}
	}
	return l
}
