package protocol

import (
	"slices"
	"strings"
)

// Role is a part that an agent plays in a session.
type Role string

// The three roles.
const (
	RoleHypothesisGenerator Role = "hypothesis_generator"
	RoleTestDesigner        Role = "test_designer"
	RoleAdversarialCritic   Role = "adversarial_critic"
)

// Roles returns all three.
func Roles() []Role {
	return []Role{RoleHypothesisGenerator, RoleTestDesigner, RoleAdversarialCritic}
}

// Valid tells whether the role is one of the three.
func (r Role) Valid() bool { return slices.Contains(Roles(), r) }

// guessRole is the deprecated guess from a name (PROTOCOL 12, heuristic).
func guessRole(name string) (Role, bool) {
	name = strings.ToLower(name)
	switch {
	case strings.Contains(name, "codex"), strings.Contains(name, "gpt"):
		return RoleHypothesisGenerator, true
	case strings.Contains(name, "claude"), strings.Contains(name, "opus"):
		return RoleTestDesigner, true
	case strings.Contains(name, "gemini"):
		return RoleAdversarialCritic, true
	}
	return "", false
}
