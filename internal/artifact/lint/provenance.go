package lint

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// checkProvenance checks EV-P01, WP-P01 and WP-P02.
func checkProvenance(l *linter) {
	for _, s := range []artifact.Section{artifact.ResearchThread, artifact.HypothesisSlate} {
		for _, it := range l.active[s] {
			checkInference(l, it)
		}
	}
	for _, it := range l.active[artifact.AnomalyRegister] {
		if blank(it.Get(artifact.EvidenceRefs)) && !slices.ContainsFunc(it.Extra(), anchored) {
			l.addItem(it, artifact.EvidenceRefs, protocol.NewFinding(protocol.WPP01, "%s carries neither anchors nor evidence_refs.",
				it.ID))
		}
	}
	if l.Project == nil || l.Project.Library == nil {
		return
	}
	for _, s := range artifact.Sections() {
		for _, it := range l.active[s] {
			checkCitations(l, it)
		}
	}
}

// anchored tells whether an extra field holds anchors: anomalies have no such field of their
// own, so they are kept as written.
func anchored(e artifact.Extra) bool {
	return e.Name == artifact.Anchors && strings.Trim(string(e.Value), "[]{}\" \t\n") != "" && e.Value != "null" && e.Value != "false"
}

// checkInference checks WP-P02: where inference is all there is, it says from what. Beside
// another anchor it has a source already.
func checkInference(l *linter, it *artifact.Item) {
	anchors := it.List(artifact.Anchors)
	if blank(anchors) {
		return
	}
	for _, text := range anchors {
		if a := artifact.ParseAnchor(text); !blankText(text) && !pureInference(text, a) {
			return
		}
	}
	l.addItem(it, artifact.Anchors, protocol.NewFinding(protocol.WPP02, "%s rests on inference alone and does not say from what.",
		subject(it)))
}

func pureInference(text string, a artifact.Anchor) bool {
	return len(a.Citations) == 0 && (a.Form == artifact.AnchorInference || strings.TrimSpace(text) == "[inference]")
}

// checkCitations checks EV-P01, wherever in an item something is cited.
func checkCitations(l *linter, it *artifact.Item) {
	reported := map[string]bool{}
	check := func(path, text string) {
		for _, c := range artifact.Citations(text) {
			name := l.Project.Library.Absent(c)
			if name == "" || reported[name] {
				continue
			}
			reported[name] = true
			l.addItem(it, path, evidence.AbsentFinding(subject(it), name))
		}
	}
	it.EachText(check)
}
