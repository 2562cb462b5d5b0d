package markdown

import (
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"brenner/artifact"
	"brenner/protocol"
)

// maxFrontMatter bounds what is handed to the YAML reader.
const maxFrontMatter = 1 << 20

// readFrontMatter reads the block between two `---` lines that opens the file, and returns
// the place of the first line after it.
func (p *parser) readFrontMatter() int {
	if strings.TrimRight(p.lines[0], " \t") != "---" {
		return 0
	}
	end := 1
	for end < len(p.lines) && !closesFrontMatter(p.lines[end]) {
		end++
	}
	if end == len(p.lines) {
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is never closed.").At(1, 1).
			WithFix("Put a line with --- after the front matter."))
		return 1
	}
	p.outline.FrontMatter.Present, p.outline.FrontMatter.Line = true, 1
	p.readYAML(strings.Join(p.lines[1:end], "\n") + "\n")
	return end + 1
}

func closesFrontMatter(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "---" || line == "..."
}

func (p *parser) readYAML(text string) {
	var doc yaml.Node
	if len(text) > maxFrontMatter {
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is longer than %d bytes and was not read.", maxFrontMatter).At(1, 1))
		return
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is not YAML: %v.", err).At(1, 1))
		return
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is not a list of keys and values.").At(1, 1))
		return
	}
	p.outline.FrontMatter.Readable = true
	p.eachKey(doc.Content[0], p.readKey)
}

// eachKey calls read for each key of a mapping, and reports keys that stand twice.
func (p *parser) eachKey(m *yaml.Node, read func(key string, v *yaml.Node) bool) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key, value := m.Content[i], resolve(m.Content[i+1])
		if seen[key.Value] {
			p.yamlFinding(key, protocol.InvalidField, "%s stands twice; this one is not kept.", key.Value)
			continue
		}
		seen[key.Value] = true
		if !read(key.Value, value) {
			p.yamlFinding(key, protocol.UnknownField, "The front matter has no key %q; it is not kept.", key.Value)
		}
	}
}

// resolve follows an alias, once: what is behind it is never one itself.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func (p *parser) yamlFinding(n *yaml.Node, code protocol.Code, format string, args ...any) {
	p.report(protocol.NewFinding(code, format, args...).At(n.Line+1, n.Column).In(n.Value))
}

// readKey reads a key of the front matter; it is false if there is no such key.
func (p *parser) readKey(key string, v *yaml.Node) bool {
	m, front := &p.metadata, &p.outline.FrontMatter
	raw := Raw{v.Value, v.Line + 1}
	switch key {
	case "session_id":
		m.SessionID, front.SessionID = p.yamlText(key, v), raw
	case "version":
		m.Version, front.Version = int(p.yamlNumber(key, v)), raw
	case "status":
		m.Status, front.Status = p.yamlText(key, v), raw
	case "created_at":
		m.CreatedAt, front.CreatedAt = p.yamlTime(key, v), raw
	case "updated_at":
		m.UpdatedAt, front.UpdatedAt = p.yamlTime(key, v), raw
	case "contributors":
		front.Contributors = raw
		p.readContributors(v)
	default:
		return p.readLesserKey(key, v)
	}
	return true
}

func (p *parser) readLesserKey(key string, v *yaml.Node) bool {
	m := &p.metadata
	switch key {
	case "compiled_at":
		m.CompiledAt = p.yamlTime(key, v)
	case "compiled_by":
		m.CompiledBy = p.yamlText(key, v)
	case "contributor_details":
		m.ContributorDetails = nil
		for _, n := range p.yamlList(key, v) {
			m.ContributorDetails = append(m.ContributorDetails, p.readContributor(n))
		}
	case "roster":
		m.Roster = p.readRoster(v)
	case "artifact_hash":
		m.ArtifactHash = p.yamlText(key, v)
	case "research_program":
		m.ResearchProgram = p.yamlText(key, v)
	case "agent_mail_message_id":
		m.AgentMailMessageID = p.yamlNumber(key, v)
	case "chain_hash":
		m.ChainHash = p.yamlText(key, v)
	default:
		return false
	}
	return true
}

