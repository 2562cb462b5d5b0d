package message

import (
	"strings"
	"testing"

	"brenner/internal/markup"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// hostile draws text that tries to break out of a line, a cell or a section.
func hostile() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{
			"|", `\`, `\|`, "-", "**", "*", "_", "`", "```delta\n", "~~~", "\n", "\r\n", "\t", " ", "#", "## Context\n", "---", "\n---\n",
			"&", "&amp;", "&#10;", "&lt;", "<!--", "<script>", "{", "}", `{"operation": "ADD", "section": "hypothesis_slate"}`,
			"DELTA[gpt]: x",
			"### DELTA: ADD", "§12", "€", "😀", "\u202e", "\u2028", "\u0085", "\u00a0", "[x](y)", "1.", "None.", "… and 3 more", ": ", ",",
			"v9",
		}),
		rapid.StringN(0, 6, 12),
	), 0, 8), func(parts []string) string {
		return strings.ReplaceAll(strings.ToValidUTF8(strings.Join(parts, ""), ""), "\x00", "")
	})
}

// TestSessionConfigurationRoundTrip: the block is the only place a fold reads the roster
// from, so it carries any text.
func TestSessionConfigurationRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile()
		want := protocol.Roster{
			Mode: rapid.SampledFrom(protocol.RosterModes()).Draw(t, "mode"), Name: text.Draw(t, "name"), CreatedAt: text.Draw(t, "created"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "entries") {
			want.Entries = append(want.Entries, protocol.RosterEntry{
				AgentName: text.Draw(t, "agent"), Role: protocol.Role(text.Draw(t, "role")),
				Program: text.Draw(t, "program"), Model: text.Draw(t, "model"), Notes: text.Draw(t, "notes"),
			})
		}
		before, after := "# Kickoff\n\n## Context\n\nText.\n\n", "\n## Your Role\n\nText.\n"
		body := before + RenderSessionConfiguration(want) + after
		got, ok := ParseSessionConfiguration(markup.Parse(body))
		if !ok {
			t.Fatalf("no block in\n%s", body)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, body)
		}
		if s, ok := markup.Parse(body).Section("Your Role"); !ok || !s.Present() {
			t.Fatalf("the block swallows what follows it:\n%s", body)
		}
	})
}

// TestSessionConfigurationForm: the specification's example comes back byte for byte.
func TestSessionConfigurationForm(t *testing.T) {
	body := one(t, "testdata/specs/roster-13-session-configuration.txtar").draft.Body
	roster, ok := ParseSessionConfiguration(markup.Parse(body))
	if !ok {
		t.Fatal("no block")
	}
	if diff := cmp.Diff(body, RenderSessionConfiguration(roster)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if e, _ := roster.Entry("purplemountain"); e.Role != protocol.RoleTestDesigner || e.Model != "Opus 4.5" {
		t.Errorf("entry %+v", e)
	}
}

// TestSessionConfigurationTolerance: other programs decorate cells and move columns.
func TestSessionConfigurationTolerance(t *testing.T) {
	body := "## Session configuration:\n* **Roster Mode:** `unified`\n\n|Role|Agent|\n|:--|---|\n| test_designer | **BlueLake** |\n| - | " +
		"`RedSky` | extra |\n"
	got, ok := ParseSessionConfiguration(markup.Parse(body))
	want := protocol.Roster{Mode: protocol.ModeUnified, Entries: []protocol.RosterEntry{
		{AgentName: "BlueLake", Role: protocol.RoleTestDesigner}, {AgentName: "RedSky"},
	}}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("ok %t (-want +got):\n%s", ok, diff)
	}
	for _, body := range []string{"## Context\nx\n", "## Session Configuration\nto be decided\n", "```\n" + body + "```\n"} {
		if _, ok := ParseSessionConfiguration(markup.Parse(body)); ok {
			t.Errorf("a roster in %q", body)
		}
	}
}
