package prompt

import (
	"fmt"
	"strings"

	"brenner/internal/protocol"
)

// State is where a later round begins: what was found, and what is asked next. Entries may hold what agents wrote.
type State struct {
	BaseArtifact  int
	OpenCritiques []string
	Focus         string
	Found         []string // results that stand, then those that were replaced or withdrawn
	Belief        string
	Next          []string // what would teach most, the best first
	You           []string // for this recipient alone
}

func (s State) text() string {
	var b strings.Builder
	field(&b, "Base Artifact", fmt.Sprintf("v%d", s.BaseArtifact))
	inline(&b, "Open Critiques", orNone(s.OpenCritiques))
	if s.Focus != "" {
		field(&b, "Focus Area", oneLine(s.Focus))
	}
	listed(&b, "Found", s.Found)
	if s.Belief != "" {
		field(&b, "Belief", s.Belief)
	}
	inline(&b, "Next", s.Next)
	listed(&b, "For You", s.You)
	return b.String()
}

// What a field tells at most: agents pay for each word, and their tools tell the rest.
const (
	maxEntries = 12
	maxEntry   = 200 // characters
)

func field(b *strings.Builder, name, value string) { fmt.Fprintf(b, "- **%s**: %s\n", name, value) }

// inline writes entries behind each other, none if there are none.
func inline(b *strings.Builder, name string, entries []string) {
	if entries = entered(entries); len(entries) > 0 {
		field(b, name, strings.Join(entries, "; "))
	}
}

// listed writes entries below each other, nothing if there are none.
func listed(b *strings.Builder, name string, entries []string) {
	if entries = entered(entries); len(entries) > 0 {
		fmt.Fprintf(b, "- **%s**:\n  - %s\n", name, strings.Join(entries, "\n  - "))
	}
}

// entered puts entries on one line each, and counts those that are too many.
func entered(entries []string) []string {
	shown := make([]string, 0, min(len(entries), maxEntries+1))
	for _, e := range entries[:min(len(entries), maxEntries)] {
		shown = append(shown, protocol.Fit(oneLine(e), maxEntry))
	}
	if more := len(entries) - maxEntries; more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return shown
}

func orNone(entries []string) []string {
	if len(entries) == 0 {
		return []string{"none"}
	}
	return entries
}
