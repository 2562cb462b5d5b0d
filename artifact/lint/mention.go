package lint

import (
	"regexp"
	"slices"
	"strings"

	"brenner/artifact"
	"brenner/protocol"
)

// checkMentions checks WS-102: items named in other items exist. What other rules look at
// (predictions WP-101, discriminates WT-101, conflicts_with WX-002) is left to them.
//
// Keys of outcomes and evidence_refs name items for certain. In prose H4 may be a histone and
// T4 a phage: there only an id behind the word for it ("hypothesis H4", "tests T1 and T4"),
// or a cell of the predictions table (P1.H4), is taken for a name.
func checkMentions(l *linter) {
	for _, s := range artifact.Sections() {
		for _, it := range l.active[s] {
			for _, f := range s.Fields() {
				checkField(l, it, f)
			}
		}
	}
}

func checkField(l *linter, it *artifact.Item, f artifact.FieldSpec) {
	switch v := it.Get(f.Name).(type) {
	case artifact.Text:
		if f.Name != artifact.Discriminates {
			l.checkProse(it, f.Name, string(v))
		}
	case artifact.List:
		if f.Name == artifact.EvidenceRefs {
			for i, ref := range v {
				l.checkName(it, place(f.Name, i), ref)
			}
		}
	case artifact.Map:
		for _, p := range v {
			if f.Name != artifact.Predictions {
				l.checkName(it, f.Name+"."+p.Key, p.Key)
			}
			l.checkProse(it, f.Name+"."+p.Key, p.Text)
		}
	}
}

// checkName reports a text that is an item's id but names none.
func (l *linter) checkName(it *artifact.Item, path, text string) {
	id, _, _, ok := artifact.ParseItemID(text)
	if ok && !l.exists[id] {
		l.addItem(it, path, protocol.NewFinding(protocol.WS102, "%s names %s, which does not exist", called(it), id))
	}
}

var (
	cell      = regexp.MustCompile(`\bP[1-9]\d{0,8}\.H[1-9]\d{0,8}\b`)
	mentioned = regexp.MustCompile(`(?i:\b(hypothes[ie]s|predictions?|tests?|assumptions?|anomal(?:y|ies)|critiques?))\s+` +
		`([HPTAXC][1-9]\d{0,8}\b(?:\s*(?:,|/|&|and|or|vs\.?)\s*[HPTAXC][1-9]\d{0,8}\b)*)`)
	idWord = regexp.MustCompile(`[HPTAXC][1-9]\d{0,8}`)
)

// mentionedSection tells which section a word speaks of, by its beginning.
var mentionedSection = map[string]artifact.Section{
	"hypo": artifact.HypothesisSlate, "pred": artifact.PredictionsTable, "test": artifact.DiscriminativeTests,
	"assu": artifact.AssumptionLedger, "anom": artifact.AnomalyRegister, "crit": artifact.AdversarialCritique,
}

func (l *linter) checkProse(it *artifact.Item, path, text string) {
	if !mayName(text) {
		return
	}
	var named []string
	for _, m := range mentioned.FindAllStringSubmatch(text, -1) {
		section := mentionedSection[strings.ToLower(m[1][:4])]
		for _, word := range idWord.FindAllString(m[2], -1) {
			if strings.HasPrefix(word, section.Prefix()) {
				named = append(named, word)
			}
		}
	}
	for _, address := range cell.FindAllString(text, -1) {
		named = append(named, strings.Split(address, ".")...)
	}
	slices.Sort(named)
	for _, name := range slices.Compact(named) {
		l.checkName(it, path, name)
	}
}

// mayName tells quickly whether an id can be in a text at all: in most there is none.
func mayName(text string) bool {
	for i := 1; i < len(text); i++ {
		if '1' <= text[i] && text[i] <= '9' && strings.IndexByte("HPTAXC", text[i-1]) >= 0 {
			return true
		}
	}
	return false
}
