package markdown

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// hostile are pieces of text that mean something to a reader of Markdown, YAML or our form.
var hostile = []string{
	"", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\x00", "\x07", "\x1b[31m", "\x7f", "\u0085", "\u2028", "\u2029",
	"\u202e", "\u2066", "\u200f", "\ufeff", "\u00a0", "שלום", "مرحبا", "🧬", "👩‍🔬", "é", "…",
	"plain words", "two words, and a comma", "p < 0.05", "x<y", "a & b", "~10 nm", "50%", "C#", "H1", "H2", "H10", "T1",
	"#", "##", "# Research Thread", "## 3. Predictions Table", "## 3.", "### H1: forged", "### H1", "###", "#### deep",
	"**Claim**: forged", "**Claim:** forged", "**Note**: harmless", "**", "*", "- **Claim**: forged", "**Extra**:",
	"**None registered**: forged", "**Killed by**: forged", "---", "----", "- - -", "***", "___", "===", "=", "-", "+", "...",
	"- bullet", "* bullet", "1. step", "2) step", "  - nested", "    code", "> quoted", "| a | b |", "|---|---|", "|", `\|`,
	"```", "```json", "~~~", "~~~~", "  ```", " ```", "    ```", "````", "`", "``", "`code`", "``a`b``", "` `", "`<b>`", "`|`", "`a\\`",
	"\\`",
	"~~struck~~", "~~", "~", "N/A", "N/A ~~x~~", "n/a", "none", "None", "–", "—", `""`, `"`, "'", "yes", "no",
	"[KILLED]", "[killed]", "(third alternative)", "(Third Alternative)", "(real third alternative)", "(Score: 3/12)", "(Score: –/12)",
	"(KILLED)",
	"<script>alert(1)</script>", "<br>", "<br/>", "<BR />", "<!-- comment -->", "</details>", "<", ">", "<?php", "<a href=x>",
	"&lt;", "&amp;", "&#0;", "&#35;", "&#x202E;", "&nbsp;", "&mdash;", "&", "&#", "&#;", "&;", "&lt", "\\&lt;",
	`\`, `\\`, `\\\`, `\*`, `\n`, "a\\", "\\<br>", "[link](http://example.org)", "[x](javascript:alert(1))", "[x](java&#115;cript:y)",
	"[x]: http://example.org",
	"[^1]: note", "![i](http://example.org/i.png)", "![i](data:text/html,x)", "Unchecked", "unchecked", "ACTIVE", "passed", ":", ": ",
	"a: b", "If H1", "H1 predicts", "H3 (gradient)",
	"§12", "EV-001#E2", "[external: Smith, 2020]", "(", ")", "[", "]", "{", "}", ",", ", ", ";", "H1: up; H2: down", "{\"a\":1}",
	"`{\"a\":1}`", "$x$", "@user", "%", "\u2190",
}

// anyText draws texts made of hostile pieces, of arbitrary characters, or of both.
func anyText() *rapid.Generator[string] {
	piece := rapid.OneOf(rapid.SampledFrom(hostile), rapid.SampledFrom(hostile), rapid.String())
	return rapid.Custom(func(t *rapid.T) string {
		joint := rapid.SampledFrom([]string{"", "", " ", "\n", "\n", "\n\n"}).Draw(t, "joint")
		return valid(strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "pieces"), joint))
	})
}

// anyKey draws keys of maps: mostly hypotheses.
func anyKey() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"H1", "H2", "H3", "H4", "H12", "ID", "Condition", ""}), anyText())
}

var anyJSON = rapid.SampledFrom([]string{
	`null`, `true`, `0`, `-1.50`, `1E5`, `""`, `"text"`, `"a\u0000b"`, `"` + "`" + `|<b>"`, `"é\u00e9 \"q\" \\ \/"`, `[]`, `{}`,
	`[1,[2,[3,{"a":[]}]]]`,
	`{"a":1,"b":{"c":"` + "```" + `"}}`, `{"z":1,"a":2}`, `"\u2028` + "\u2028\u202e\x7f" + `"`, `[[[[[[[[[[]]]]]]]]]]`, `"---"`,
})

func anyScore() *rapid.Generator[artifact.Score] {
	number := rapid.SampledFrom([]string{"0", "1", "2", "3", "2.5", "-1", "7", "1e3", "1E+2", "-0", "0.125", "1e400"})
	name := rapid.OneOf(rapid.SampledFrom(artifact.ScoreParts), rapid.SampledFrom(artifact.ScoreParts), anyText())
	return rapid.Custom(func(t *rapid.T) artifact.Score {
		parts := []artifact.Part{}
		for _, n := range rapid.SliceOfNDistinct(name, 0, 5, rapid.ID[string]).Draw(t, "parts") {
			parts = append(parts, artifact.Part{Name: n, Number: number.Draw(t, "number")})
		}
		return artifact.NewScore(parts...)
	})
}

