package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// Preset is a roster to use again: roles in order, agents filled in later.
type Preset struct {
	ID               string        `json:"id"`
	Name             string        `json:"name"`
	Description      string        `json:"description,omitempty"`
	Entries          []RosterEntry `json:"entries"` // without agent names
	PlaceholderNames []string      `json:"placeholderNames,omitempty"`
}

// BuiltinPresets returns the presets that every project has. They have no placeholder
// names: each position needs an agent (PROTOCOL 12).
func BuiltinPresets() []Preset {
	return []Preset{{
		ID:          "default-3-agent",
		Name:        "Default 3-Agent Setup",
		Description: "One agent for each role: Codex proposes, Opus designs tests, Gemini attacks.",
		Entries: []RosterEntry{
			{Role: RoleHypothesisGenerator, Program: "codex-cli", Model: "GPT-5.2"},
			{Role: RoleTestDesigner, Program: "claude-code", Model: "Opus 4.5"},
			{Role: RoleAdversarialCritic, Program: "gemini-cli", Model: "Gemini 3"},
		},
	}}
}

// CheckPresets judges the presets of a project. Ids are unique among them; one of them may
// have the id of a built-in preset, which it then replaces.
func CheckPresets(presets []Preset) []Finding {
	var findings []Finding
	seen := make(map[string]bool, len(presets))
	for i, p := range presets {
		path := fmt.Sprintf("presets[%d]", i)
		findings = append(findings, p.check(path)...)
		if p.ID != "" && seen[p.ID] {
			findings = append(findings, NewFinding(DuplicatePreset, "Two presets have the id %q.", p.ID).In(path+".id"))
		}
		seen[p.ID] = true
	}
	return findings
}

func (p Preset) check(path string) []Finding {
	var findings []Finding
	missing := func(key string) {
		findings = append(findings, NewFinding(InvalidPreset, "The preset %s has no %s.", p.label(path), key).
			In(path+"."+key).WithFix("Give the preset its %s.", key))
	}
	if strings.TrimSpace(p.ID) == "" {
		missing("id")
	}
	if strings.TrimSpace(p.Name) == "" {
		missing("name")
	}
	if len(p.Entries) == 0 {
		missing("entries")
	}
	for i, e := range p.Entries {
		if !e.Role.Valid() {
			e.AgentName = fmt.Sprintf("position %d of preset %s", i+1, p.label(path))
			findings = append(findings, invalidRole(e, fmt.Sprintf("%s.entries[%d]", path, i)))
		}
	}
	return findings
}

func (p Preset) label(path string) string {
	if p.ID != "" {
		return fmt.Sprintf("%q", p.ID)
	}
	return path
}

// Presets returns the presets that a project can use: its own, then the built-in ones that they do not replace
// (PROTOCOL 12).
func Presets(own []Preset) []Preset {
	all := slices.Clone(own)
	for _, p := range BuiltinPresets() {
		if !slices.ContainsFunc(own, p.sameID) {
			all = append(all, p)
		}
	}
	return all
}

func (p Preset) sameID(other Preset) bool { return p.ID == other.ID }

// IsBuiltin tells whether a preset of the project is a built-in one.
func (p Preset) IsBuiltin(own []Preset) bool { return !slices.ContainsFunc(own, p.sameID) }

// FindPreset finds a preset of the project by its id.
func FindPreset(id string, own []Preset) (Preset, []Finding) {
	all := Presets(own)
	if i := slices.IndexFunc(all, Preset{ID: id}.sameID); i >= 0 {
		return all[i], nil
	}
	known := make([]string, len(all))
	for i, p := range all {
		known[i] = p.ID
	}
	return Preset{}, []Finding{NewFinding(UnknownPreset, "No preset has the id %q.", shorten(id)).
		In("preset").WithFix("Use one of: %s.", strings.Join(known, ", "))}
}

// Resolve gives the preset's positions to the agents in order. A position without an agent
// takes its placeholder name; without that it is PRESET_SIZE_MISMATCH. Agents beyond the
// last position get no entry: Check says so when they are recipients. The mode stays open,
// as a preset does not set one.
func (p Preset) Resolve(agents []string) (Roster, []Finding) {
	roster := Roster{Name: p.Name}
	for i, e := range p.Entries {
		switch {
		case i < len(agents):
			e.AgentName = agents[i]
		case i < len(p.PlaceholderNames) && strings.TrimSpace(p.PlaceholderNames[i]) != "":
			e.AgentName = p.PlaceholderNames[i]
		default:
			return roster, []Finding{NewFinding(PresetSizeMismatch,
				"Preset %q has %s for %s: position %d (%s) is free.", p.ID,
				Plural(len(p.Entries), "position"), Plural(len(agents), "agent"), i+1, e.Role).In("preset")}
		}
		roster.Entries = append(roster.Entries, e)
	}
	return roster, nil
}

// PresetObject is a preset as every surface writes it.
type PresetObject struct {
	ID               string           `json:"id"`
	Name             string           `json:"name"`
	Description      string           `json:"description"`
	Entries          []PresetPosition `json:"entries"`
	PlaceholderNames []string         `json:"placeholderNames"`
}

// PresetPosition is a position of a preset: the agent that takes it has this role.
type PresetPosition struct {
	Role    Role   `json:"role"`
	Program string `json:"program,omitempty"`
	Model   string `json:"model,omitempty"`
	Notes   string `json:"notes,omitempty"`
}

// Object returns the preset as every surface writes it.
func (p Preset) Object() PresetObject {
	o := PresetObject{ID: p.ID, Name: p.Name, Description: p.Description, Entries: []PresetPosition{},
		PlaceholderNames: NonNil(p.PlaceholderNames)}
	for _, e := range p.Entries {
		o.Entries = append(o.Entries, PresetPosition{e.Role, e.Program, e.Model, e.Notes})
	}
	return o
}
