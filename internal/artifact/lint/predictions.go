package lint

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkPredictions checks what EP, WP and IP ask beyond number. An active prediction is a
// row; a column is there if some row gives its hypothesis an outcome, so that a thread and
// its file are judged alike.
func checkPredictions(l *linter) {
	if l.Outline != nil {
		checkTable(l)
	}
	rows := l.active[artifact.PredictionsTable]
	slate := l.hypotheses()
	columns := map[string]bool{}
	for _, row := range rows {
		for _, p := range row.Map(artifact.Predictions) {
			if !columns[p.Key] {
				columns[p.Key] = true
				checkColumn(l, row, p.Key)
			}
		}
	}
	for _, h := range slate {
		if len(rows) > 0 && !columns[string(h)] {
			l.addSection(artifact.PredictionsTable, protocol.NewFinding(protocol.EP003, "No prediction says what %s expects.", h).
				In(artifact.Predictions+"."+string(h)).WithFix("EDIT a prediction with an outcome for %s.", h))
		}
	}
	shown := slices.DeleteFunc(slices.Clone(slate), func(h artifact.ItemID) bool { return !columns[string(h)] })
	for _, row := range rows {
		checkRow(l, row, shown)
	}
}

// checkTable checks what only a file can break: EP-002, and WP-002 where there is a column
// for ids.
func checkTable(l *linter) {
	t := l.Outline.Table
	if t.Line > 0 && !t.HasID {
		l.add(sectionPart(artifact.PredictionsTable), t.Line,
			protocol.NewFinding(protocol.EP002, "The predictions table has no ID column."))
		return
	}
	for _, line := range t.NoID {
		l.add(sectionPart(artifact.PredictionsTable), line,
			protocol.NewFinding(protocol.WP002, "A row of the predictions table has no id."))
	}
}

// checkColumn checks WP-101. A killed hypothesis keeps its column.
func checkColumn(l *linter, row *artifact.Item, key string) {
	if id, s, _, ok := artifact.ParseItemID(key); ok && s == artifact.HypothesisSlate && l.exists[id] {
		return
	}
	l.addItem(row, artifact.Predictions+"."+key, protocol.NewFinding(protocol.WP101,
		"%s makes a prediction for %q, which is no hypothesis of the slate.", row.ID, key))
}

// checkRow checks IP-001 for the active hypotheses that have a column, as the others are EP-003's affair, and WP-001 for
// all, killed ones included.
func checkRow(l *linter, row *artifact.Item, active []artifact.ItemID) {
	outcomes, _ := Outcomes(row, active)
	for i, h := range active {
		if outcomes[i] == Blank {
			l.addItem(row, artifact.Predictions+"."+string(h), protocol.NewFinding(protocol.IP001, "%s has no outcome for %s.", row.ID, h))
		}
	}
	if _, distinct := Outcomes(row, l.all); distinct < 2 {
		l.addItem(row, artifact.Predictions, protocol.NewFinding(protocol.WP001, "%s does not tell any two hypotheses apart.", row.ID))
	}
}

// Blank is the outcome of a hypothesis about which a prediction says nothing.
const Blank = -1

// Outcomes says how a prediction tells hypotheses apart: for each of them the number of its
// outcome, from 0 in order of appearance and the same for the same outcome, or Blank; and how many
// different outcomes there are. Case and spacing make no difference (WP-001).
func Outcomes(row *artifact.Item, hypotheses []artifact.ItemID) (numbers []int, distinct int) {
	known := map[string]int{}
	predictions := row.Map(artifact.Predictions)
	numbers = make([]int, len(hypotheses))
	for i, h := range hypotheses {
		text, _ := predictions.Get(string(h))
		if blankText(text) {
			numbers[i] = Blank
			continue
		}
		key := plain(text)
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		numbers[i] = known[key]
	}
	return numbers, len(known)
}
