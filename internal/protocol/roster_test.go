package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type rosterVector struct {
	Name, Roster, Fix string
	Recipients        []string
	Mode              RosterMode
	Agents            []string // name and role
	Findings          []string // line:column severity code path: message
}

func TestRosterVectors(t *testing.T) {
	for _, v := range readVectors[rosterVector](t, "roster.json") {
		t.Run(v.Name, func(t *testing.T) {
			roster, findings := CheckRosterText([]byte(v.Roster), v.Recipients)
			wellFormed(t, findings)
			var agents, lines []string
			for _, e := range roster.Entries {
				agents = append(agents, e.AgentName+" "+string(e.Role))
			}
			for _, f := range findings {
				lines = append(lines, fmt.Sprintf("%d:%d %s %s %s: %s", f.Line, f.Column, f.Severity, f.Code, f.Path, f.Message))
			}
			if diff := cmp.Diff(v.Agents, agents); diff != "" {
				t.Errorf("agents (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(v.Findings, lines); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if roster.Mode != v.Mode {
				t.Errorf("mode %q, want %q", roster.Mode, v.Mode)
			}
			if !strings.Contains(fixes(findings), v.Fix) {
				t.Errorf("fix %q does not name %q", fixes(findings), v.Fix)
			}
		})
	}
}

// The mode stays open until every source has been asked.
func TestParseRosterLeavesTheModeOpen(t *testing.T) {
	roster, findings := ParseRoster([]byte(`[{"agentName":"BlueLake","role":"boss"}]`))
	if roster.Mode != "" || len(findings) > 0 {
		t.Errorf("mode %q, findings %v", roster.Mode, findings)
	}
}

func TestRosterRoundTrip(t *testing.T) {
	want := Roster{
		Entries: []RosterEntry{{"BlueLake", RoleTestDesigner, "claude-code", "Opus 4.5", "a note"}},
		Mode:    ModeUnified, Name: "Ours", CreatedAt: "2025-12-30T10:00:00Z",
	}
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, findings := ParseRoster(data)
	if diff := cmp.Diff(want, got); diff != "" || len(findings) > 0 {
		t.Errorf("findings %v, roster (-want +got):\n%s", findings, diff)
	}
}

func TestRoleOf(t *testing.T) {
	separated := Roster{Entries: []RosterEntry{{AgentName: "BlueLake", Role: RoleTestDesigner},
		{AgentName: "MyGemini", Role: RoleTestDesigner}}}
	heuristic := separated
	heuristic.Mode = ModeHeuristic
	for _, c := range []struct {
		roster Roster
		agent  string
		role   Role
		rank   int
	}{
		{separated, "bluelake", RoleTestDesigner, 0},
		{separated, "CodexOne", "", -1},
		{heuristic, "MyGemini", RoleTestDesigner, 1},
		{heuristic, "CodexOne", RoleHypothesisGenerator, -1},
		{heuristic, "someGPT", RoleHypothesisGenerator, -1},
		{heuristic, "CLAUDE", RoleTestDesigner, -1},
		{heuristic, "opus-2", RoleTestDesigner, -1},
		{heuristic, "GeminiTwo", RoleAdversarialCritic, -1},
		{heuristic, "RedSky", "", -1},
	} {
		role, ok := c.roster.RoleOf(c.agent)
		if role != c.role || ok != (c.role != "") || c.roster.Rank(c.agent) != c.rank {
			t.Errorf("%s: role %q, %t, rank %d", c.agent, role, ok, c.roster.Rank(c.agent))
		}
	}
}

func TestWarningsSayWhenTheyBecomeErrors(t *testing.T) {
	no := NoRosterFinding()
	if no.Severity != SeverityWarning || !strings.Contains(no.Message, "v0.2") {
		t.Errorf("NO_ROSTER: %+v", no)
	}
	old := Roster{Mode: ModeHeuristic}.Check(nil)
	if len(old) != 1 || old[0].Severity != SeverityWarning || !strings.Contains(old[0].Message, "v1.0") {
		t.Errorf("HEURISTIC_DEPRECATED: %+v", old)
	}
}

type presetVector struct {
	Name     string
	Presets  []Preset
	ID       string
	Agents   []string
	Entries  []string // name, role, program, model
	Findings []string
}

func TestPresetVectors(t *testing.T) {
	for _, v := range readVectors[presetVector](t, "preset.json") {
		t.Run(v.Name, func(t *testing.T) {
			findings := CheckPresets(v.Presets)
			var entries []string
			if v.ID != "" {
				preset, unknown := FindPreset(v.ID, v.Presets)
				roster, mismatch := preset.Resolve(v.Agents)
				findings = append(append(findings, unknown...), mismatch...)
				for _, e := range roster.Entries {
					entries = append(entries, fmt.Sprintf("%s %s %s %s", e.AgentName, e.Role, e.Program, e.Model))
				}
				if len(findings) == 0 {
					findings = roster.Check(v.Agents)
				}
			}
			wellFormed(t, findings)
			if diff := cmp.Diff(v.Entries, entries); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(v.Findings, verdict(findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidAgentName(t *testing.T) {
	for name, want := range map[string]bool{
		"BlueLake": true, "a": true, "Agent_7-b": true, strings.Repeat("a", 64): true,
		"": false, " ": false, "Blue Lake": false, "Bläu": false, "\u212a": false, "a.b": false, "a|b": false, "-a": false, "_a": false,
		strings.Repeat("a", 65): false,
	} {
		if got := ValidAgentName(name); got != want {
			t.Errorf("ValidAgentName(%q) = %t", name, got)
		}
	}
}

func TestValidIdentifier(t *testing.T) {
	for text, want := range map[string]bool{
		"Opus 4.5": true, "gpt-5.2": true, "vendor/model:free@2026+x_1": true, "7": true, strings.Repeat("a", 64): true,
		"": false, "-m": false, " a": false, "$(touch X)": false, "a;b": false, "a\nb": false, "a\n": false, "Bläu": false, "a\x00": false,
		strings.Repeat("a", 65): false,
	} {
		if got := ValidIdentifier(text); got != want {
			t.Errorf("ValidIdentifier(%q) = %t", text, got)
		}
		if findings := CheckIdentifier(text, "model"); (len(findings) == 0) != (want || text == "") {
			t.Errorf("CheckIdentifier(%q) = %v", text, findings)
		}
	}
}

// FuzzRoster: nothing panics, every finding of a text has its place, and what parses
// without errors survives a round trip.
func FuzzRoster(f *testing.F) {
	for _, v := range readVectors[rosterVector](f, "roster.json") {
		f.Add([]byte(v.Roster))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		roster, findings := CheckRosterText(data, []string{"BlueLake"})
		for _, finding := range findings {
			if finding.Line < 1 || finding.Column < 1 {
				t.Errorf("no place: %+v", finding)
			}
		}
		if HasErrors(findings) {
			return
		}
		text, err := json.Marshal(roster)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := ParseRoster(text); !cmp.Equal(roster, again.WithDefaults()) {
			t.Errorf("%s became %s", data, text)
		}
	})
}

func TestPlaces(t *testing.T) {
	text := []byte(strings.Repeat("ä\n§§x", 2000))
	p := newPlaces(text)
	line, column := 1, 1
	for i, r := range string(text) {
		if gotLine, gotColumn := p.position(i); gotLine != line || gotColumn != column {
			t.Fatalf("offset %d: %d:%d, want %d:%d", i, gotLine, gotColumn, line, column)
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
}

// BenchmarkRoster reports how the time grows when a roster full of mistakes grows tenfold.
func BenchmarkRoster(b *testing.B) {
	roster := func(n int) []byte {
		return []byte("[" + strings.Repeat(`{"role":"x","agentName":"y","z":1},`, n) + "{}]")
	}
	small, large := roster(500), roster(5000)
	var times [2]time.Duration
	for b.Loop() {
		for i, data := range [][]byte{small, large} {
			start := time.Now()
			CheckRosterText(data, []string{"BlueLake"})
			times[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(times[1])/float64(times[0]), "growth")
}
