package artifact

import (
	"cmp"
	"slices"
)

// Artifact is the state of a thread's research: one research thread and six sections of
// items. Items are ordered by number; ids are never reused.
type Artifact struct {
	Thread   *Item // the research thread, RT
	sections [sectionCount][]*Item
	shared   [sectionCount]bool // with another artifact: a list is copied before it changes
}

// New returns the empty artifact.
func New() *Artifact {
	return &Artifact{Thread: NewItem(RT, ResearchThread)}
}

// Items returns a section's items by number, killed ones included. The slice is shared:
// change the artifact through Add only.
func (a *Artifact) Items(s Section) []*Item {
	if s == ResearchThread {
		return []*Item{a.Thread}
	}
	return a.sections[s]
}

// Active returns a section's items that have not been killed.
func (a *Artifact) Active(s Section) []*Item {
	var active []*Item
	for _, it := range a.Items(s) {
		if it.Active() {
			active = append(active, it)
		}
	}
	return active
}

// Item finds an item by id, nil if it does not exist. In a merged artifact ids are dense,
// so this takes constant time; in one read from a file it may have to look around.
func (a *Artifact) Item(id ItemID) *Item {
	_, s, n, ok := ParseItemID(string(id))
	if !ok {
		return nil
	}
	if s == ResearchThread {
		return a.Thread
	}
	items := a.sections[s]
	if n <= len(items) && items[n-1].ID == id {
		return items[n-1]
	}
	if i := slices.IndexFunc(items, func(it *Item) bool { return it.ID == id }); i >= 0 {
		return items[i]
	}
	return nil
}

// Add appends an item to its section.
func (a *Artifact) Add(it *Item) {
	a.detach(it.Section)
	a.sections[it.Section] = append(a.sections[it.Section], it)
}

// Ranked returns the tests by total score, highest first, unscored last, ties by number
// (PROTOCOL 7).
func (a *Artifact) Ranked() []*Item {
	type ranked struct {
		item   *Item
		total  float64
		scored bool
	}
	tests := make([]ranked, len(a.sections[DiscriminativeTests]))
	for i, it := range a.sections[DiscriminativeTests] {
		total, scored := it.Score().Total()
		tests[i] = ranked{it, total, scored}
	}
	slices.SortStableFunc(tests, func(x, y ranked) int {
		if x.scored != y.scored {
			if x.scored {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(x.item.ID.Number(), y.item.ID.Number()))
	})
	items := make([]*Item, len(tests))
	for i, t := range tests {
		items[i] = t.item
	}
	return items
}

// Ordered returns a section's items as they are shown: tests by rank, the rest by number.
func (a *Artifact) Ordered(s Section) []*Item {
	if s == DiscriminativeTests {
		return a.Ranked()
	}
	return a.Items(s)
}

// Refers tells whether any item has references.
func (a *Artifact) Refers() bool {
	for _, s := range Sections() {
		for _, it := range a.Items(s) {
			if len(it.References()) > 0 {
				return true
			}
		}
	}
	return false
}

// EqualContent tells whether two artifacts hold the same items with the same content.
func (a *Artifact) EqualContent(b *Artifact) bool {
	for _, s := range Sections() {
		if !slices.EqualFunc(a.Items(s), b.Items(s), (*Item).EqualContent) {
			return false
		}
	}
	return true
}

// Stats counts the active items of the whole artifact.
type Stats struct {
	Hypotheses  int `json:"hypotheses"`
	Predictions int `json:"predictions"`
	Tests       int `json:"tests"`
	Assumptions int `json:"assumptions"`
	Anomalies   int `json:"anomalies"`
	Critiques   int `json:"critiques"`
}

// Stats counts active items.
func (a *Artifact) Stats() Stats {
	count := func(s Section) int { return len(a.Active(s)) }
	return Stats{
		count(HypothesisSlate), count(PredictionsTable), count(DiscriminativeTests),
		count(AssumptionLedger), count(AnomalyRegister), count(AdversarialCritique),
	}
}
