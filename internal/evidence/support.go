package evidence

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Support says what an item rests on (SCIENCE 1, support).
type Support string

// The four kinds, the strongest first.
const (
	SupportQuoted    Support = "quoted"    // a quote was checked and found
	SupportCited     Support = "cited"     // an anchor or citation resolves
	SupportInference Support = "inference" // it is labelled so
	SupportBare      Support = "bare"
)

// ItemQuote is a quote of an item.
type ItemQuote struct {
	Item artifact.ItemID
	Path string
	Checked
}

// ItemSupport is an item with what it rests on.
type ItemSupport struct {
	ID        artifact.ItemID
	Support   Support
	Quotes    []ItemQuote
	Citations []artifact.Citation // each once
}

// Judgement is what the evidence says about an artifact: its quotes, the support of each active item,
// and which sources it cites.
type Judgement struct {
	Items []ItemSupport
	Cited []string // evidence ids, by number

	byItem map[artifact.ItemID]int
}

// Judge checks the quotes of every active item of an artifact and says what each rests on. It takes time
// linear in the artifact and the sources that are quoted.
func (l *Library) Judge(a *artifact.Artifact) *Judgement {
	j := &Judgement{byItem: map[artifact.ItemID]int{}}
	var quotes []Quote
	var places []ItemQuote
	for _, s := range artifact.Sections() {
		for _, it := range a.Active(s) {
			j.byItem[it.ID] = len(j.Items)
			item := ItemSupport{ID: it.ID}
			item.Support = l.support(it, &item.Citations)
			j.Items = append(j.Items, item)
			it.EachText(func(path, text string) {
				for _, q := range Quotes(text) {
					quotes, places = append(quotes, q), append(places, ItemQuote{Item: it.ID, Path: path})
				}
			})
		}
	}
	for i, checked := range l.Check(quotes) {
		places[i].Checked = checked
		item := &j.Items[j.byItem[places[i].Item]]
		item.Quotes = append(item.Quotes, places[i])
		if checked.Verdict == Found {
			item.Support = SupportQuoted
		}
	}
	j.Cited = citedIDs(j.Items)
	return j
}

// Item returns what an item rests on; false if the artifact has no such active item.
func (j *Judgement) Item(id artifact.ItemID) (ItemSupport, bool) {
	i, ok := j.byItem[id]
	if !ok {
		return ItemSupport{}, false
	}
	return j.Items[i], true
}

// Quotes returns the quotes of all items, in order.
func (j *Judgement) Quotes() []ItemQuote {
	var all []ItemQuote
	for _, it := range j.Items {
		all = append(all, it.Quotes...)
	}
	return all
}

func citedIDs(items []ItemSupport) []string {
	seen := map[string]bool{}
	var ids []string
	for _, it := range items {
		for _, c := range it.Citations {
			if c.Evidence != "" && !seen[c.Evidence] {
				seen[c.Evidence] = true
				ids = append(ids, c.Evidence)
			}
		}
	}
	slices.SortFunc(ids, CompareIDs)
	return ids
}

// support judges an item by its anchors and citations alone. A citation that is labelled inference
// counts as inference.
func (l *Library) support(it *artifact.Item, citations *[]artifact.Citation) Support {
	cited, inferred := false, false
	seen := map[artifact.Citation]bool{}
	it.EachText(func(path, text string) {
		found := artifact.Citations(text)
		for _, c := range found {
			if !seen[c] {
				seen[c] = true
				*citations = append(*citations, c)
			}
		}
		if labelled(path, text) {
			inferred = true
			return
		}
		external := strings.Contains(text, "[external:") && anchorPath(path) && artifact.ParseAnchor(text).Form == artifact.AnchorExternal
		cited = cited || external || slices.ContainsFunc(found, func(c artifact.Citation) bool { return l.Resolve(c) != Missing })
	})
	switch {
	case cited:
		return SupportCited
	case inferred:
		return SupportInference
	}
	return SupportBare
}

// labelled tells whether a text says that it is inferred, or takes itself for granted.
func labelled(path, text string) bool {
	if strings.Contains(text, "[inference]") || strings.Contains(text, "[axiomatic]") {
		return true
	}
	return anchorPath(path) && artifact.ParseAnchor(text).Form == artifact.AnchorInference
}

// anchorPath tells whether a path leads to an anchor. Sections without that field keep it among the
// extra ones.
func anchorPath(path string) bool {
	return path == artifact.Anchors || strings.HasPrefix(path, artifact.Anchors+"[")
}

// Wrong returns EV-Q02 for the sources of the pack among ids whose files are not what the index says.
func (l *Library) Wrong(ids []string) []protocol.Finding {
	if l == nil || l.Pack == nil {
		return nil
	}
	var findings []protocol.Finding
	for _, id := range ids {
		if s := l.Pack.Source(id); s != nil {
			findings = append(findings, s.Open().Wrong...)
		}
	}
	return findings
}
