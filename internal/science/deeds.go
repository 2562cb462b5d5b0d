package science

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// Deeds are what agents did on a thread that says whether they move with the evidence (SCIENCE 7, vital signs).
type Deeds struct {
	Spoke   []Spoke      // every sender, in order of appearance
	Changes List[Change] // in message order
}

// Spoke is where an agent wrote last.
type Spoke struct {
	Agent string
	Place int
}

// Change is what a message of an agent did to a hypothesis.
type Change struct {
	Place      int
	By         string
	Hypothesis World
	Edited     bool `json:",omitzero"` // an accepted block edits or kills it
	Killed     bool `json:",omitzero"`
	Claimed    bool `json:",omitzero"` // its claim says something else now, or for the first time
	Reworded   bool `json:",omitzero"` // its claim or mechanism says something else now
}

// Advance takes the next message of the thread.
func (r *Deeds) Advance(s Step) {
	by := r.speak(s)
	if s.Report.Text == nil || s.Report.Receipt == nil {
		return
	}
	var now []Change
	for i := range s.Report.Text.Deltas {
		d := &s.Report.Text.Deltas[i]
		receipt := &s.Report.Receipt.Blocks[d.Block-1]
		if d.Section == artifact.HypothesisSlate && d.Operation != delta.Add && receipt.ItemID != "" && !skipped(receipt) {
			now = withChange(now, Change{Hypothesis: WorldOf(receipt.ItemID), Edited: true, Killed: d.Operation == delta.Kill})
		}
	}
	for _, c := range s.Report.Changes {
		_, section, n, ok := artifact.ParseItemID(string(c.Item))
		if !ok || section != artifact.HypothesisSlate || c.Field != artifact.Claim && c.Field != artifact.Mechanism ||
			c.Old != nil && artifact.Equal(c.Old, s.Artifact.Item(c.Item).Get(c.Field)) {
			continue
		}
		now = withChange(now, Change{Hypothesis: World(n), Claimed: c.Field == artifact.Claim, Reworded: c.Old != nil})
	}
	for _, c := range now {
		c.Place, c.By = s.Place, by
		r.Changes.append(c)
	}
}

// speak notes that somebody wrote, and returns the name as it was first written. Forks share the list, so that it is written
// anew.
func (r *Deeds) speak(s Step) string {
	for i := range r.Spoke {
		if sameAgent(r.Spoke[i].Agent, s.Report.From) {
			r.Spoke = slices.Clone(r.Spoke)
			r.Spoke[i].Place = s.Place
			return r.Spoke[i].Agent
		}
	}
	r.Spoke = append(slices.Clip(r.Spoke), Spoke{strings.Clone(s.Report.From), s.Place})
	return r.Spoke[len(r.Spoke)-1].Agent
}

// withChange adds what a block did; what another did to the same hypothesis right before is one with it.
func withChange(list []Change, c Change) []Change {
	if last := len(list) - 1; last >= 0 && list[last].Hypothesis == c.Hypothesis {
		old := &list[last]
		old.Edited, old.Killed = c.Edited || old.Edited, c.Killed || old.Killed
		old.Claimed, old.Reworded = c.Claimed || old.Claimed, c.Reworded || old.Reworded
		return list
	}
	return append(list, c)
}

// claimant is who wrote the claim of a hypothesis as it stood before a place; empty if nobody had.
func (r *Deeds) claimant(w World, place int) string {
	name := ""
	for _, c := range r.Changes.All() {
		if c.Claimed && c.Hypothesis == w && c.Place < place {
			name = c.By
		}
	}
	return name
}

// name is an agent's name as it first wrote.
func (r *Deeds) name(agent string) string {
	for _, s := range r.Spoke {
		if sameAgent(s.Agent, agent) {
			return s.Agent
		}
	}
	return agent
}

func (r *Deeds) snapshot() Deeds {
	return Deeds{r.Spoke, r.Changes.snapshot()}
}
