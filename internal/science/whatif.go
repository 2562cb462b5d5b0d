package science

import (
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Supposition is an outcome that a test might have.
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
	Findings   []protocol.Finding
}

// Suppose updates each agent by outcomes that did not happen, then takes the mean. NOT_FOUND: there
// is no such test; CONFLICT: it is killed or has a result; INVALID_INPUT: the outcome is none of its
// labels.
func (r *Beliefs) Suppose(outcomes []Supposition) (Supposed, error) {
	p := r.position()
	p.voices = slices.Clone(p.voices)
	out := Supposed{Prior: byID(r.Worlds, r.Pooled), Findings: []protocol.Finding{}}
	for _, o := range outcomes {
		t, err := r.undone(o.Test, p.done)
		if err != nil {
			return out, err
		}
		table := r.table(t)
		label := table.label(o.Outcome)
		if label < 0 {
			return out, noLabel(o, table.Labels)
		}
		for i := range p.voices {
			if masses, ok := bayes(p.voices[i], r.Worlds, &table, label); ok {
				p.voices[i] = masses
			} else {
				out.Findings = append(out.Findings, r.impossible(r.voiceName(i), o.Test))
			}
		}
		p.done = append(p.done, o.Test.Number())
	}
	p.pooled = mean(p.voices, len(r.Worlds))
	out.Posterior, out.BitsGained = byID(r.Worlds, p.pooled), Divergence(p.pooled, r.Pooled)
	out.Next = r.next(p, ByBitsPerEffort)
	return out, nil
}

// Outlook is one outcome that a test might have.
type Outlook struct {
	Label     string
	P         float64            // how likely the pool holds it
	Posterior map[string]float64 // the pool after it
}

// Outlooks lists what a test without a result might find: P(o) = Σ_w p(w)·L(o|w), and what the pool would
// be then. It is empty for a test that carries no information, is killed, or has a result.
func (r *Beliefs) Outlooks(id artifact.ItemID) []Outlook {
	t, err := r.undone(id, nil)
	if err != nil {
		return nil
	}
	table := r.table(t)
	if !table.informative() {
		return nil
	}
	var list []Outlook
	for label, name := range table.Labels {
		o := Outlook{Label: name}
		for i, w := range r.Worlds {
			o.P += r.Pooled[i] * table.likelihood(w, label)
		}
		if supposed, err := r.Suppose([]Supposition{{id, name}}); err == nil {
			o.Posterior = supposed.Posterior
		}
		list = append(list, o)
	}
	return list
}

func (r *Beliefs) undone(id artifact.ItemID, done []int) (*Test, error) {
	_, section, n, ok := artifact.ParseItemID(string(id))
	if !ok || section != artifact.DiscriminativeTests || r.Tests.At(n) == nil {
		return nil, protocol.Errorf(protocol.NotFound, "there is no test %s", clip(string(id)))
	}
	t := r.Tests.At(n)
	switch {
	case t.Killed:
		return nil, protocol.Errorf(protocol.Conflict, "%s is killed", id)
	case t.Frozen != nil:
		return nil, protocol.Errorf(protocol.Conflict, "%s has a result", id)
	case slices.Contains(done, n):
		return nil, protocol.Errorf(protocol.Conflict, "%s is given two outcomes", id)
	}
	return t, nil
}

func noLabel(o Supposition, labels []string) error {
	f := protocol.NewFinding(protocol.UnknownOutcome, "%q is no label of %s.", clip(o.Outcome), o.Test).On(string(o.Test)).As(protocol.SeverityError)
	if len(labels) > 0 {
		f = f.WithFix("Write one of %s.", quoteAll(labels))
	}
	return protocol.Errorf(protocol.UnknownOutcome, "%q is no label of %s; its labels are: %s", clip(o.Outcome), o.Test, quoteAll(labels)).
		WithFindings([]protocol.Finding{f})
}

// byID gives each world's number its name.
func byID(worlds []World, p []float64) map[string]float64 {
	m := make(map[string]float64, len(worlds))
	for i, w := range worlds {
		m[w.ID()] = p[i]
	}
	return m
}
