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

// ItemFigure is a number of an item beside a citation.
type ItemFigure struct {
	Item artifact.ItemID
	Path string
	CheckedFigure
}

// ItemSum is an equation of an item that does not hold: NUM-001.
type ItemSum struct {
	Item    artifact.ItemID
	Path    string
	Finding protocol.Finding
}

// Judgement is what the evidence says about an artifact: its quotations, the support of each active item, and which
// sources it cites.
type Judgement struct {
	Items   []ItemSupport
	Killed  []ItemQuote  // quotations in the reasons of KILLs
	Figures []ItemFigure // numbers of active items
	Sums    []ItemSum    // equations of active items that do not hold
	Stale   []ItemStale  // citations of sources that are not current
	Cited   []string     // evidence ids, by number
	Counts  Counts

	byItem map[artifact.ItemID]int
}

// KillReason is the path of the reason of a KILL.
const KillReason = "killed.reason"

// judge collects the claims of an artifact, so that each source is read once for all of them.
type judge struct {
	*Judgement
	claims  Claims
	quotes  []ItemQuote
	figures []ItemFigure
	cites   []artifact.Citation
}

// Judge checks the quotations of every active item of an artifact and of the reasons of KILLs, and says what each item rests
// on. It takes time linear in the artifact and the sources that are quoted.
func (l *Library) Judge(a *artifact.Artifact) *Judgement {
	j := judge{Judgement: &Judgement{byItem: map[artifact.ItemID]int{}}}
	for _, s := range artifact.Sections() {
		for _, it := range a.Active(s) {
			j.byItem[it.ID] = len(j.Items)
			item := ItemSupport{ID: it.ID}
			item.Support = l.support(it, &item.Citations)
			j.Items = append(j.Items, item)
			j.Stale = append(j.Stale, l.stale(it)...)
			it.EachText(func(path, text string) {
				j.read(it.ID, path, text)
				for _, f := range Sums(path, text) {
					j.Sums = append(j.Sums, ItemSum{it.ID, path, f})
				}
			})
		}
		for _, it := range a.Items(s) {
			if it.Killed != nil {
				j.read(it.ID, KillReason, it.Killed.Reason)
				j.Stale = append(j.Stale, l.staleReason(it)...)
				j.cites = append(j.cites, artifact.Citations(it.Killed.Reason)...)
			}
		}
	}
	j.Cited = citedIDs(j.Items)
	ruling := l.Check(j.claims)
	for i, checked := range ruling.Quotes {
		j.quotes[i].Checked = checked
		j.take(j.quotes[i])
	}
	for i, checked := range ruling.Figures {
		j.figures[i].CheckedFigure = checked
		if j.figures[i].Path != KillReason {
			j.Figures = append(j.Figures, j.figures[i])
		}
	}
	for _, item := range j.Items {
		j.cites = append(j.cites, item.Citations...)
	}
	j.Counts.CountSources(l, j.cites)
	return j.Judgement
}

func (j *judge) read(id artifact.ItemID, path, text string) {
	claims := Read(text)
	for range claims.Quotes {
		j.quotes = append(j.quotes, ItemQuote{Item: id, Path: path})
	}
	for range claims.Figures {
		j.figures = append(j.figures, ItemFigure{Item: id, Path: path})
	}
	j.claims.Quotes = append(j.claims.Quotes, claims.Quotes...)
	j.claims.Figures = append(j.claims.Figures, claims.Figures...)
}

// take files a quotation that was checked.
func (j *judge) take(q ItemQuote) {
	j.Counts.Add(&q.Checked)
	if q.Path == KillReason {
		j.Killed = append(j.Killed, q)
		return
	}
	item := &j.Items[j.byItem[q.Item]]
	item.Quotes = append(item.Quotes, q)
	if q.Verdict == Found {
		item.Support = SupportQuoted
	}
}

// Item returns what an item rests on; false if the artifact has no such active item.
func (j *Judgement) Item(id artifact.ItemID) (ItemSupport, bool) {
	i, ok := j.byItem[id]
	if !ok {
		return ItemSupport{}, false
	}
	return j.Items[i], true
}

// Quotes returns the quotations of all items, in order, then those in the reasons of KILLs.
func (j *Judgement) Quotes() []ItemQuote {
	var all []ItemQuote
	for _, it := range j.Items {
		all = append(all, it.Quotes...)
	}
	return append(all, j.Killed...)
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

// Wrong returns EV-Q02 for the sources of the pack among ids whose files are not what the index says, and EV-Q07 for those whose text
// is not that of their file.
func (l *Library) Wrong(ids []string) []protocol.Finding {
	if l == nil || l.Pack == nil {
		return nil
	}
	var findings []protocol.Finding
	for _, id := range ids {
		if s := l.Pack.Source(id); s != nil {
			findings = append(append(findings, s.look().Wrong...), s.Doubts()...)
		}
	}
	return findings
}
