package lint

import (
	"brenner/internal/artifact"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// checkTests checks what WT asks beyond presence.
func checkTests(l *linter) {
	if l.asks(protocol.WT101) {
		for _, it := range l.active[artifact.DiscriminativeTests] {
			checkDiscriminates(l, it)
		}
	}
	if l.Outline != nil {
		checkRanking(l)
	}
}

// hypothesisWord is an id that is a word of its own: H3 but not H3K27me3.
var hypothesisWord = pattern.Lazy(`\bH[1-9]\d{0,8}\b`)

// checkDiscriminates checks WT-101: the field names hypotheses, and those exist. Killed ones
// do.
func checkDiscriminates(l *linter, it *artifact.Item) {
	named := hypothesisWord().FindAllString(it.Text(artifact.Discriminates), -1)
	if len(named) == 0 {
		l.addItem(it, artifact.Discriminates, protocol.NewFinding(protocol.WT101, "%s does not say which hypotheses it discriminates.",
			it.ID))
	}
	seen := map[string]bool{}
	for _, h := range named {
		if !seen[h] && !l.exists[artifact.ItemID(h)] {
			l.addItem(it, artifact.Discriminates, protocol.NewFinding(protocol.WT101, "%s discriminates %s, which does not exist.", it.ID,
				h))
		}
		seen[h] = true
	}
}

// checkRanking checks WT-002: the tests of a file are ordered by total score, highest first,
// unscored last. A fold ranks them itself.
func checkRanking(l *linter) {
	var before *artifact.Item
	for _, mark := range l.Outline.Tests {
		it := l.Document.Artifact.Item(mark.ID)
		if it == nil || !it.Active() {
			continue
		}
		if before != nil && rankedBefore(it, before) {
			l.addItem(it, artifact.ScoreField, protocol.NewFinding(protocol.WT002, "%s scores higher than %s, which comes before it.",
				it.ID, before.ID))
		}
		before = it
	}
}

func rankedBefore(a, b *artifact.Item) bool {
	x, xScored := a.Score().Total()
	y, yScored := b.Score().Total()
	return xScored && (!yScored || x > y)
}