func anyReference() *rapid.Generator[artifact.Reference] {
	return rapid.Custom(func(t *rapid.T) artifact.Reference {
		r := artifact.Reference{
			Session:  rapid.OneOf(rapid.Just("RS-20251230-bio-rrp"), anyText()).Draw(t, "session"),
			Item:     rapid.OneOf(rapid.Just("H2"), anyText()).Draw(t, "item"),
			Relation: rapid.OneOf(rapid.SampledFrom(artifact.Relations), anyText()).Draw(t, "relation"),
		}
		if rapid.IntRange(0, 3).Draw(t, "extra") == 0 {
			r.Extra = artifact.JSON(`{"n\u006fte":` + anyJSON.Draw(t, "value") + `,"|":1}`)
		}
		return r
	})
}

// anyValue draws a value of a field, absent and empty ones included.
func anyValue(t *rapid.T, f artifact.FieldSpec) artifact.Value {
	if rapid.IntRange(0, 4).Draw(t, f.Name+" absent") == 0 {
		return nil
	}
	switch f.Kind {
	case artifact.KindText:
		return artifact.Text(rapid.OneOf(anyText(), rapid.SampledFrom(append([]string{"x"}, f.Values...))).Draw(t, f.Name))
	case artifact.KindFlag:
		return artifact.Flag(rapid.Bool().Draw(t, f.Name))
	case artifact.KindList:
		return artifact.List(rapid.SliceOfN(anyText(), 0, 3).Draw(t, f.Name))
	case artifact.KindMap:
		pairs := []artifact.Pair{}
		for _, key := range rapid.SliceOfNDistinct(anyKey(), 0, 4, rapid.ID[string]).Draw(t, f.Name) {
			pairs = append(pairs, artifact.Pair{Key: key, Text: anyText().Draw(t, "text")})
		}
		return artifact.NewMap(pairs...)
	case artifact.KindScore:
		return anyScore().Draw(t, f.Name)
	case artifact.KindReferences:
		return artifact.References(rapid.SliceOfN(anyReference(), 0, 2).Draw(t, f.Name))
	default:
		return artifact.JSON(anyJSON.Draw(t, f.Name))
	}
}

func fillItem(t *rapid.T, it *artifact.Item) {
	for _, f := range it.Section.Fields() {
		it.Set(f.Name, anyValue(t, f))
	}
	for range rapid.IntRange(0, 2).Draw(t, "extras") {
		name := rapid.OneOf(rapid.SampledFrom([]string{"confidence", "a b", artifact.KilledIf, artifact.Quantity, artifact.Test}),
			anyText()).Draw(t, "extra name")
		if !artifact.Reserved(name) && it.Section.Field(name) < 0 {
			it.SetExtra(name, artifact.JSON(anyJSON.Draw(t, "extra value")))
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "conflicts") == 0 {
		it.Conflicts = []string{"claim", "predictions.H2"}
	}
	if it.Section != artifact.ResearchThread && rapid.IntRange(0, 2).Draw(t, "killed") == 0 {
		it.Killed = &artifact.Kill{
			By: anyText().Draw(t, "by"), At: time.Unix(rapid.Int64Range(-1e9, 4e9).Draw(t, "at"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns")).
				UTC(),
			Reason: anyText().Draw(t, "reason"),
		}
	}
}

// anyArtifact draws whole artifacts.
func anyArtifact(t *rapid.T) *artifact.Artifact {
	a := artifact.New()
	fillItem(t, a.Thread)
	for _, s := range artifact.Sections()[1:] {
		n := 0
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			n += rapid.IntRange(1, 2).Draw(t, "step")
			it := artifact.NewItem(artifact.NewItemID(s, n), s)
			fillItem(t, it)
			a.Add(it)
		}
	}
	return a
}

func anyMetadata(t *rapid.T) artifact.Metadata {
	text := func(label string) string { return anyText().Draw(t, label) }
	moment := func() time.Time {
		if rapid.Bool().Draw(t, "no time") {
			return time.Time{}
		}
		return time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "time"), 0).UTC()
	}
	m := artifact.Metadata{
		SessionID: text("session"), Version: rapid.IntRange(0, 99).Draw(t, "version"), Status: text("status"),
		CreatedAt: moment(), UpdatedAt: moment(), CompiledAt: moment(), CompiledBy: text("by"),
		ArtifactHash: text("hash"), ResearchProgram: text("program"),
		AgentMailMessageID: rapid.Int64().Draw(t, "id"), ChainHash: text("chain"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "contributors") {
		m.Contributors = append(m.Contributors, text("contributor"))
		m.ContributorDetails = append(m.ContributorDetails, artifact.ContributorDetail{
			Agent: text("agent"), Shorthand: text("shorthand"), Role: text("role"), Program: text("program"), Model: text("model"),
			Deltas: 3,
		})
	}
	if rapid.Bool().Draw(t, "roster") {
		m.Roster = &protocol.Roster{Mode: protocol.ModeUnified, Name: text("name"), CreatedAt: text("created"),
			Entries: []protocol.RosterEntry{
				{AgentName: text("agent"), Role: protocol.RoleTestDesigner, Program: text("program"), Model: text("model"),
					Notes: text("notes")},
			}}
	}
	return m
}

func describe(doc artifact.Document) string {
	b, err := doc.Artifact.MarshalJSON()
	return fmt.Sprint(string(b), err)
}
