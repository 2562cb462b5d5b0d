package science

import (
	"errors"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// Supposition is an outcome, or the value of a quantity, that a test might have.
type Supposition struct {
	Test    artifact.ItemID
	Outcome string
}

// Supposed is what the agents would believe, had these outcomes been recorded last.
type Supposed struct {
	Prior      map[string]float64
	Posterior  map[string]float64
	BitsGained float64 // the divergence of posterior from prior
	Next       Ranking
}

// Suppose updates each agent by outcomes that did not happen, then pools. NOT_FOUND: there is no such test; CONFLICT: it is killed or
// has a result that counts and is not exploratory; UNKNOWN_OUTCOME, CELL_NOT_NUMERIC, VALUE_WITHOUT_ERROR: the outcome is none of its
// labels, or no value of its quantity.
func (a *Account) Suppose(outcomes []Supposition) (Supposed, error) {
	p, err := a.after(outcomes)
	if err != nil {
		return Supposed{}, err
	}
	return Supposed{byID(a.Worlds, a.Pooled), byID(a.Worlds, p.pooled), Divergence(p.pooled, a.Pooled), p.next(ByBitsPerEffort)}, nil
}

// after is the position that outcomes would lead to.
func (a *Account) after(outcomes []Supposition) (*position, error) {
	p := a.position()
	p.supposed = supposed{}
	for _, o := range outcomes {
		if err := p.undone(o.Test); err != nil {
			return nil, err
		}
		outcome, err := a.Table(o.Test).supposedOutcome(o)
		if err != nil {
			return nil, err
		}
		p.supposed[o.Test.Number()] = outcome
	}
	p.ledger = a.replaced(a.ledger, func(id artifact.ItemID) bool {
		_, other := p.supposed[id.Number()]
		return other
	})
	p.voices = slices.Clone(a.Voices)
	for i, masses := range p.masses(p.ledger) {
		p.voices[i].Masses = masses
	}
	p.pooled = pool(p.voices)
	return p, nil
}

// suppose updates a distribution by what is supposed, by number of the test.
func (p *position) suppose(agent string, h *holding) {
	for i := range p.Beliefs.Tests.All() {
		o, ok := p.supposed[i+1]
		if !ok {
			continue
		}
		id, nth := artifact.NewItemID(artifact.DiscriminativeTests, i+1), 1.0
		for _, e := range p.ledger {
			if e.Test == id {
				nth++
			}
		}
		h.update(p.Table(id).likelihoods(agent, o, h.worlds), 1/nth)
	}
}

// supposedOutcome reads an outcome in the terms of the table.
func (t *Table) supposedOutcome(o Supposition) (Outcome, error) {
	if t.Quantity == nil {
		label := t.label(o.Outcome)
		if label < 0 {
			return Outcome{}, noLabel(o, t.Labels)
		}
		return Outcome{Label: label}, nil
	}
	v, err := quantity.ParseValue(o.Outcome)
	if err == nil {
		err = t.Quantity.Check(v)
	}
	if err != nil {
		code := protocol.CellNotNumeric
		if errors.Is(err, quantity.ErrNoError) {
			code = protocol.ValueWithoutError
		}
		return Outcome{}, protocol.Errorf(code, "%q is no value of %s: %s", clip(o.Outcome), o.Test, err)
	}
	return Outcome{Value: t.Quantity.Measured(v)}, nil
}

// Outlook is one outcome that a test might have.
type Outlook struct {
	Label     string
	P         float64            // how likely the pool holds it
	Posterior map[string]float64 // the pool after it
}

// Outlooks lists what a test might find: the pool of Σ_w p(w)·L(o|w), and what would be believed then. It is empty for a test that
// measures a quantity, carries no information, is killed, or has a result.
func (a *Account) Outlooks(id artifact.ItemID) []Outlook {
	table := a.Table(id)
	if a.position().undone(id) != nil || !table.informative() {
		return nil
	}
	var list []Outlook
	for o, name := range table.Labels {
		p, err := a.after([]Supposition{{id, name}})
		if err != nil {
			continue
		}
		look := Outlook{Label: name, Posterior: byID(a.Worlds, p.pooled)}
		for i, weight := range voiceWeights(a.Voices) {
			for w, l := range table.likelihoods(a.Voices[i].Agent, Outcome{Label: o}, a.Worlds) {
				look.P += weight * a.Voices[i].Masses[w] * l
			}
		}
		list = append(list, look)
	}
	return list
}

// undone says why a test cannot be supposed to have an outcome.
func (p *position) undone(id artifact.ItemID) error {
	_, section, n, ok := artifact.ParseItemID(string(id))
	if !ok || section != artifact.DiscriminativeTests || p.Beliefs.Tests.At(n) == nil {
		return protocol.Errorf(protocol.NotFound, "there is no test %s", clip(string(id)))
	}
	_, twice := p.supposed[n]
	switch {
	case p.Beliefs.Tests.At(n).Killed:
		return protocol.Errorf(protocol.Conflict, "%s is killed", id)
	case twice:
		return protocol.Errorf(protocol.Conflict, "%s is given two outcomes", id)
	case p.done(id):
		return protocol.Errorf(protocol.Conflict, "%s has a result", id)
	}
	return nil
}

func noLabel(o Supposition, labels []string) error {
	f := protocol.NewFinding(protocol.UnknownOutcome, "%q is no label of %s.", clip(o.Outcome), o.Test).On(string(o.Test)).
		As(protocol.SeverityError)
	if len(labels) > 0 {
		f = f.WithFix("Write one of %s.", quoteAll(labels))
	}
	return protocol.Errorf(protocol.UnknownOutcome, "%q is no label of %s", clip(o.Outcome), o.Test).
		WithFindings([]protocol.Finding{f})
}
