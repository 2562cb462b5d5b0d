package markdown

import (
	"maps"
	"strings"

	"brenner/internal/artifact"
)

// Labels of what is no field of the table.
const (
	labelKilledBy   = "Killed by"
	labelKilledAt   = "Killed at"
	labelKillReason = "Kill reason"
	labelConflicts  = "Conflicts"
	labelExtra      = "Extra"
)

// Names under which these labels are known while reading; no field has a name with a dot.
const (
	killedBy       = ".killed_by"
	killedAt       = ".killed_at"
	killReason     = ".kill_reason"
	killed         = ".killed"
	conflictsField = ".conflicts"
	extraField     = ".extra"
)

// aliases are labels that people write where the table has another one.
var aliases = map[artifact.Section]map[string]string{
	artifact.ResearchThread: {
		"rt": artifact.Statement, "research thread": artifact.Statement, "question": artifact.Statement,
		"research question": artifact.Statement, "problem": artifact.Statement,
	},
	artifact.HypothesisSlate: {"how this could be true": artifact.Mechanism, "statement": artifact.Claim},
	artifact.PredictionsTable: {
		"observation/condition": artifact.Condition, "observation": artifact.Condition,
	},
	artifact.DiscriminativeTests: {
		"score": artifact.ScoreField, "expected outcome": artifact.ExpectedOutcomes,
		"outcomes": artifact.ExpectedOutcomes, "actual outcome": artifact.ActualOutcomes,
	},
	artifact.AnomalyRegister: {"status": artifact.Status},
	artifact.AdversarialCritique: {
		"evidence that would confirm this": artifact.Evidence, "evidence that would confirm": artifact.Evidence,
		"why it might be right": artifact.Evidence, "status": artifact.CurrentStatus,
	},
}

var fieldNames = func() []map[string]string {
	all := make([]map[string]string, len(artifact.Sections()))
	for _, s := range artifact.Sections() {
		names := map[string]string{
			"killed by": killedBy, "killed at": killedAt, "killed on": killedAt, "kill reason": killReason,
			"reason for kill": killReason, "killed": killed, "conflicts": conflictsField, "extra": extraField,
			"evidence references": artifact.EvidenceRefs,
		}
		maps.Copy(names, aliases[s])
		for _, f := range s.Fields() {
			names[labelKey(f.Name)], names[labelKey(f.Label)] = f.Name, f.Name
		}
		all[s] = names
	}
	return all
}()

// fieldOf finds the field that a label stands for in a section.
func fieldOf(s artifact.Section, label string) (string, bool) {
	name, ok := fieldNames[s][labelKey(label)]
	return name, ok
}

// ourLabel tells whether a label stands for a field in some section.
func ourLabel(label string) bool {
	for _, s := range artifact.Sections() {
		if _, ok := fieldOf(s, label); ok {
			return true
		}
	}
	return false
}

// labelKey is a label without regard to case, and to how its words are joined.
func labelKey(label string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t'
	}), " ")
}

// maxLabel bounds what can be a label rather than a bold sentence.
const maxLabel = 60

// splitLabel reads a line that begins with `**Label**:` or `**Label:**`.
func splitLabel(line string) (label, rest string, ok bool) {
	inner, ok := strings.CutPrefix(line, "**")
	if !ok {
		return "", "", false
	}
	end := strings.Index(inner[:min(len(inner), maxLabel+3)], "**")
	if end <= 0 || strings.Contains(inner[:end], "*") {
		return "", "", false
	}
	label, rest = inner[:end], inner[end+2:]
	if bare, ok := strings.CutSuffix(label, ":"); ok {
		return trim(bare), rest, trim(bare) != ""
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), ":")
	return trim(label), rest, ok && trim(label) != ""
}
