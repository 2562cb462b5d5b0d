package markdown

import (
	"strconv"
	"strings"
	"time"

	"brenner/internal/protocol"
	"brenner/internal/yamltext"
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
	p.readYAML("\n" + strings.Join(p.lines[1:end], "\n") + "\n") // lines count as in the file
	return end + 1
}

func closesFrontMatter(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line == "---" || line == "..."
}

func (p *parser) readYAML(text string) {
	if len(text) > maxFrontMatter {
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is longer than %d bytes and was not read.", maxFrontMatter).
			At(1, 1))
		return
	}
	root, err := yamltext.Parse([]byte(text))
	switch {
	case err != nil:
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is not YAML: %v.", err).At(1, 1))
	case root == nil || root.Kind != yamltext.Mapping:
		p.report(protocol.NewFinding(protocol.InvalidInput, "The front matter is not a list of keys and values.").At(1, 1))
	default:
		p.outline.FrontMatter.Readable = true
		p.eachKey(root, p.readKey)
	}
}

// eachKey calls read for each key of a mapping, and reports keys that are repeated or mean
// nothing.
func (p *parser) eachKey(m *yamltext.Node, read func(key string, v *yamltext.Node) bool) {
	seen := map[string]bool{}
	for _, member := range m.Members {
		switch {
		case seen[member.Key]:
			p.yamlFinding(member.Line, member.Column, protocol.InvalidField, "%s stands twice; this one is not kept.", member.Key)
		case !read(member.Key, member.Value):
			p.yamlFinding(member.Line, member.Column, protocol.UnknownField, "The front matter has no key %q; it is not kept.", member.Key)
		}
		seen[member.Key] = true
	}
}

// yamlFinding reports something at a place of the front matter.
func (p *parser) yamlFinding(line, column int, code protocol.Code, format string, args ...any) {
	p.report(protocol.NewFinding(code, format, args...).As(protocol.SeverityWarning).At(line, column))
}

func (p *parser) isMapping(n *yamltext.Node, what string) bool {
	if n.Kind != yamltext.Mapping {
		p.wrongKind(n, what, "a list of keys and values")
		return false
	}
	return true
}

func (p *parser) wrongKind(v *yamltext.Node, key, want string) {
	p.yamlFinding(v.Line, v.Column, protocol.InvalidField, "%s is not %s.", key, want)
}

// readKey reads a key of the front matter; it is false if there is no such key.
func (p *parser) readKey(key string, v *yamltext.Node) bool {
	m, front := &p.metadata, &p.outline.FrontMatter
	raw := Raw{v.Text, v.Line}
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

func (p *parser) readLesserKey(key string, v *yamltext.Node) bool {
	m := &p.metadata
	switch key {
	case "compiled_at":
		m.CompiledAt = p.yamlTime(key, v)
	case "compiled_by":
		m.CompiledBy = p.yamlText(key, v)
	case "contributor_details":
		m.ContributorDetails = nil
		for _, n := range p.yamlList(key, v) {
			if p.isMapping(n, "A contributor") {
				m.ContributorDetails = append(m.ContributorDetails, p.readContributor(n))
			}
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

func (p *parser) yamlText(key string, v *yamltext.Node) string {
	if v.Kind != yamltext.Scalar {
		p.wrongKind(v, key, "a text")
		return ""
	}
	if v.Null() {
		return ""
	}
	return v.Text
}

func (p *parser) yamlNumber(key string, v *yamltext.Node) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(v.Text, "v"), 10, 64)
	if v.Kind != yamltext.Scalar || err != nil {
		p.wrongKind(v, key, "a whole number")
		return 0
	}
	return n
}

func (p *parser) yamlTime(key string, v *yamltext.Node) time.Time {
	t, ok := readTime(v.Text)
	if !ok {
		p.wrongKind(v, key, "a timestamp")
	}
	return t
}

func (p *parser) yamlList(key string, v *yamltext.Node) []*yamltext.Node {
	if v.Kind != yamltext.Sequence && !v.Null() {
		p.wrongKind(v, key, "a list")
	}
	return v.Items
}
