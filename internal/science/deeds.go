package science

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// Deeds are what agents did on a thread that says whether they move with the evidence (SCIENCE 7, vital signs). They grow with the
// artifact and not with the thread: of many changes that one agent made to a hypothesis only the latest can answer a result.
type Deeds struct {
	Spoke []Spoke    // every sender, in order of appearance
	Slate List[Done] // by the number of a hypothesis
}

// Spoke is where an agent wrote last.
type Spoke struct {
	Agent string
	Place int
}

// Done is what was done to a hypothesis. What it holds is replaced, never changed in place.
type Done struct {
	By     []Doer  `json:",omitzero"` // everybody who changed it
	Claims []Claim `json:",omitzero"` // who wrote its claim, oldest first
}

// Doer is an agent with the places where it changed a hypothesis last; 0 for nowhere.
type Doer struct {
	Agent   string
	Edited  int `json:",omitzero"` // an accepted block edits or kills it
	Changed int `json:",omitzero"` // its claim or mechanism says something else, or it is killed
}

// Claim says from which place on the claim of a hypothesis was an agent's.
type Claim struct {
	Place int
	By    string
}

// change is what a message did to a hypothesis.
type change struct {
	hypothesis World
	edited     bool // an accepted block edits or kills it
	changed    bool // its claim or mechanism says something else now, or it is killed
	claimed    bool // its claim says something else now, or for the first time
}

// Advance takes the next message of the thread. results is the place of the latest result, 0 if there is none: who wrote a claim is kept
// for each of them, and for what comes.
func (r *Deeds) Advance(s Step, results int) {
	by := r.speak(s)
	if s.Report.Text == nil || s.Report.Receipt == nil {
		return
	}
	var now []change
	for i := range s.Report.Text.Deltas {
		d := &s.Report.Text.Deltas[i]
		receipt := &s.Report.Receipt.Blocks[d.Block-1]
		if d.Section == artifact.HypothesisSlate && d.Operation != delta.Add && receipt.ItemID != "" && !skipped(receipt) {
			now = withChange(now, change{hypothesis: WorldOf(receipt.ItemID), edited: true, changed: d.Operation == delta.Kill})
		}
	}
	for _, c := range s.Report.Changes {
		_, section, n, ok := artifact.ParseItemID(string(c.Item))
		if !ok || section != artifact.HypothesisSlate || c.Field != artifact.Claim && c.Field != artifact.Mechanism ||
			c.Old != nil && artifact.Equal(c.Old, s.Artifact.Item(c.Item).Get(c.Field)) {
			continue
		}
		now = withChange(now, change{hypothesis: World(n), claimed: c.Field == artifact.Claim, changed: c.Old != nil})
	}
	for _, c := range now {
		done := r.Slate.At(int(c.hypothesis))
		done.note(c, by, s.Place)
		if c.claimed {
			done.claim(Claim{s.Place, by}, results)
		}
		r.Slate.put(int(c.hypothesis), done)
	}
}

// note keeps where an agent changed the hypothesis last.
func (d *Done) note(c change, by string, place int) {
	if !c.edited && !c.changed {
		return
	}
	at := slices.IndexFunc(d.By, func(old Doer) bool { return old.Agent == by })
	if d.By = slices.Clone(d.By); at < 0 {
		at, d.By = len(d.By), append(d.By, Doer{Agent: by})
	}
	if c.edited {
		d.By[at].Edited = place
	}
	if c.changed {
		d.By[at].Changed = place
	}
}

// claim keeps who wrote the claim. A claimant before whose successor no result came is asked for by none.
func (d *Done) claim(c Claim, results int) {
	last := len(d.Claims) - 1
	switch {
	case last >= 0 && d.Claims[last].By == c.By:
	case last >= 0 && results <= d.Claims[last].Place:
		d.Claims = append(slices.Clone(d.Claims[:last]), c)
	default:
		d.Claims = append(slices.Clip(d.Claims), c)
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
func withChange(list []change, c change) []change {
	if last := len(list) - 1; last >= 0 && list[last].hypothesis == c.hypothesis {
		old := &list[last]
		old.edited, old.changed, old.claimed = c.edited || old.edited, c.changed || old.changed, c.claimed || old.claimed
		return list
	}
	return append(list, c)
}

// claimant is who wrote the claim of a hypothesis as it stood before the place of a result; empty if nobody had.
func (r *Deeds) claimant(w World, place int) string {
	name := ""
	for _, c := range r.Slate.At(int(w)).Claims {
		if c.Place < place {
			name = c.By
		}
	}
	return name
}

// of is where an agent changed a hypothesis last.
func (r *Deeds) of(w World, agent string) Doer {
	for _, d := range r.Slate.At(int(w)).By {
		if sameAgent(d.Agent, agent) {
			return d
		}
	}
	return Doer{}
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
	return Deeds{r.Spoke, r.Slate.snapshot()}
}
