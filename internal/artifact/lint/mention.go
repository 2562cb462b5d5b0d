package lint

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
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
			for i := range s.Fields() {
				checkField(l, it, &s.Fields()[i])
			}
		}
	}
}

func checkField(l *linter, it *artifact.Item, f *artifact.FieldSpec) {
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
		l.addItem(it, path, protocol.NewFinding(protocol.WS102, "%s names %s, which does not exist.", subject(it), id))
	}
}

func (l *linter) checkProse(it *artifact.Item, path, text string) {
	if !mayName(text) {
		return
	}
	named := namedItems(text)
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

// nouns are the words behind which an id is the name of an item.
var nouns = map[string]artifact.Section{
	"hypothesis": artifact.HypothesisSlate, "hypotheses": artifact.HypothesisSlate,
	"prediction": artifact.PredictionsTable, "predictions": artifact.PredictionsTable,
	"test": artifact.DiscriminativeTests, "tests": artifact.DiscriminativeTests,
	"assumption": artifact.AssumptionLedger, "assumptions": artifact.AssumptionLedger,
	"anomaly": artifact.AnomalyRegister, "anomalies": artifact.AnomalyRegister,
	"critique": artifact.AdversarialCritique, "critiques": artifact.AdversarialCritique,
}

// namedItems finds the ids that a text uses as names. Word by word: a noun opens a list of
// its items, which goes on over commas, slashes and the words that join; anything else ends
// it.
func namedItems(text string) []string {
	var named []string
	list := artifact.ResearchThread // the section whose items are being listed, RT for none
	lastCell := ""                  // a P1 right before a dot
	for i := 0; i < len(text); {
		n := wordLength(text[i:])
		if n == 0 {
			if strings.IndexByte(" \t\n\r,/&", text[i]) < 0 && !strings.HasSuffix(text[:i+1], "vs.") {
				list = artifact.ResearchThread
			}
			if text[i] != '.' {
				lastCell = ""
			}
			i++
			continue
		}
		word := text[i : i+n]
		_, section, _, isID := artifact.ParseItemID(word)
		noun, isNoun := nouns[strings.ToLower(word)]
		switch {
		case isID && section == artifact.HypothesisSlate && lastCell != "":
			named = append(named, lastCell, word)
		case isID && section == list && section != artifact.ResearchThread:
			named = append(named, word)
		case isNoun:
			list = noun
		case !isID && !joins(word):
			list = artifact.ResearchThread
		}
		lastCell = ""
		if isID && section == artifact.PredictionsTable && strings.HasPrefix(text[i+n:], ".H") {
			lastCell = word
		}
		i += n
	}
	return named
}

func joins(word string) bool {
	switch word {
	case "and", "or", "vs", "versus":
		return true
	}
	return false
}

// wordLength is the length of the word at the start of a text. Letters beyond ASCII are part
// of words.
func wordLength(text string) int {
	n := 0
	for n < len(text) && (text[n] >= 0x80 || text[n] == '_' || '0' <= text[n] && text[n] <= '9' ||
		'A' <= text[n] && text[n] <= 'Z' || 'a' <= text[n] && text[n] <= 'z') {
		n++
	}
	return n
}
