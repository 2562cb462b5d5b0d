package science

import (
	"encoding/json"
	"fmt"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// BeliefReport is what the agents believe.
type BeliefReport struct {
	Worlds           []WorldReport      `json:"worlds"`
	Verdict          Verdict            `json:"verdict"`
	EntropyBits      float64            `json:"entropy_bits"`
	DisagreementBits float64            `json:"disagreement_bits"`
	Statements       []StatementReport  `json:"statements"`
	Tables           []TableReport      `json:"tables"`
	History          []HistoryEntry     `json:"history"`
	Findings         []protocol.Finding `json:"findings"`
}

// WorldReport is how likely a world is, for all, for each family and for each agent.
type WorldReport struct {
	ID       string             `json:"id"`
	Name     string             `json:"name"`
	Pooled   float64            `json:"pooled"`
	Families map[string]float64 `json:"families"`
	Agents   map[string]float64 `json:"agents"`
}

// StatementReport is an agent's latest credences as it stated them, and why.
type StatementReport struct {
	Agent     string             `json:"agent"`
	Family    string             `json:"family"`
	MessageID int64              `json:"message_id"`
	At        string             `json:"at"`
	Credences map[string]float64 `json:"credences"`
	Rationale string             `json:"rationale"`
}

// HistoryEntry is the pool after a message that moved it.
type HistoryEntry struct {
	MessageID int64              `json:"message_id"`
	At        string             `json:"at"`
	Pooled    map[string]float64 `json:"pooled"`
}

// TableReport is the common table of a test that has stated likelihoods or a result.
type TableReport struct {
	Test     artifact.ItemID     `json:"test"`
	Labels   []string            `json:"labels,omitempty"`
	Quantity *QuantityReport     `json:"quantity,omitempty"`
	Rows     map[string]RowText  `json:"rows"`
	StatedBy map[string][]string `json:"stated_by"`
	Assumed  []string            `json:"assumed"`
	Frozen   bool                `json:"frozen"`   // as it was just before the first look
	Reasons  []StatedTable       `json:"reasons"`  // who stated rows of it, and why
	PostHoc  []StatedTable       `json:"post_hoc"` // stated at the first look or later, and not used
}

// RowText is a row as it is shown: a number for each label, or the text of a quantity.
type RowText struct {
	P    []float64
	Text string
}

// MarshalJSON writes the numbers, or the text.
func (r RowText) MarshalJSON() ([]byte, error) {
	if r.P == nil {
		return json.Marshal(r.Text)
	}
	return json.Marshal(r.P)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *RowText) UnmarshalJSON(data []byte) error {
	*r = RowText{}
	if json.Unmarshal(data, &r.P) == nil {
		return nil
	}
	return json.Unmarshal(data, &r.Text)
}

// QuantityReport is what a test measures, as it is written.
type QuantityReport struct {
	Unit  string         `json:"unit,omitempty"`
	Range [2]float64     `json:"range"`
	Scale quantity.Scale `json:"scale"`
	SD    float64        `json:"sd,omitempty"`
	Name  string         `json:"name,omitempty"`
}

// StatedTable is a statement about a test.
type StatedTable struct {
	Agent     string `json:"agent"`
	MessageID int64  `json:"message_id"`
	Rationale string `json:"rationale"`
}

// Report describes what the agents believe.
func (a *Account) Report() BeliefReport {
	report := BeliefReport{
		Worlds: []WorldReport{}, Verdict: a.Verdict(), EntropyBits: Entropy(a.Pooled), DisagreementBits: a.disagreement(),
		Statements: []StatementReport{}, History: []HistoryEntry{}, Tables: []TableReport{}, Findings: a.findings(),
	}
	for i, w := range a.Worlds {
		report.Worlds = append(report.Worlds, a.world(i, w))
	}
	if a.Stated() {
		for _, v := range a.Voices {
			said := v.Credences.stated()
			report.Statements = append(report.Statements, StatementReport{
				v.Agent, v.Family, v.Credences.MessageID, artifact.FormatTime(v.Credences.At), byID(said.worlds, said.masses),
				v.Credences.Rationale,
			})
		}
	}
	for _, m := range a.History {
		report.History = append(report.History, HistoryEntry{m.MessageID, artifact.FormatTime(m.At), byID(m.Worlds, m.Pooled)})
	}
	for i, t := range a.Beliefs.Tests.All() {
		if id := artifact.NewItemID(artifact.DiscriminativeTests, i+1); t != nil &&
			(a.Results.FirstLook(id).Place > 0 || len(t.Statements) > 0) {
			report.Tables = append(report.Tables, a.tableReport(id, t))
		}
	}
	return report
}

func (a *Account) world(i int, w World) WorldReport {
	world := WorldReport{ID: w.ID(), Name: a.name(w), Pooled: a.Pooled[i], Families: map[string]float64{}, Agents: map[string]float64{}}
	if !a.Stated() {
		return world
	}
	count := map[string]float64{}
	for _, v := range a.Voices {
		count[v.Family]++
	}
	for _, v := range a.Voices {
		world.Agents[v.Agent] = v.Masses[i]
		world.Families[v.Family] += v.Masses[i] / count[v.Family]
	}
	return world
}

func (a *Account) name(w World) string {
	if w == None {
		return "none of these"
	}
	return a.Beliefs.Hypotheses.At(int(w)).Name
}

// disagreement is the divergence of the agents from the pool, averaged as the pool is.
func (a *Account) disagreement() float64 {
	sum := 0.0
	if a.Stated() {
		for i, weight := range voiceWeights(a.Voices) {
			sum += weight * Divergence(a.Voices[i].Masses, a.Pooled)
		}
	}
	return sum
}

// Table returns the common table that a result of a test is held against: the one that stood just before its first look, else that of
// now.
func (a *Account) Table(id artifact.ItemID) *Table { return a.tables.of(id, a.Results.FirstLook(id)) }

func (a *Account) tableReport(id artifact.ItemID, t *Test) TableReport {
	table := a.Table(id)
	report := TableReport{
		Test: id, Labels: table.Labels, Rows: map[string]RowText{}, StatedBy: map[string][]string{}, Assumed: inOrder(table.Assumed),
		Frozen: table.Frozen, Reasons: []StatedTable{}, PostHoc: []StatedTable{},
	}
	if q := table.Quantity; q != nil {
		report.Quantity = &QuantityReport{q.Unit, [2]float64{q.Low, q.High}, q.Scale, q.SD, q.Name}
	}
	look := a.Results.FirstLook(id)
	for _, s := range t.statements(look) {
		report.Reasons = append(report.Reasons, StatedTable{s.Agent, s.MessageID, s.Rationale})
	}
	for _, s := range t.Statements {
		if !look.Follows(s.Place, s.At) {
			report.PostHoc = append(report.PostHoc, StatedTable{s.Agent, s.MessageID, s.Rationale})
		}
	}
	rows := [][]float64{}
	if table.Quantity == nil {
		rows = table.matrix("", table.Worlds)
	}
	for i, w := range table.Worlds {
		report.StatedBy[w.ID()] = append([]string{}, table.stated[w]...)
		if table.Quantity == nil {
			report.Rows[w.ID()] = RowText{P: rows[i]}
		} else {
			report.Rows[w.ID()] = RowText{Text: table.text(w)}
		}
	}
	return report
}

// text is what a row of a quantity says.
func (t *Table) text(w World) string {
	row := t.common[w]
	switch {
	case row == nil && w == None:
		return "the mean of the others"
	case row == nil:
		return strings.TrimSpace(fmt.Sprintf("anywhere in %g–%g %s", t.Quantity.Low, t.Quantity.High, t.Quantity.Unit))
	}
	var parts []string
	for _, s := range row.Spreads {
		parts = append(parts, s.Text)
	}
	return strings.Join(parts, " | ")
}

// byID gives each world's number its name.
func byID(worlds []World, p []float64) map[string]float64 {
	m := make(map[string]float64, len(worlds))
	for i, w := range worlds {
		m[w.ID()] = p[i]
	}
	return m
}

// CheckOutcome says whether an outcome is one of a test's labels (SCIENCE 4): UNKNOWN_OUTCOME if it is
// not, with what could be recorded as its fix.
func (s *State) CheckOutcome(id artifact.ItemID, outcome string) (protocol.Finding, bool) {
	table := s.TableOf(id)
	switch {
	case table.Quantity != nil:
		return protocol.NewFinding(protocol.UnknownOutcome, "%q is no value of %s, which measures a quantity: no belief is updated.",
			clip(outcome), id).On(string(id)).
			WithFix("Record a value with its error, such as 73 ± 1, or what happened as unforeseen.").Doing(protocol.Given("value")), false
	case table.label(outcome) >= 0:
		return protocol.Finding{}, true
	}
	return unknownOutcome(id, outcome, table.Labels), false
}

func unknownOutcome(id artifact.ItemID, outcome string, labels []string) protocol.Finding {
	f := protocol.NewFinding(protocol.UnknownOutcome, "%q is no label of %s: no belief is updated.", clip(outcome), id).On(string(id))
	if len(labels) == 0 {
		return f.WithFix("%s has no labels: give its hypotheses expected outcomes before the result.", id)
	}
	return f.WithFix("Record one of %s, or what happened as unforeseen.", quoteAll(labels)).Doing(protocol.Given("unforeseen"))
}
