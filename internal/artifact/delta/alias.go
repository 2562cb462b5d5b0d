package delta

import (
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// operationWords are words that authors use for the operations, for use in fixes.
var operationWords = map[string]Operation{
	"add": Add, "create": Add, "insert": Add, "new": Add,
	"edit": Edit, "update": Edit, "modify": Edit, "change": Edit, "set": Edit, "replace": Edit,
	"kill": Kill, "delete": Kill, "remove": Kill, "drop": Kill,
}

// maxAlias bounds the names that are looked up.
const maxAlias = 64

// NearestOperation finds the operation that a word is meant to be. It helps to say what is right.
func NearestOperation(word string) (Operation, bool) {
	if len(word) > maxAlias {
		return "", false
	}
	op, ok := operationWords[strings.ToLower(strings.TrimSpace(word))]
	return op, ok
}

// sectionAliases are names that authors use for sections. They help to say what is right;
// a merge never guesses (PROTOCOL 5).
var sectionAliases = map[string]artifact.Section{
	"research": artifact.ResearchThread, "thread": artifact.ResearchThread, "rt": artifact.ResearchThread,
	"research_question": artifact.ResearchThread, "question": artifact.ResearchThread,
	"problem_statement": artifact.ResearchThread,
	"hypothesis":        artifact.HypothesisSlate, "hypotheses": artifact.HypothesisSlate,
	"hypothesis_list": artifact.HypothesisSlate, "hypotheses_slate": artifact.HypothesisSlate,
	"slate": artifact.HypothesisSlate, "h": artifact.HypothesisSlate,
	"prediction": artifact.PredictionsTable, "predictions": artifact.PredictionsTable,
	"prediction_table": artifact.PredictionsTable, "p": artifact.PredictionsTable,
	"test": artifact.DiscriminativeTests, "tests": artifact.DiscriminativeTests,
	"discriminative_test": artifact.DiscriminativeTests, "discriminating_tests": artifact.DiscriminativeTests,
	"experiments": artifact.DiscriminativeTests, "t": artifact.DiscriminativeTests,
	"assumption": artifact.AssumptionLedger, "assumptions": artifact.AssumptionLedger,
	"assumptions_ledger": artifact.AssumptionLedger, "a": artifact.AssumptionLedger,
	"anomaly": artifact.AnomalyRegister, "anomalies": artifact.AnomalyRegister,
	"anomalies_register": artifact.AnomalyRegister, "x": artifact.AnomalyRegister,
	"critique": artifact.AdversarialCritique, "critiques": artifact.AdversarialCritique,
	"adversarial": artifact.AdversarialCritique, "adversarial_critiques": artifact.AdversarialCritique,
	"c": artifact.AdversarialCritique,
}

// sectionAlias finds the section that a name stands for, in any spelling.
func sectionAlias(name string) (artifact.Section, bool) {
	if len(name) > maxAlias {
		return 0, false
	}
	key := strings.Trim(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return '_'
		}
		return r
	}, strings.ToLower(name)), "_")
	if s, ok := artifact.ParseSection(key); ok {
		return s, true
	}
	s, ok := sectionAliases[key]
	return s, ok
}

// NearestSection finds the section that a name is meant to be.
func NearestSection(name string) (artifact.Section, bool) {
	if s, ok := sectionAlias(name); ok {
		return s, true
	}
	for _, s := range artifact.Sections() {
		if distance(strings.ToLower(name), s.String()) <= 3 {
			return s, true
		}
	}
	return 0, false
}

// fieldAliases are names that authors use for fields of any section that has the right one.
var fieldAliases = map[string][]string{
	"title":       {artifact.Name},
	"label":       {artifact.Name},
	"statement":   {artifact.Claim},
	"hypothesis":  {artifact.Claim},
	"basis":       {artifact.Mechanism},
	"explanation": {artifact.Mechanism},
	"citations":   {artifact.Anchors},
	"sources":     {artifact.Anchors},
	"outcomes":    {artifact.ExpectedOutcomes, artifact.Predictions},
	"expected":    {artifact.ExpectedOutcomes},
	"method":      {artifact.Procedure},
	"protocol":    {artifact.Procedure},
	"description": {artifact.Claim, artifact.Procedure, artifact.Statement, artifact.Observation, artifact.Attack,
		artifact.Condition},
	"assumption":           {artifact.Statement},
	"anomaly":              {artifact.Observation},
	"critique":             {artifact.Attack},
	"conflicts":            {artifact.ConflictsWith},
	"third_alt":            {artifact.ThirdAlternative},
	"is_third_alternative": {artifact.ThirdAlternative},
	"potency":              {artifact.PotencyCheck},
	"scores":               {artifact.ScoreField},
}

// FieldAlias finds the field of a section that a name stands for.
func FieldAlias(s artifact.Section, name string) (string, bool) {
	for _, field := range fieldAliases[name] {
		if s.Field(field) >= 0 {
			return field, true
		}
	}
	return "", false
}

// similarField finds the field of a section whose name is one or two slips away.
func similarField(s artifact.Section, name string) (string, bool) {
	if field, ok := FieldAlias(s, name); ok {
		return field, true
	}
	best, bestDistance := "", 3
	for i := range s.Fields() {
		field := s.Fields()[i].Name
		if d := distance(name, field); d < bestDistance && d < len(field)/2 {
			best, bestDistance = field, d
		}
	}
	return best, best != ""
}

// distance is the edit distance of two short names; long ones are far apart.
func distance(a, b string) int {
	const limit = 32
	if len(a) > limit || len(b) > limit {
		return limit
	}
	return protocol.EditDistance(a, b)
}
