package mergetest

import (
	"encoding/json"
	"fmt"

	"brenner/internal/artifact"

	"pgregory.net/rapid"
)

func (g *generator) delta(m *Message) {
	word := rapid.SampledFrom([]string{"gpt", "opus", "human", "gemini"}).Draw(g.t, "shorthand")
	m.Subject = fmt.Sprintf("DELTA[%s]: random", word)
	m.Head = "# Delta Contribution\n"
	if g.version > 0 && g.chance(30) {
		m.Head += fmt.Sprintf("\n**Base Version**: v%d\n", rapid.IntRange(1, g.version+1).Draw(g.t, "base"))
	}
	handles := g.chance(25)
	for i := range rapid.IntRange(1, 5).Draw(g.t, "blocks") {
		m.Blocks = append(m.Blocks, g.block(i, handles))
	}
	m.Message = m.WithBlocks(m.Blocks)
}

// block makes a delta block. With handles, the nth block defines @hn and may use others'.
func (g *generator) block(n int, handles bool) string {
	if g.chance(4) {
		return rapid.SampledFrom([]string{`{"operation":"ADD",}`, `[]`, `{"operation":"MERGE"}`, ``}).Draw(g.t, "broken")
	}
	d := &draft{generator: g, section: artifact.Section(rapid.IntRange(0, 6).Draw(g.t, "section")), handles: handles}
	if d.section > artifact.PredictionsTable && g.chance(40) { // more life where ties and limits are
		d.section = artifact.HypothesisSlate
	}
	envelope := map[string]any{"section": d.section.String(), "rationale": "because"}
	switch kind := rapid.IntRange(0, 99).Draw(g.t, "operation"); {
	case kind < 35 && d.section != artifact.ResearchThread:
		d.adding = true
		envelope["operation"], envelope["payload"] = "ADD", d.payload()
		if handles {
			envelope["local_id"] = fmt.Sprintf("h%d", n)
		}
		g.counts[d.section]++
	case kind < 88 || d.section == artifact.ResearchThread:
		envelope["operation"], envelope["target_id"], envelope["payload"] = "EDIT", d.target(), d.payload()
	default:
		envelope["operation"], envelope["target_id"] = "KILL", d.target()
		envelope["payload"] = map[string]any{"reason": "because " + g.words()}
	}
	text, err := json.Marshal(envelope)
	if err != nil {
		g.t.Fatal(err)
	}
	return string(text)
}

// draft is a block being made.
type draft struct {
	*generator
	section artifact.Section
	adding  bool
	handles bool
}

func (d *draft) target() string {
	if d.section == artifact.ResearchThread {
		return "RT"
	}
	if d.handles && d.chance(50) {
		return d.handle()
	}
	n := min(d.counts[d.section], 6) + 1
	return string(artifact.NewItemID(d.section, rapid.IntRange(1, n).Draw(d.t, "number")))
}

func (d *draft) handle() string { return fmt.Sprintf("@h%d", rapid.IntRange(0, 4).Draw(d.t, "handle")) }

func (d *draft) payload() map[string]any {
	p := make(map[string]any)
	for _, f := range d.section.Fields() {
		switch {
		case d.adding && f.Required && !d.chance(2):
			p[f.Name] = d.value(f)
		case d.chance(25):
			p[f.Name] = d.value(f)
		case !d.adding && d.chance(4) && !f.Required:
			p[f.Name] = nil
		}
		if _, set := p[f.Name]; set && !d.adding && d.chance(12) {
			p[f.Name+"_replace"] = true
		}
	}
	if d.chance(8) {
		p[rapid.SampledFrom([]string{"extra", "score.cost", "other", "killed_if", "quantity"}).Draw(d.t, "unknown")] = d.any()
	}
	return p
}

func (d *draft) any() any {
	return rapid.SampledFrom([]any{nil, 1, "text", []any{1, "<&>"}, map[string]any{"k": true}}).Draw(d.t, "any")
}

func (d *draft) value(f artifact.FieldSpec) any {
	switch f.Kind {
	case artifact.KindFlag:
		return d.chance(50)
	case artifact.KindList:
		return d.list()
	case artifact.KindMap:
		return d.textMap()
	case artifact.KindScore:
		return map[string]any{
			rapid.SampledFrom(artifact.ScoreParts).Draw(d.t, "part"):         rapid.IntRange(-1, 4).Draw(d.t, "number"),
			rapid.SampledFrom([]string{"cost", "novelty"}).Draw(d.t, "part"): 1.5,
		}
	case artifact.KindReferences:
		return []any{map[string]any{"session": ThreadID, "item": d.key(), "relation": "refines"}}
	case artifact.KindJSON:
		return d.any()
	}
	if len(f.Values) > 0 {
		return rapid.SampledFrom(f.Values).Draw(d.t, f.Name)
	}
	if f.Name == artifact.Discriminates {
		return d.key() + " vs " + d.key()
	}
	if text := d.words(); text != "" {
		return text
	}
	return "filled"
}

func (d *draft) list() []string {
	list := []string{"§1"}
	for range rapid.IntRange(0, 3).Draw(d.t, "elements") {
		list = append(list, d.key())
	}
	return list
}

func (d *draft) textMap() map[string]any {
	m := map[string]any{d.key(): "always"}
	for range rapid.IntRange(0, 3).Draw(d.t, "keys") {
		m[d.key()] = d.words()
	}
	if !d.adding && d.chance(20) {
		m[d.key()] = nil
	}
	return m
}

func (d *draft) key() string {
	if d.handles && d.chance(40) {
		return d.handle()
	}
	return rapid.SampledFrom([]string{"H1", "H2", "H3", "H10", "none"}).Draw(d.t, "key")
}
