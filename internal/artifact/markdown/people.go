package markdown

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// readContributors reads shorthands, or objects that say more (PROTOCOL 8).
func (p *parser) readContributors(v *yamltext.Node) {
	m := &p.metadata
	details := []artifact.ContributorDetail{}
	for _, n := range p.yamlList("contributors", v) {
		if n.Kind != yamltext.Mapping {
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

func (p *parser) readContributor(n *yamltext.Node) (c artifact.ContributorDetail) {
	p.eachKey(n, func(key string, v *yamltext.Node) bool {
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

func (p *parser) readRoster(n *yamltext.Node) *protocol.Roster {
	if !p.isMapping(n, "roster") {
		return nil
	}
	var r protocol.Roster
	p.eachKey(n, func(key string, v *yamltext.Node) bool {
		switch key {
		case "name":
			r.Name = p.yamlText(key, v)
		case "mode":
			r.Mode = protocol.RosterMode(p.yamlText(key, v))
		case "createdAt":
			r.CreatedAt = p.yamlText(key, v)
		case "entries":
			for _, e := range p.yamlList(key, v) {
				if p.isMapping(e, "An entry of the roster") {
					r.Entries = append(r.Entries, p.readEntry(e))
				}
			}
		default:
			return false
		}
		return true
	})
	return &r
}

func (p *parser) readEntry(n *yamltext.Node) (e protocol.RosterEntry) {
	p.eachKey(n, func(key string, v *yamltext.Node) bool {
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
