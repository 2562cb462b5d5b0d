package study

import (
	"cmp"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/figure"
	"brenner/internal/science"
)

// builder holds what the parts of a study share.
type builder struct {
	Source
	lives       *science.Lives
	report      science.BeliefReport
	predictions science.PredictionReport
	ranking     science.Ranking
	advice      map[artifact.ItemID]*science.Advice // of each test of the ranking
	cells       map[cellKey]*science.Prediction
	all         []Result                             // every result and attempt, oldest first
	runs        map[artifact.ItemID][]Result         // the same, by test
	ranks       map[string]int                       // of the worlds in every bar: the living by belief, none, then the killed
	pools       map[string][]figure.Point            // by world
	own         map[string]map[string][]figure.Point // by world and agent
	entropy     []figure.Point
	notable     map[int64]bool // messages that moved belief most: life-lines have their values
}

// cellKey names what a hypothesis expects of a test.
type cellKey struct {
	test       artifact.ItemID
	hypothesis string
}

// index finds advice and predictions by what they are about.
func (b *builder) index() {
	b.advice = make(map[artifact.ItemID]*science.Advice, len(b.ranking.Tests))
	for i := range b.ranking.Tests {
		if a := &b.ranking.Tests[i]; b.advice[a.Test] == nil {
			b.advice[a.Test] = a
		}
	}
	b.all, b.runs = allResults(b.Science, b.Cast), map[artifact.ItemID][]Result{}
	for _, r := range b.all {
		b.runs[r.Test] = append(b.runs[r.Test], r)
	}
	b.cells = make(map[cellKey]*science.Prediction, len(b.predictions.Predictions))
	for i := range b.predictions.Predictions {
		p := &b.predictions.Predictions[i]
		if key := (cellKey{p.Test, p.Hypothesis}); b.cells[key] == nil {
			b.cells[key] = p
		}
	}
}

// voices are the agents who have stated credences and not taken them back.
func (b *builder) voices() []figure.Agent {
	var list []figure.Agent
	for _, v := range b.Account.Voices {
		if v.Credences != nil {
			list = append(list, b.Cast.Of(v.Agent))
		}
	}
	return list
}

// curves takes the history apart, world by world.
func (b *builder) curves() {
	b.pools, b.own = map[string][]figure.Point{}, map[string]map[string][]figure.Point{}
	for _, m := range b.Account.History {
		at := b.lives.Place(m.MessageID)
		for i, w := range m.Worlds {
			id := w.ID()
			b.pools[id] = append(b.pools[id], figure.Point{At: at, Value: m.Pooled[i]})
			for _, v := range m.Voices {
				if b.own[id] == nil {
					b.own[id] = map[string][]figure.Point{}
				}
				b.own[id][v.Agent] = append(b.own[id][v.Agent], figure.Point{At: at, Value: v.Masses[i]})
			}
		}
		b.entropy = append(b.entropy, figure.Point{At: at, Value: science.Entropy(m.Pooled)})
	}
}

func (b *builder) world(id, name string) World {
	w := World{ID: id, Name: name, Pool: b.pools[id]}
	for _, r := range b.report.Worlds {
		if r.ID == id {
			w.Pooled = r.Pooled
		}
	}
	w.Low, w.High = w.Pooled, w.Pooled
	for _, v := range b.Account.Voices {
		points := b.own[id][v.Agent]
		if v.Credences == nil || len(points) == 0 {
			continue
		}
		w.Agents = append(w.Agents, figure.Curve{By: b.Cast.Of(v.Agent), Points: points})
		last := points[len(points)-1].Value
		if len(w.Agents) == 1 {
			w.Low, w.High = last, last
		}
		w.Low, w.High = min(w.Low, last), max(w.High, last)
	}
	return w
}

// hypotheses puts the slate into the order of the page.
func (b *builder) hypotheses() []Hypothesis {
	var list []Hypothesis
	for _, it := range b.Artifact.Items(artifact.HypothesisSlate) {
		h := Hypothesis{World: b.world(string(it.ID), it.Title()), Item: it, Href: b.Links.Item(it.ID), Attacks: b.Attacks[it.ID]}
		events := b.lives.Of(it.ID)
		if len(events) > 0 {
			h.Born = events[0].Place
		}
		if it.Killed != nil {
			h.Killed = b.killed(it)
		}
		list = append(list, h)
	}
	slices.SortStableFunc(list, before)
	return list
}

// before orders the living by pooled credence and the killed by their kill, the latest first.
func before(a, b Hypothesis) int {
	switch {
	case a.Killed == nil && b.Killed == nil:
		return cmp.Compare(b.Pooled, a.Pooled)
	case a.Killed == nil:
		return -1
	case b.Killed == nil:
		return 1
	}
	return cmp.Compare(b.Killed.Place, a.Killed.Place)
}

func (b *builder) killed(it *artifact.Item) *Killed {
	k := &Killed{By: b.Cast.Of(it.Killed.By), Reason: it.Killed.Reason}
	for _, e := range b.lives.Of(it.ID) {
		if e.Kind == merge.KindKilled {
			k.Place, k.MessageID = e.Place, e.MessageID
		}
	}
	for _, v := range b.Science.Lifelines.Versions.All() {
		if v.Place > k.Place {
			k.Version = v.Number
			break
		}
	}
	for _, p := range b.pools[string(it.ID)] {
		if p.At < k.Place {
			k.Was = p.Value
		}
	}
	return k
}