func (p *parser) yamlText(key string, v *yaml.Node) string {
	if v.Kind != yaml.ScalarNode {
		p.yamlFinding(v, protocol.InvalidField, "%s is not a text.", key)
		return ""
	}
	if v.Tag == "!!null" {
		return ""
	}
	return v.Value
}

func (p *parser) yamlNumber(key string, v *yaml.Node) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(v.Value, "v"), 10, 64)
	if v.Kind != yaml.ScalarNode || err != nil {
		p.yamlFinding(v, protocol.InvalidField, "%s is not a whole number.", key)
		return 0
	}
	return n
}

func (p *parser) yamlTime(key string, v *yaml.Node) time.Time {
	t, ok := readTime(v.Value)
	if v.Kind != yaml.ScalarNode || !ok {
		p.yamlFinding(v, protocol.InvalidField, "%s is not a timestamp.", key)
	}
	return t
}

func (p *parser) yamlList(key string, v *yaml.Node) []*yaml.Node {
	if v.Kind == yaml.SequenceNode {
		list := make([]*yaml.Node, len(v.Content))
		for i, n := range v.Content {
			list[i] = resolve(n)
		}
		return list
	}
	if v.Tag != "!!null" {
		p.yamlFinding(v, protocol.InvalidField, "%s is not a list.", key)
	}
	return nil
}

// readContributors reads shorthands, or objects that say more (PROTOCOL 8).
func (p *parser) readContributors(v *yaml.Node) {
	m := &p.metadata
	details := []artifact.ContributorDetail{}
	for _, n := range p.yamlList("contributors", v) {
		if n.Kind != yaml.MappingNode {
			m.Contributors = append(m.Contributors, p.yamlText("contributors", n))
			continue
		}
		c := p.readContributor(n)
		details = append(details, c)
		if c.Shorthand == "" {
			c.Shorthand = c.Agent
		}
		m.Contributors = append(m.Contributors, c.Shorthand)
	}
	if m.ContributorDetails == nil && len(details) > 0 {
		m.ContributorDetails = details
	}
}

func (p *parser) readContributor(n *yaml.Node) (c artifact.ContributorDetail) {
	if n.Kind != yaml.MappingNode {
		p.yamlFinding(n, protocol.InvalidField, "A contributor is not a list of keys and values.")
		return c
	}
	p.eachKey(n, func(key string, v *yaml.Node) bool {
		switch key {
		case "agent", "name", "agentName":
			c.Agent = p.yamlText(key, v)
		case "shorthand":
			c.Shorthand = p.yamlText(key, v)
		case "role":
			c.Role = p.yamlText(key, v)
		case "program":
			c.Program = p.yamlText(key, v)
		case "model":
			c.Model = p.yamlText(key, v)
		case "deltas":
			c.Deltas = int(p.yamlNumber(key, v))
		default:
			return false
		}
		return true
	})
	return c
}

func (p *parser) readRoster(n *yaml.Node) *protocol.Roster {
	if n.Kind != yaml.MappingNode {
		p.yamlFinding(n, protocol.InvalidField, "roster is not a list of keys and values.")
		return nil
	}
	var r protocol.Roster
	p.eachKey(n, func(key string, v *yaml.Node) bool {
		switch key {
		case "name":
			r.Name = p.yamlText(key, v)
		case "mode":
			r.Mode = protocol.RosterMode(p.yamlText(key, v))
		case "createdAt":
			r.CreatedAt = p.yamlText(key, v)
		case "entries":
			for _, e := range p.yamlList(key, v) {
				r.Entries = append(r.Entries, p.readEntry(e))
			}
		default:
			return false
		}
		return true
	})
	return &r
}

func (p *parser) readEntry(n *yaml.Node) (e protocol.RosterEntry) {
	if n.Kind != yaml.MappingNode {
		p.yamlFinding(n, protocol.InvalidField, "An entry of the roster is not a list of keys and values.")
		return e
	}
	p.eachKey(n, func(key string, v *yaml.Node) bool {
		switch key {
		case "agentName":
			e.AgentName = p.yamlText(key, v)
		case "role":
			e.Role = protocol.Role(p.yamlText(key, v))
		case "program":
			e.Program = p.yamlText(key, v)
		case "model":
			e.Model = p.yamlText(key, v)
		case "notes":
			e.Notes = p.yamlText(key, v)
		default:
			return false
		}
		return true
	})
	return e
}
