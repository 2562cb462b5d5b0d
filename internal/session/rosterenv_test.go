package session_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
	"brenner/internal/session"
)

func noFile(string) ([]byte, error) { return nil, errors.New("no file") }

func codes(findings []protocol.Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Code))
	}
	return strings.Join(list, " ")
}

func TestRosterEnvironmentNamesItsVariables(t *testing.T) {
	env, findings, err := session.ReadRosterEnvironment([]string{
		"PATH=/bin", "BRENNER_ROSTER={", "BRENNER_ROSTER_MODUS=unified", "BRENNER_ROSTER_AGENT_=x", "BRENNER_ROSTERS=",
		"BRENNER_ROSTER_PRESET=pair",
	}, "", noFile)
	if err != nil || len(env.Choices) != 1 {
		t.Fatalf("%+v, %v", env, err)
	}
	for _, want := range []string{"BRENNER_ROSTER: ", "BRENNER_ROSTER_MODUS is set", "BRENNER_ROSTER_AGENT_ is set"} {
		if !slices.ContainsFunc(findings, func(f protocol.Finding) bool { return strings.Contains(f.Message, want) }) {
			t.Errorf("nothing says %q: %+v", want, findings)
		}
	}
	if got := codes(findings); strings.Count(got, "UNKNOWN_VARIABLE") != 2 {
		t.Errorf("got %s", got)
	}
}

// TestRosterPrecedence holds what counts more than what (PROTOCOL 12).
func TestRosterPrecedence(t *testing.T) {
	entry := func(name, role string) []protocol.RosterEntry {
		return []protocol.RosterEntry{{AgentName: name, Role: protocol.Role(role)}}
	}
	variable := session.RoleChange{Kind: session.FromEnvironment, Agent: "BLUE_LAKE", Role: "test_designer",
		Origin: "BRENNER_ROSTER_AGENT_BLUE_LAKE"}
	flag := session.RoleChange{Kind: session.FromFlags, Agent: "Blue-Lake", Role: "adversarial_critic", Origin: "--agent-role"}
	for name, c := range map[string]struct {
		req      session.RosterRequest
		role     protocol.Role
		findings string
	}{
		"flags beat the variable": {session.RosterRequest{
			Sources: []session.RosterSource{{Kind: session.FromFlags, Entries: entry("Blue-Lake", "adversarial_critic")}},
			Changes: []session.RoleChange{variable},
		}, "adversarial_critic", "ROSTER_ENV_IGNORED"},
		"so does --agent-role": {session.RosterRequest{
			Sources: []session.RosterSource{{Kind: session.FromEnvironment, Entries: entry("Blue-Lake", "test_designer")}},
			Changes: []session.RoleChange{variable, flag},
		}, "adversarial_critic", "ROSTER_ENV_IGNORED"},
		"the variable changes the rest": {session.RosterRequest{
			Project: session.RosterSource{Entries: entry("Blue-Lake", "adversarial_critic")},
			Changes: []session.RoleChange{variable},
		}, "test_designer", ""},
		"the environment beats a form": {session.RosterRequest{
			Sources: []session.RosterSource{
				{Kind: session.FromEnvironment, Origin: "BRENNER_ROSTER", Entries: entry("Blue-Lake", "test_designer")},
				{Kind: session.FromForm, Entries: entry("RedSky", "adversarial_critic")},
			},
		}, "test_designer", "ROSTER_ENV_USED"},
		"agreement is no conflict": {session.RosterRequest{
			Sources: []session.RosterSource{{Kind: session.FromFlags, Entries: entry("Blue-Lake", "test_designer")}},
			Changes: []session.RoleChange{variable},
		}, "test_designer", ""},
	} {
		choice, findings := session.ChooseRoster(c.req)
		if len(choice.Roster.Entries) != 1 || choice.Roster.Entries[0].Role != c.role || codes(findings) != c.findings {
			t.Errorf("%s: %+v, %s; want %s, %s", name, choice.Roster.Entries, codes(findings), c.role, c.findings)
		}
	}
}

func TestOneFindingSaysWhyThereIsNoRoster(t *testing.T) {
	for want, req := range map[string]session.RosterRequest{
		"INVALID_MODE":   {Recipients: []string{"BlueLake"}, Sources: []session.RosterSource{{Mode: "unifed"}}},
		"UNKNOWN_PRESET": {Recipients: []string{"BlueLake"}, Choices: []session.PresetChoice{{ID: "nope"}}},
		"INVALID_FIELD": {Sources: []session.RosterSource{{
			Entries: []protocol.RosterEntry{{AgentName: "BlueLake", Role: protocol.RoleTestDesigner}}, CreatedAt: "yesterday",
		}}},
	} {
		if _, findings := session.ChooseRoster(req); codes(findings) != want {
			t.Errorf("got %s, want %s", codes(findings), want)
		}
	}
}
