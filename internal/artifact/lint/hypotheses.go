package lint

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// checkHypotheses checks what EH and WH ask beyond presence and number.
func checkHypotheses(l *linter) {
	slate, all := l.active[artifact.HypothesisSlate], l.Document.Artifact.Items(artifact.HypothesisSlate)
	if len(slate) == 0 && len(all) > 0 {
		l.addSection(artifact.HypothesisSlate, protocol.NewFinding(protocol.WH101, "No hypothesis is active: all %d were killed.",
			len(all)))
	}
	if len(slate) > artifact.MaxActiveHypotheses {
		l.addSection(artifact.HypothesisSlate, protocol.NewFinding(protocol.EH002,
			"There are %d active hypotheses, at most %d are allowed.", len(slate), artifact.MaxActiveHypotheses))
	}
	if !slices.ContainsFunc(all, (*artifact.Item).IsThirdAlternative) {
		l.addSection(artifact.HypothesisSlate,
			protocol.NewFinding(protocol.EH003, "No hypothesis, active or killed, is a third alternative."))
	}
	for _, it := range slate {
		for i, text := range it.List(artifact.Anchors) {
			l.checkAnchor(it, i, text)
		}
	}
}

// checkAnchor checks WH-002 and WH-003. An anchor of no known form breaks the first; if it
// does not even carry [inference], it breaks the second too.
func (l *linter) checkAnchor(it *artifact.Item, i int, text string) {
	a := artifact.ParseAnchor(text)
	if a.Form != artifact.AnchorUnknown || blankText(text) {
		return
	}
	path := place(artifact.Anchors, i)
	l.addItem(it, path, protocol.NewFinding(protocol.WH002, "The anchor %q of %s has none of the known forms.", text, it.ID))
	if !a.Labelled {
		l.addItem(it, path, protocol.NewFinding(protocol.WH003, "The anchor %q of %s is not labelled [inference].", text, it.ID).
			WithFix("Write %q, or one of the known forms.", strings.TrimSpace(text)+" [inference]"))
	}
}

// place is the path of an element of a list.
func place(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
