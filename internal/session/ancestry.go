package session

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/mail"
)

// Ancestry says which sessions a session goes back to, and what of theirs was proposed again.
type Ancestry struct {
	After    string   // the session that it was started after; empty: none
	Sessions []string // that it goes back to: the one before it, the one before that, then others that its items refer to
	Again    []Again
}

// Again is an item that takes up one of an earlier session.
type Again struct {
	Item     artifact.ItemID
	Name     string
	Relation string // of its reference; empty: it has none, and is nearly an idea that was killed
	Session  string
	Earlier  artifact.ItemID
	Was      string         // the earlier item's name
	Killed   *artifact.Kill // of the earlier item; nil: it was not killed
}

// Ancestry looks at the earlier sessions that the reader may see.
func (s *Session) Ancestry(readable mail.ThreadSet) Ancestry {
	known := map[string]*fold.View{}
	for _, v := range s.peers {
		if readable.Has(v.Fold.ThreadID()) {
			known[v.Fold.ThreadID()] = v
		}
	}
	a := Ancestry{After: s.View.After}
	for id := a.After; id != "" && id != s.ID() && !slices.Contains(a.Sessions, id); {
		a.Sessions = append(a.Sessions, id)
		id = ""
		if v := known[a.Sessions[len(a.Sessions)-1]]; v != nil {
			id = v.After
		}
	}
	for _, section := range artifact.Sections()[1:] {
		for _, it := range s.View.Fold.Artifact().Items(section) {
			a.referred(it, known)
		}
	}
	a.recognised(s.View.Fold.Artifact(), known)
	return a
}

// referred adds what an item says that it takes up.
func (a *Ancestry) referred(it *artifact.Item, known map[string]*fold.View) {
	for _, ref := range it.References() {
		v := known[ref.Session]
		if v == nil {
			continue
		}
		if !slices.Contains(a.Sessions, ref.Session) {
			a.Sessions = append(a.Sessions, ref.Session)
		}
		if earlier := v.Fold.Artifact().Item(artifact.ItemID(ref.Item)); earlier != nil {
			a.Again = append(a.Again, Again{it.ID, it.Title(), ref.Relation, ref.Session, earlier.ID, earlier.Title(), earlier.Killed})
		}
	}
}

// recognised adds hypotheses that are nearly one that an earlier session killed, and do not say so.
func (a *Ancestry) recognised(now *artifact.Artifact, known map[string]*fold.View) {
	var earlier []*fold.View
	for _, id := range a.Sessions {
		if v := known[id]; v != nil {
			earlier = append(earlier, v)
		}
	}
	for _, r := range merge.Recognised(now.Items(artifact.HypothesisSlate), killed(earlier)) {
		of := r.Of()
		said := slices.ContainsFunc(a.Again, func(g Again) bool {
			return g.Item == r.Item.ID && g.Session == of.Session && g.Earlier == of.Item
		})
		if !said {
			kill := known[of.Session].Fold.Artifact().Item(of.Item).Killed
			a.Again = append(a.Again, Again{Item: r.Item.ID, Name: r.Item.Title(), Session: of.Session, Earlier: of.Item, Was: of.Name,
				Killed: kill})
		}
	}
}
