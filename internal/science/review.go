package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Attack is a challenge to hypotheses: a CRITIQUE message, a C item, or both in one.
type Attack struct {
	MessageID int64
	Item      artifact.ItemID // empty: it has no item
	From      string
	Severity  string // empty: it says none
	Hits      []string
	At        time.Time
	Answered  time.Time // zero: it is open
}

// ReviewInput is what a review looks at.
type ReviewInput struct {
	Artifact *artifact.Artifact
	Attacks  []Attack
	Last     time.Time                // of the thread's last message
	Family   func(name string) string // of an agent
}

// ReviewState says how far a hypothesis has been checked.
type ReviewState string

// The states (SCIENCE 7).
const (
	Contested   ReviewState = "contested"   // an attack is open
	Reviewed    ReviewState = "reviewed"    // another family, or a person, attacked and was answered
	Provisional ReviewState = "provisional" // only its own family did
	Unreviewed  ReviewState = "unreviewed"
	Killed      ReviewState = "killed"
)

// Review is who has checked what.
type Review struct {
	Hypotheses []ReviewedHypothesis `json:"hypotheses"`
	Debt       Debt                 `json:"debt"`
}

// ReviewedHypothesis is a hypothesis with the attacks on it.
type ReviewedHypothesis struct {
	ID       artifact.ItemID  `json:"id"`
	Name     string           `json:"name"`
	Authors  []string         `json:"authors"`  // of its present claim and mechanism
	Families []string         `json:"families"` // of the authors
	State    ReviewState      `json:"state"`
	Attacks  []ReviewedAttack `json:"attacks"`
}

// ReviewedAttack is an attack as it is shown.
type ReviewedAttack struct {
	MessageID  int64   `json:"message_id"`
	Item       *string `json:"item"`
	From       string  `json:"from"`
	Family     string  `json:"family"`
	Severity   *string `json:"severity"`
	State      string  `json:"state"`       // open or answered
	AgeSeconds float64 `json:"age_seconds"` // to the answer, else to the thread's last message
}

// Debt is what is owed: open attacks on active hypotheses, each once.
type Debt struct {
	Open          int      `json:"open"`
	Critical      int      `json:"critical"`
	OldestSeconds *float64 `json:"oldest_seconds"` // null: nothing is open
}

// NewReview reviews every hypothesis of an artifact, killed ones included.
func NewReview(in ReviewInput) Review {
	report := Review{Hypotheses: []ReviewedHypothesis{}}
	active := map[string]bool{}
	for _, it := range in.Artifact.Items(artifact.HypothesisSlate) {
		active[string(it.ID)] = it.Active()
		report.Hypotheses = append(report.Hypotheses, in.judge(it))
	}
	for _, a := range in.Attacks {
		if a.open() && slices.ContainsFunc(a.Hits, func(id string) bool { return active[id] }) {
			report.Debt.add(a, in.Last)
		}
	}
	return report
}

func (a *Attack) open() bool { return a.Answered.IsZero() }

// age is never measured by the clock.
func (a *Attack) age(last time.Time) float64 {
	if !a.open() {
		last = a.Answered
	}
	return max(last.Sub(a.At).Seconds(), 0)
}

func (d *Debt) add(a Attack, last time.Time) {
	d.Open++
	if message.Critical(a.Severity) {
		d.Critical++
	}
	age := a.age(last)
	if d.OldestSeconds == nil || age > *d.OldestSeconds {
		d.OldestSeconds = &age
	}
}

func (in *ReviewInput) judge(it *artifact.Item) ReviewedHypothesis {
	h := ReviewedHypothesis{ID: it.ID, Name: it.Title(), Authors: authors(it), Families: []string{}, Attacks: []ReviewedAttack{}}
	for _, name := range h.Authors {
		if family := in.Family(name); !slices.Contains(h.Families, family) {
			h.Families = append(h.Families, family)
		}
	}
	for i := range in.Attacks {
		if a := &in.Attacks[i]; slices.Contains(a.Hits, string(it.ID)) {
			h.Attacks = append(h.Attacks, in.entry(a))
		}
	}
	h.State = h.state(it.Active())
	return h
}

// authors are those who wrote its present claim and mechanism.
func authors(it *artifact.Item) []string {
	names := []string{}
	for _, field := range []string{artifact.Claim, artifact.Mechanism} {
		src := it.Source(field)
		if src != nil && !slices.ContainsFunc(names, func(n string) bool { return protocol.SameAgent(n, src.Agent) }) {
			names = append(names, src.Agent)
		}
	}
	return names
}

func (in *ReviewInput) entry(a *Attack) ReviewedAttack {
	e := ReviewedAttack{
		MessageID: a.MessageID, Item: protocol.OrNull(string(a.Item)), From: a.From, Family: in.Family(a.From),
		Severity: protocol.OrNull(a.Severity), State: "open", AgeSeconds: a.age(in.Last),
	}
	if !a.open() {
		e.State = "answered"
	}
	return e
}

func (h *ReviewedHypothesis) state(active bool) ReviewState {
	switch {
	case !active:
		return Killed
	case slices.ContainsFunc(h.Attacks, func(e ReviewedAttack) bool { return e.State == "open" }):
		return Contested
	case slices.ContainsFunc(h.Attacks, h.independent):
		return Reviewed
	case len(h.Attacks) > 0:
		return Provisional
	}
	return Unreviewed
}

// independent tells whether an attack came from another family than all authors', or from a person
// who is not an author.
func (h *ReviewedHypothesis) independent(e ReviewedAttack) bool {
	if e.Family == Human {
		return !slices.ContainsFunc(h.Authors, func(name string) bool { return protocol.SameAgent(name, e.From) })
	}
	return !slices.ContainsFunc(h.Families, func(family string) bool { return !independent(e.Family, family) }) && e.Family != UnknownFamily
}

// Findings warns about the active hypotheses that no independent agent has checked.
func (r Review) Findings() []protocol.Finding {
	list := []protocol.Finding{}
	for _, h := range r.Hypotheses {
		if h.State != Reviewed && h.State != Killed {
			list = append(list, protocol.NewFinding(protocol.NotReviewed, "%s is %s.", h.ID, h.State).On(string(h.ID)))
		}
	}
	return list
}

// State is that of a hypothesis; empty if it does not exist.
func (r Review) State(id artifact.ItemID) ReviewState {
	for _, h := range r.Hypotheses {
		if h.ID == id {
			return h.State
		}
	}
	return ""
}
