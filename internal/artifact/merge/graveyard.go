package merge

import (
	"math"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/similar"
)

// Killed is a hypothesis that was killed, in this or another session.
type Killed struct {
	Session string
	Item    artifact.ItemID
	Name    string
	Claim   string
	Reason  string
}

// Killed returns the thread's killed hypotheses in the order in which they were killed, for
// the doors of other sessions.
func (s *State) Killed() []Killed {
	list := make([]Killed, len(s.graveyard.buried))
	for i, item := range s.graveyard.buried {
		list[i] = killedFrom(s.thread, item)
	}
	return list
}

func killedFrom(session string, item *artifact.Item) Killed {
	return Killed{session, item.ID, item.Text(artifact.Name), item.Text(artifact.Claim), item.Killed.Reason}
}

// Reproposals warns about hypotheses that are nearly one that was killed elsewhere (PROTOCOL
// 7, re-proposal). The fold itself looks after the thread's own.
func Reproposals(added []*artifact.Item, killed []Killed) []protocol.Finding {
	var findings []protocol.Finding
	for _, r := range Recognised(added, killed) {
		findings = append(findings, r.finding(r.Item))
	}
	return findings
}

// Reproposal is a hypothesis that is nearly one that was killed.
type Reproposal struct {
	Item *artifact.Item
	match
}

// Of is what it is nearly the same as.
func (r Reproposal) Of() Killed { return r.killed }

// Recognised finds hypotheses that are nearly one that was killed. Items of other sections are passed over.
func Recognised(added []*artifact.Item, killed []Killed) []Reproposal {
	index := newReminder(len(killed))
	for _, k := range killed {
		index.add(k)
	}
	var list []Reproposal
	for _, item := range added {
		if item.Section != artifact.HypothesisSlate {
			continue
		}
		if m, ok := index.find(item.Text(artifact.Name), item.Text(artifact.Claim)); ok {
			list = append(list, Reproposal{item, m})
		}
	}
	return list
}

// graveyard holds the thread's killed hypotheses. Its index is made when first needed.
type graveyard struct {
	buried []*artifact.Item
	index  *reminder
}

func (g *graveyard) bury(item *artifact.Item) {
	g.buried = append(g.buried, item)
	if g.index != nil {
		g.index.add(killedFrom("", item))
	}
}

// reproposal notes that a new hypothesis is nearly one that was killed in this thread.
func (b *block) reproposal() {
	g := &b.graveyard
	if b.delta.Section != artifact.HypothesisSlate || len(g.buried) == 0 {
		return
	}
	if g.index == nil {
		g.index = newReminder(len(g.buried))
		for _, item := range g.buried {
			g.index.add(killedFrom("", item))
		}
	}
	item := b.entry.item
	if m, ok := g.index.find(item.Text(artifact.Name), item.Text(artifact.Claim)); ok {
		b.note(m.finding(item))
	}
}

// match is a killed hypothesis that another one resembles.
type match struct {
	killed Killed
	field  string
	score  float64
}

func (m match) finding(item *artifact.Item) protocol.Finding {
	id := string(m.killed.Item)
	if m.killed.Session != "" {
		id = m.killed.Session + "#" + id
	}
	text := m.killed.Name
	if m.field == artifact.Claim {
		text = m.killed.Claim
	}
	proposed := string(item.ID)
	if proposed == "" { // not merged yet
		proposed = "this hypothesis"
	}
	return protocol.NewFinding(protocol.ReproposesKilled, "The %s of %s is nearly that of %s, %s (%d%% alike), which was killed: %s.",
		m.field, proposed, id, quote(text), int(math.Floor(100*m.score)), quote(m.killed.Reason)).
		On(string(item.ID)).In("payload."+m.field).
		WithFix("Say in the rationale what is different from %s, or name it under references.", id)
}

// reminder finds the killed hypotheses that a new one resembles.
type reminder struct {
	killed        []Killed
	names, claims similar.Index
}

func newReminder(n int) *reminder { return &reminder{killed: make([]Killed, 0, n)} }

func (r *reminder) add(k Killed) {
	r.killed = append(r.killed, k)
	r.names.Add(k.Name)
	r.claims.Add(k.Claim)
}

// find returns the killed hypothesis whose claim or name is most alike.
func (r *reminder) find(name, claim string) (match, bool) {
	byName, nameScore := r.names.Find(name)
	byClaim, claimScore := r.claims.Find(claim)
	switch {
	case claimScore >= max(similar.Enough, nameScore):
		return match{r.killed[byClaim], artifact.Claim, claimScore}, true
	case nameScore >= similar.Enough:
		return match{r.killed[byName], artifact.Name, nameScore}, true
	}
	return match{}, false
}
