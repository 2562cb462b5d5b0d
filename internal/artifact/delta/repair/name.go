package repair

import (
	"strings"
	"unicode"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
)

// sectionFieldNames are further names for fields, where a name means another field in
// another section.
var sectionFieldNames = map[artifact.Section]map[string]string{
	artifact.ResearchThread: {
		"question": artifact.Statement, "research_question": artifact.Statement, "problem": artifact.Statement,
		"background": artifact.Context, "why": artifact.WhyItMatters, "importance": artifact.WhyItMatters,
	},
	artifact.HypothesisSlate: {
		"how": artifact.Mechanism, "how_it_works": artifact.Mechanism, "anchor": artifact.Anchors,
	},
	artifact.PredictionsTable: {
		"scenario": artifact.Condition, "observable": artifact.Condition, "prediction": artifact.Predictions,
		"expected_outcomes": artifact.Predictions,
	},
	artifact.DiscriminativeTests: {
		"steps": artifact.Procedure, "distinguishes": artifact.Discriminates, "discriminate": artifact.Discriminates,
		"discriminates_between": artifact.Discriminates, "expected_outcome": artifact.ExpectedOutcomes,
		"expected_results": artifact.ExpectedOutcomes, "predictions": artifact.ExpectedOutcomes,
		"potency_control": artifact.PotencyCheck, "scoring": artifact.ScoreField,
	},
	artifact.AssumptionLedger: {
		"claim": artifact.Statement, "load_bearing": artifact.Load, "impact": artifact.Load, "if_wrong": artifact.Load,
		"what_breaks": artifact.Load, "check": artifact.Test, "how_to_check": artifact.Test, "how_to_test": artifact.Test,
	},
	artifact.AnomalyRegister: {
		"claim": artifact.Observation, "statement": artifact.Observation, "observed": artifact.Observation,
		"conflict_with": artifact.ConflictsWith, "quarantine_status": artifact.Status,
		"plan": artifact.ResolutionPlan, "resolution": artifact.ResolutionPlan,
	},
	artifact.AdversarialCritique: {
		"claim": artifact.Attack, "statement": artifact.Attack, "argument": artifact.Attack, "challenge": artifact.Attack,
		"status": artifact.CurrentStatus, "third_alternative": artifact.RealThirdAlternative,
		"alternative": artifact.ProposedAlternative,
	},
}

// fieldName finds the field that another name stands for.
func (m *mender) fieldName(name string) (string, bool) {
	if m.spec(name) != nil || name == delta.LocalIDKey || name == delta.ReplaceKey {
		return "", false
	}
	plain := snake(name)
	base, isReplace := strings.CutSuffix(plain, delta.ReplaceSuffix)
	switch {
	case m.spec(plain) != nil, plain == delta.LocalIDKey && plain != name, isReplace && m.section.Field(base) >= 0 && plain != name:
		return plain, true
	case plain == "description" && m.operation != delta.Add:
		return "", false // too vague to overwrite what is there
	}
	if field, ok := delta.FieldAlias(m.section, plain); ok {
		return field, true
	}
	field, ok := sectionFieldNames[m.section][plain]
	return field, ok
}

// snake writes a name as the protocol's keys are written: expectedOutcomes, Expected Outcomes
// and expected-outcomes are expected_outcomes.
func snake(name string) string {
	if len(name) > 64 {
		return name
	}
	var b strings.Builder
	lower := false
	for _, r := range strings.TrimSpace(name) {
		switch {
		case r == ' ' || r == '-' || r == '.':
			r = '_'
		case unicode.IsUpper(r) && lower:
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
