package science

import (
	"slices"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// ReviewInput is what a review looks at.
type ReviewInput struct {
	Artifact *artifact.Artifact
	Science  *State
	Attacks  []Attack
	Family   func(name string) string // of an agent
}

// ReviewState says how far a hypothesis has been checked.
type ReviewState string

// The states (SCIENCE 8).
const (
	Contested   ReviewState = "contested"   // an attack is open
	Reviewed    ReviewState = "reviewed"    // another family, or a person, attacked what it says now and was answered
	Outdated    ReviewState = "outdated"    // so they did, but it said something else then
	Provisional ReviewState = "provisional" // only its own family did, or an unknown one
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
	Authors  []string         `json:"authors"`  // who added it and wrote its present claim and mechanism
	Families []string         `json:"families"` // of the authors
	State    ReviewState      `json:"state"`
	Attacks  []ReviewedAttack `json:"attacks"`
}

// ReviewedAttack is an attack as it is shown.
type ReviewedAttack struct {
	MessageID  int64       `json:"message_id"`
	Item       *string     `json:"item"`
	From       string      `json:"from"`
	Family     string      `json:"family"`
	Severity   *string     `json:"severity"`
	State      AttackState `json:"state"`
	AgeSeconds float64     `json:"age_seconds"` // to the answer, else to the thread's last message
	Current    bool        `json:"current"`     // it was about what the hypothesis says now
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
	for i := range in.Attacks {
		if a := &in.Attacks[i]; a.Open && slices.ContainsFunc(a.Hits, func(h Hit) bool { return active[h.Hypothesis] }) {
			report.Debt.add(a, in.Science.Last)
		}
	}
	return report
}

func (d *Debt) add(a *Attack, last time.Time) {
	d.Open++
	if message.Critical(a.Severity) {
		d.Critical++
	}
	waits := age(a.At, last)
	if d.OldestSeconds == nil || waits > *d.OldestSeconds {
		d.OldestSeconds = &waits
	}
}

func (in *ReviewInput) judge(it *artifact.Item) ReviewedHypothesis {
	h := ReviewedHypothesis{
		ID: it.ID, Name: it.Title(), Authors: in.Science.Wordings.Latest.At(it.ID.Number()).Authors(),
		Families: []string{}, Attacks: []ReviewedAttack{},
	}
	for _, name := range h.Authors {
		if family := in.Family(name); !slices.Contains(h.Families, family) {
			h.Families = append(h.Families, family)
		}
	}
	for i := range in.Attacks {
		a := &in.Attacks[i]
		if hit := a.On(string(it.ID)); hit != nil {
			h.Attacks = append(h.Attacks, in.entry(a, hit))
		}
	}
	h.State = h.state(it.Active())
	return h
}

func (in *ReviewInput) entry(a *Attack, hit *Hit) ReviewedAttack {
	return ReviewedAttack{
		MessageID: hit.MessageID, Item: protocol.OrNull(string(a.Item)), From: hit.By, Family: in.Family(hit.By),
		Severity: protocol.OrNull(a.Severity), State: a.stateFor(hit.By), AgeSeconds: age(hit.At, a.end(hit.By, in.Science.Last)),
		Current: in.Science.Wordings.stands(artifact.ItemID(hit.Hypothesis), a.seen(hit)),
	}
}

func (h *ReviewedHypothesis) state(active bool) ReviewState {
	independent := h.matching(h.independent)
	current := func(e ReviewedAttack) bool { return e.Current }
	switch {
	case !active:
		return Killed
	case len(h.Open()) > 0:
		return Contested
	case slices.ContainsFunc(independent, current):
		return Reviewed
	case len(independent) > 0:
		return Outdated
	case len(h.answered()) > 0:
		return Provisional
	}
	return Unreviewed
}

// matching returns the attacks that a test approves.
func (h *ReviewedHypothesis) matching(approves func(ReviewedAttack) bool) []ReviewedAttack {
	var list []ReviewedAttack
	for _, e := range h.Attacks {
		if approves(e) {
			list = append(list, e)
		}
	}
	return list
}

// Open returns the attacks that wait for an answer.
func (h *ReviewedHypothesis) Open() []ReviewedAttack {
	return h.matching(func(e ReviewedAttack) bool { return e.State == AttackOpen })
}

func (h *ReviewedHypothesis) answered() []ReviewedAttack {
	return h.matching(func(e ReviewedAttack) bool { return e.State == AttackAnswered })
}

// independent tells whether an answered attack came from another family than all authors', or from a person
// who is not an author.
func (h *ReviewedHypothesis) independent(e ReviewedAttack) bool {
	switch e.Family {
	case Human:
		return e.State == AttackAnswered && !hasName(h.Authors, e.From)
	case UnknownFamily:
		return false
	}
	same := func(family string) bool { return !independent(e.Family, family) }
	return e.State == AttackAnswered && !slices.ContainsFunc(h.Families, same)
}

// State is that of a hypothesis; empty if it does not exist.
func (r Review) State(id artifact.ItemID) ReviewState {
	if h := r.Of(id); h != nil {
		return h.State
	}
	return ""
}

// Of returns the review of a hypothesis, nil if it does not exist.
func (r Review) Of(id artifact.ItemID) *ReviewedHypothesis {
	if i := slices.IndexFunc(r.Hypotheses, func(h ReviewedHypothesis) bool { return h.ID == id }); i >= 0 {
		return &r.Hypotheses[i]
	}
	return nil
}
