package lint

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkAnomalies checks what EX and WX ask beyond presence. EX-001 comes with ES-001.
func checkAnomalies(l *linter) {
	const s = artifact.AnomalyRegister
	if l.Outline.Section(s) > 0 && len(l.Document.Artifact.Items(s)) == 0 && !l.Outline.ExplicitEmpty(s) {
		l.addSection(s, protocol.NewFinding(protocol.EX002, "The anomaly register is empty and does not say so."))
	}
	for _, it := range l.active[s] {
		for i, name := range it.List(artifact.ConflictsWith) {
			if !blankText(name) && !l.names(strings.TrimSpace(name)) {
				l.addItem(it, place(artifact.ConflictsWith, i), protocol.NewFinding(protocol.WX002,
					"%s conflicts with %q, which is no item of this artifact.", it.ID, name))
			}
		}
	}
}

// names tells whether a text is the id of an item, or of a cell of the predictions table.
func (l *linter) names(text string) bool {
	row, column, isCell := strings.Cut(text, ".")
	if isCell && !strings.HasPrefix(row, artifact.PredictionsTable.Prefix()) {
		return false
	}
	return l.exists[artifact.ItemID(row)] && (!isCell || l.exists[artifact.ItemID(column)])
}
