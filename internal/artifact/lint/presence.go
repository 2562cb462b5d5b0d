package lint

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// presenceRule asks each active item of a section for a field.
type presenceRule struct {
	code    protocol.Code
	section artifact.Section
	field   string
	lack    string // how a message says that it is missing; by the field's name if empty
}

var presence = []presenceRule{
	{protocol.ER001, artifact.ResearchThread, artifact.Statement, ""},
	{protocol.ER002, artifact.ResearchThread, artifact.Context, ""},
	{protocol.WR001, artifact.ResearchThread, artifact.Anchors, ""},
	{protocol.IR001, artifact.ResearchThread, artifact.WhyItMatters, "%s does not say why it matters."},
	{protocol.EH004, artifact.HypothesisSlate, artifact.Claim, ""},
	{protocol.WH001, artifact.HypothesisSlate, artifact.Anchors, ""},
	{protocol.IH001, artifact.HypothesisSlate, artifact.Mechanism, ""},
	{protocol.ET002, artifact.DiscriminativeTests, artifact.Procedure, ""},
	{protocol.ET003, artifact.DiscriminativeTests, artifact.ExpectedOutcomes, ""},
	{protocol.WT001, artifact.DiscriminativeTests, artifact.PotencyCheck, ""},
	{protocol.WT003, artifact.DiscriminativeTests, artifact.ScoreField, "%s is not scored."},
	{protocol.IT001, artifact.DiscriminativeTests, artifact.Feasibility, ""},
	{protocol.IT002, artifact.DiscriminativeTests, artifact.Status, ""},
	{protocol.EA003, artifact.AssumptionLedger, artifact.Statement, ""},
	{protocol.WA001, artifact.AssumptionLedger, artifact.Load, ""},
	{protocol.WA002, artifact.AssumptionLedger, artifact.Test, ""},
	{protocol.IA001, artifact.AssumptionLedger, artifact.Status, ""},
	{protocol.WX001, artifact.AnomalyRegister, artifact.Observation, ""},
	{protocol.WX002, artifact.AnomalyRegister, artifact.ConflictsWith, "%s names nothing that it conflicts with."},
	{protocol.IX001, artifact.AnomalyRegister, artifact.ResolutionPlan, ""},
	{protocol.EC002, artifact.AdversarialCritique, artifact.Attack, ""},
	{protocol.WC002, artifact.AdversarialCritique, artifact.Evidence, ""},
	{protocol.IC001, artifact.AdversarialCritique, artifact.CurrentStatus, ""},
}

func checkPresence(l *linter) {
	for _, rule := range presence {
		if !l.asks(rule.code) {
			continue
		}
		spec := rule.section.Fields()[rule.section.Field(rule.field)]
		for _, it := range l.active[rule.section] {
			switch v := it.Get(rule.field); {
			case blank(v):
				l.addItem(it, rule.field, protocol.NewFinding(rule.code, rule.message(), subject(it)))
			case outside(spec, v):
				l.addItem(it, rule.field, protocol.NewFinding(rule.code, "The %s of %s is none of %s.",
					words(spec.Name), called(it), strings.Join(spec.Values, ", ")))
			}
		}
	}
}

func (r presenceRule) message() string {
	if r.lack != "" {
		return r.lack
	}
	return "%s has no " + words(r.field) + "."
}

// minimums are the rules that ask a section for a number of active items; of hypotheses killed ones count too: a study that
// refutes its rivals is finished, not incomplete.
var minimums = []struct {
	code    protocol.Code
	section artifact.Section
	least   int
}{
	{protocol.EH001, artifact.HypothesisSlate, 3},
	{protocol.EP001, artifact.PredictionsTable, 3},
	{protocol.ET001, artifact.DiscriminativeTests, 2},
	{protocol.EA001, artifact.AssumptionLedger, 3},
	{protocol.EC001, artifact.AdversarialCritique, 2},
}

func checkMinimums(l *linter) {
	for _, rule := range minimums {
		n, counted := len(l.active[rule.section]), "active "+rule.section.Plural()
		if rule.section == artifact.HypothesisSlate {
			n, counted = len(l.Document.Artifact.Items(rule.section)), "hypotheses, killed ones included"
		}
		if n < rule.least {
			l.addSection(rule.section, protocol.NewFinding(rule.code, "There are %d %s; at least %d are needed.", n, counted, rule.least))
		}
	}
}

// blank tells whether a value says nothing: it is absent, white space, or holds nothing else.
func blank(v artifact.Value) bool {
	switch v := v.(type) {
	case nil:
		return true
	case artifact.Text:
		return blankText(string(v))
	case artifact.List:
		return !slices.ContainsFunc(v, func(s string) bool { return !blankText(s) })
	case artifact.Map:
		return !slices.ContainsFunc(v, func(p artifact.Pair) bool { return !blankText(p.Text) })
	case artifact.Score:
		_, scored := v.Total()
		return !scored
	case artifact.References:
		return len(v) == 0
	}
	return false
}

func blankText(s string) bool { return strings.TrimSpace(s) == "" }

// outside tells whether a text is none of a field's closed set. Only a file can hold one.
func outside(spec artifact.FieldSpec, v artifact.Value) bool {
	text, ok := v.(artifact.Text)
	return ok && len(spec.Values) > 0 && !slices.Contains(spec.Values, string(text))
}

// words writes a field's name for a sentence: potency check.
func words(field string) string { return strings.ReplaceAll(field, "_", " ") }

// subject is how a message begins to speak of an item.
func subject(it *artifact.Item) string {
	if it.Section == artifact.ResearchThread {
		return "The research thread"
	}
	return string(it.ID)
}

// called is how a message speaks of an item.
func called(it *artifact.Item) string {
	if it.Section == artifact.ResearchThread {
		return "the research thread"
	}
	return string(it.ID)
}
