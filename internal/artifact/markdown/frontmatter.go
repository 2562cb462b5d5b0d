package markdown

import (
	"strconv"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
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

	text, err := yamltext.Format(top.node())
	if err != nil {
		panic(err) // a tree of scalars always encodes
	}
	b = append(b, "---\n"...)
	b = append(b, text...)
	return append(b, "---\n"...)
}

func contributorNode(c artifact.ContributorDetail) *yamltext.Node {
	var m mapping
	m.add("agent", scalar(c.Agent))
	m.text("shorthand", c.Shorthand)
	m.text("role", c.Role)
	m.text("program", c.Program)
	m.text("model", c.Model)
	m.number("deltas", int64(c.Deltas))
	return m.node()
}

func rosterNode(r protocol.Roster) *yamltext.Node {
	var m mapping
	m.text("name", r.Name)
	m.text("mode", string(r.Mode))
	m.text("createdAt", r.CreatedAt)
	m.add("entries", sequence(r.Entries, func(e protocol.RosterEntry) *yamltext.Node {
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
type mapping struct{ members []yamltext.Member }

func (m *mapping) node() *yamltext.Node {
	return &yamltext.Node{Kind: yamltext.Mapping, Members: m.members}
}

func (m *mapping) add(key string, value *yamltext.Node) {
	m.members = append(m.members, yamltext.Member{Key: key, Value: value})
}

func (m *mapping) text(key, value string) {
	if value != "" {
		m.add(key, scalar(value))
	}
}

func (m *mapping) number(key string, n int64) {
	m.add(key, &yamltext.Node{Text: strconv.FormatInt(n, 10), Plain: true})
}

func (m *mapping) time(key string, t time.Time) {
	if !t.IsZero() {
		m.text(key, formatTime(t))
	}
}

func scalar(text string) *yamltext.Node { return &yamltext.Node{Text: valid(text)} }

func sequence[T any](values []T, node func(T) *yamltext.Node) *yamltext.Node {
	n := &yamltext.Node{Kind: yamltext.Sequence}
	for _, v := range values {
		n.Items = append(n.Items, node(v))
	}
	return n
}
