package science

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// BeliefReport is what the agents believe.
type BeliefReport struct {
	Worlds           []WorldReport      `json:"worlds"`
	EntropyBits      float64            `json:"entropy_bits"`
	DisagreementBits float64            `json:"disagreement_bits"`
	History          []HistoryEntry     `json:"history"`
	Tables           []TableReport      `json:"tables"`
	Findings         []protocol.Finding `json:"findings"`
}

// WorldReport is how likely a world is, for all and for each agent.
type WorldReport struct {
	ID     string             `json:"id"`
	Name   string             `json:"name"`
	Pooled float64            `json:"pooled"`
	Agents map[string]float64 `json:"agents"`
}

// HistoryEntry is the pool after a message that moved it.
type HistoryEntry struct {
	MessageID int64              `json:"message_id"`
	At        string             `json:"at"`
	Pooled    map[string]float64 `json:"pooled"`
}

// TableReport is the likelihood table of a test that has stated likelihoods or
// a result.
type TableReport struct {
	Test    artifact.ItemID      `json:"test"`
	Labels  []string             `json:"labels"`
	Rows    map[string][]float64 `json:"rows"`
	Stated  bool                 `json:"stated"`
	Assumed []string             `json:"assumed"`
	Frozen  bool                 `json:"frozen"`   // as it was just before the result
	PostHoc []LateStatement      `json:"post_hoc"` // stated with the result or later, and not used
}

// LateStatement is a statement about a test that had its result.
type LateStatement struct {
	Agent     string `json:"agent"`
	MessageID int64  `json:"message_id"`
}

// Report describes the register.
func (r *Beliefs) report() BeliefReport {
	report := BeliefReport{
		Worlds: []WorldReport{}, EntropyBits: Entropy(r.Pooled), DisagreementBits: r.disagreement(),
		History: []HistoryEntry{}, Tables: []TableReport{}, Findings: r.findings(),
	}
	for i, w := range r.Worlds {
		world := WorldReport{ID: w.ID(), Name: r.name(w), Pooled: r.Pooled[i], Agents: map[string]float64{}}
		for _, a := range r.Agents.All() {
			if a.Credences != nil {
				world.Agents[a.Name] = a.Holding.Masses[i]
			}
		}
		report.Worlds = append(report.Worlds, world)
	}
	for _, m := range r.History.All() {
		report.History = append(report.History, HistoryEntry{m.MessageID, artifact.FormatTime(m.At), byID(m.Worlds, m.Pooled)})
	}
	for i, t := range r.Tests.All() {
		if t != nil && (t.Frozen != nil || len(t.Statements) > 0) {
			report.Tables = append(report.Tables, r.tableReport(i+1, t))
		}
	}
	return report
}

func (r *Beliefs) name(w World) string {
	if w == None {
		return "none of these"
	}
	return r.Hypotheses.At(int(w)).Name
}

// disagreement is the mean divergence of the agents from the pool.
func (r *Beliefs) disagreement() float64 {
	if r.StandIn != nil {
		return 0
	}
	voices, sum := r.voices(), 0.0
	for _, masses := range voices {
		sum += Divergence(masses, r.Pooled)
	}
	return sum / float64(len(voices))
}

func (r *Beliefs) tableReport(number int, t *Test) TableReport {
	report := TableReport{Test: artifact.NewItemID(artifact.DiscriminativeTests, number), Frozen: t.Frozen != nil, PostHoc: []LateStatement{}}
	table := r.TableOf(report.Test)
	if t.Frozen != nil {
		for _, s := range t.Statements {
			if s.Place >= t.Frozen.Place {
				report.PostHoc = append(report.PostHoc, LateStatement{s.Agent, s.MessageID})
			}
		}
	}
	report.Labels, report.Stated, report.Assumed = append([]string{}, table.Labels...), table.Stated, inOrder(table.Assumed)
	report.Rows = map[string][]float64{}
	for _, w := range r.Worlds {
		row := table.row(w)
		if row == nil {
			row = equal(len(table.Labels))
		}
		report.Rows[w.ID()] = row
	}
	return report
}

// TableOf returns the likelihood table that a result of a test is held against: the one that was kept for
// its result, else that of now.
func (r *Beliefs) TableOf(id artifact.ItemID) Table {
	t := r.test(id.Number())
	if t.Frozen != nil {
		return t.Frozen.Table
	}
	return r.table(t)
}

// CheckOutcome says whether an outcome is one of a test's labels (SCIENCE 4): UNKNOWN_OUTCOME if it is
// not, with what could be recorded as its fix.
func (s *State) CheckOutcome(id artifact.ItemID, outcome string) (protocol.Finding, bool) {
	if q := s.Results.Test(id).Quantity; q != nil {
		return protocol.NewFinding(protocol.UnknownOutcome, "%q is no value of %s, which measures a quantity: no belief is updated.", clip(outcome), id).
			On(string(id)).WithFix("Record a value with its error, such as 73 ± 1, or what happened as unforeseen."), false
	}
	table := s.Beliefs.TableOf(id)
	if table.label(outcome) >= 0 {
		return protocol.Finding{}, true
	}
	return unknownOutcome(id, outcome, table.Labels), false
}

// BeliefReport describes what the agents believe.
func (s *State) BeliefReport() BeliefReport {
	report := s.Beliefs.report()
	report.Findings = append(report.Findings, findingsOf(s.ResultNotes())...)
	return report
}

func unknownOutcome(id artifact.ItemID, outcome string, labels []string) protocol.Finding {
	f := protocol.NewFinding(protocol.UnknownOutcome, "%q is no label of %s: no belief is updated.", clip(outcome), id).On(string(id))
	if len(labels) == 0 {
		return f.WithFix("%s has no labels: give its hypotheses expected outcomes before the result.", id)
	}
	return f.WithFix("Record one of %s, or what happened as unforeseen.", quoteAll(labels))
}
