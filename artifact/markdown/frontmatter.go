package markdown

import (
	"bytes"
	"regexp"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"brenner/artifact"
	"brenner/protocol"
)

// appendFrontMatter writes the metadata as YAML in the order of PROTOCOL 8. Keys that have
// nothing to say are left out, except the contributors.
func appendFrontMatter(b []byte, m artifact.Metadata) []byte {
	var top mapping
	top.text("session_id", m.SessionID)
	top.number("version", int64(m.Version))
	top.text("status", m.Status)
	top.time("created_at", m.CreatedAt)
	top.time("updated_at", m.UpdatedAt)
	top.time("compiled_at", m.CompiledAt)
	top.text("compiled_by", m.CompiledBy)
	top.add("contributors", sequence(m.Contributors, scalar))
	if len(m.ContributorDetails) > 0 {
		top.add("contributor_details", sequence(m.ContributorDetails, contributorNode))
	}
	if m.Roster != nil {
		top.add("roster", rosterNode(*m.Roster))
	}
	top.text("artifact_hash", m.ArtifactHash)
	top.text("research_program", m.ResearchProgram)
	if m.AgentMailMessageID != 0 {
		top.number("agent_mail_message_id", m.AgentMailMessageID)
	}
	top.text("chain_hash", m.ChainHash)

	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(top.node()); err != nil {
		panic(err) // nodes made of plain scalars always encode
	}
	b = append(b, "---\n"...)
	b = append(b, out.Bytes()...)
	return append(b, "---\n"...)
}

func contributorNode(c artifact.ContributorDetail) *yaml.Node {
	var m mapping
	m.add("agent", scalar(c.Agent))
	m.text("shorthand", c.Shorthand)
	m.text("role", c.Role)
	m.text("program", c.Program)
	m.text("model", c.Model)
	m.number("deltas", int64(c.Deltas))
	return m.node()
}

func rosterNode(r protocol.Roster) *yaml.Node {
	var m mapping
	m.text("name", r.Name)
	m.text("mode", string(r.Mode))
	m.text("createdAt", r.CreatedAt)
	m.add("entries", sequence(r.Entries, func(e protocol.RosterEntry) *yaml.Node {
		var m mapping
		m.add("agentName", scalar(e.AgentName))
		m.text("role", string(e.Role))
		m.text("program", e.Program)
		m.text("model", e.Model)
		m.text("notes", e.Notes)
		return m.node()
	}))
	return m.node()
}

// mapping collects the keys and values of a YAML mapping in order.
type mapping struct{ content []*yaml.Node }

func (m *mapping) node() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Content: m.content} }

func (m *mapping) add(key string, value *yaml.Node) {
	m.content = append(m.content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}

func (m *mapping) text(key, value string) {
	if value != "" {
		m.add(key, scalar(value))
	}
}

func (m *mapping) number(key string, n int64) {
	m.add(key, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(n, 10)})
}

func (m *mapping) time(key string, t time.Time) {
	if !t.IsZero() {
		m.text(key, formatTime(t))
	}
}

// plainWord is what needs no quotes in YAML, whatever the reader takes for a number or a
// truth value.
var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$`)

// scalar writes a text, quoted unless it is a plain word; quotes keep any value on one line.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: valid(text), Style: yaml.DoubleQuotedStyle}
	if plainWord.MatchString(text) && !ambiguousWord.MatchString(text) {
		n.Style = 0
	}
	return n
}

var ambiguousWord = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null|nan|inf)$`)

func sequence[T any](values []T, node func(T) *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if len(values) == 0 {
		n.Style = yaml.FlowStyle
	}
	for _, v := range values {
		n.Content = append(n.Content, node(v))
	}
	return n
}
