package artifact

import "slices"

// Kind is the type of a field's values.
type Kind uint8

// The kinds of fields.
const (
	KindText       Kind = iota // Text
	KindFlag                   // Flag
	KindList                   // List
	KindMap                    // Map
	KindScore                  // Score
	KindReferences             // References
	KindJSON                   // JSON: any value, kept as written
)

// FieldSpec describes one field of a section.
type FieldSpec struct {
	Name     string
	Label    string // as it is in Markdown
	Kind     Kind
	Required bool     // ★ on ADD
	Values   []string // the closed set of a text field, if it has one
	Neutral  Value    // what lenient intake puts where a required field is missing; nil if nothing can
}

// Names of fields that code outside the table speaks of.
const (
	Name                 = "name"
	Statement            = "statement"
	Context              = "context"
	WhyItMatters         = "why_it_matters"
	Anchors              = "anchors"
	Claim                = "claim"
	Mechanism            = "mechanism"
	ThirdAlternative     = "third_alternative"
	Condition            = "condition"
	Predictions          = "predictions"
	Procedure            = "procedure"
	Discriminates        = "discriminates"
	ExpectedOutcomes     = "expected_outcomes"
	ActualOutcomes       = "actual_outcomes"
	PotencyCheck         = "potency_check"
	Feasibility          = "feasibility"
	ScoreField           = "score"
	Status               = "status"
	LastRun              = "last_run"
	Load                 = "load"
	Test                 = "test"
	ScaleCheck           = "scale_check"
	Calculation          = "calculation"
	Implication          = "implication"
	Observation          = "observation"
	ConflictsWith        = "conflicts_with"
	ResolutionPlan       = "resolution_plan"
	Attack               = "attack"
	Evidence             = "evidence"
	CurrentStatus        = "current_status"
	RealThirdAlternative = "real_third_alternative"
	ProposedAlternative  = "proposed_alternative"
	ReferencesField      = "references"
	EvidenceRefs         = "evidence_refs"
	KilledIf             = "killed_if" // open fields: see openFields; test of a row is another
	Quantity             = "quantity"
)

func text(name, label string) FieldSpec    { return FieldSpec{Name: name, Label: label} }
func required(f FieldSpec) FieldSpec       { f.Required = true; return f }
func flag(name, label string) FieldSpec    { return FieldSpec{Name: name, Label: label, Kind: KindFlag} }
func list(name, label string) FieldSpec    { return FieldSpec{Name: name, Label: label, Kind: KindList} }
func textMap(name, label string) FieldSpec { return FieldSpec{Name: name, Label: label, Kind: KindMap} }
func anyJSON(name, label string) FieldSpec {
	return FieldSpec{Name: name, Label: label, Kind: KindJSON}
}
func neutral(f FieldSpec, v Value) FieldSpec { f.Required, f.Neutral = true, v; return f }
func oneOf(f FieldSpec, values ...string) FieldSpec {
	f.Values = values
	return f
}

var (
	references   = FieldSpec{Name: ReferencesField, Label: "References", Kind: KindReferences}
	evidenceRefs = FieldSpec{Name: EvidenceRefs, Label: "Evidence refs", Kind: KindList}
)

// schema is the table of PROTOCOL 6 without its open fields. The order of fields is the order in JSON and Markdown.
var schema = [sectionCount][]FieldSpec{
	ResearchThread: {
		text(Statement, "Statement"), text(Context, "Context"), text(WhyItMatters, "Why it matters"),
		list(Anchors, "Anchors"), evidenceRefs,
	},
	HypothesisSlate: {
		required(text(Name, "Name")), required(text(Claim, "Claim")), required(text(Mechanism, "Mechanism")),
		neutral(list(Anchors, "Anchors"), List{"inference"}),
		flag(ThirdAlternative, "Third alternative"), references, evidenceRefs,
	},
	PredictionsTable: {
		required(text(Condition, "Condition")), required(textMap(Predictions, "Predictions")),
		references, evidenceRefs,
	},
	DiscriminativeTests: {
		required(text(Name, "Name")), required(text(Procedure, "Procedure")),
		required(text(Discriminates, "Discriminates")),
		required(textMap(ExpectedOutcomes, "Expected outcomes")),
		text(PotencyCheck, "Potency check"), text(Feasibility, "Feasibility"),
		{Name: ScoreField, Label: "Evidence-per-week score", Kind: KindScore},
		oneOf(text(Status, "Status"), "untested", "passed", "failed", "blocked", "error"),
		anyJSON(LastRun, "Last run"), textMap(ActualOutcomes, "Actual outcomes"), references, evidenceRefs,
	},
	AssumptionLedger: {
		required(text(Name, "Name")), required(text(Statement, "Statement")),
		neutral(text(Load, "Load"), Text("")), neutral(text(Test, "Test"), Text("")),
		neutral(oneOf(text(Status, "Status"), "unchecked", "verified", "falsified"), Text("unchecked")),
		flag(ScaleCheck, "Scale check"), text(Calculation, "Calculation"), text(Implication, "Implication"),
		references, evidenceRefs,
	},
	AnomalyRegister: {
		required(text(Name, "Name")), required(text(Observation, "Observation")),
		required(list(ConflictsWith, "Conflicts with")),
		neutral(oneOf(text(Status, "Quarantine status"), "active", "resolved", "deferred"), Text("active")),
		text(ResolutionPlan, "Resolution plan"), references, evidenceRefs,
	},
	AdversarialCritique: {
		required(text(Name, "Name")), required(text(Attack, "Attack")),
		neutral(text(Evidence, "Evidence"), Text("")),
		neutral(text(CurrentStatus, "Current status"), Text("unassessed")),
		flag(RealThirdAlternative, "Real third alternative"),
		text(ProposedAlternative, "Proposed alternative"), references, evidenceRefs,
	},
}

// Fields returns the section's fields in order. The slice is shared: do not change it.
func (s Section) Fields() []FieldSpec { return schema[s] }

// Field returns the place of a field in Fields, or -1.
func (s Section) Field(name string) int {
	fields := schema[s]
	for i := range fields { // a FieldSpec is too large to be copied for each comparison
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

// reserved are the keys of an item that the merge keeps itself (PROTOCOL 5, RESERVED_FIELD).
var reserved = []string{
	"id", "killed", "killed_by", "killed_at", "kill_reason", "killed_reason", "conflicts", "provenance",
}

// Reserved tells whether a payload may not set this key.
func Reserved(key string) bool { return slices.Contains(reserved, key) }

// Relations are the six relations of a reference (PROTOCOL 13).
var Relations = []string{"extends", "refines", "refutes", "informed_by", "supersedes", "replicates"}

// ScoreParts are the parts of a test's score, each 0–3.
var ScoreParts = []string{"likelihood_ratio", "cost", "speed", "ambiguity"}

// MaxPoints is the most that a part of a score counts.
const MaxPoints = 3
