package science

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// findings are what was not heard, outcomes that updated no agent, and statements that differ.
func (r *Beliefs) findings() []protocol.Finding {
	list := []protocol.Finding{}
	for _, n := range r.Notes.All() {
		list = append(list, n.Finding)
	}
	for i, t := range r.Tests.All() {
		if t == nil {
			continue
		}
		id := artifact.NewItemID(artifact.DiscriminativeTests, i+1)
		switch t.Frozen {
		case nil:
			if !t.Killed && len(t.Statements) > 1 {
				table := r.table(t)
				list = append(list, table.differing(id)...)
			}
		default:
			list = append(list, t.Frozen.Table.differing(id)...)
		}
	}
	return append(list, r.impossibleOutcomes()...)
}

func (r *Beliefs) impossibleOutcomes() []protocol.Finding {
	var list []protocol.Finding
	if r.StandIn != nil {
		return r.impossibleFor("", *r.StandIn)
	}
	for _, a := range r.Agents.All() {
		if a.Credences != nil {
			list = append(list, r.impossibleFor(a.Name, a.Holding)...)
		}
	}
	return list
}

func (r *Beliefs) impossibleFor(agent string, h Holding) []protocol.Finding {
	var list []protocol.Finding
	for _, number := range h.Impossible {
		list = append(list, r.impossible(agent, artifact.NewItemID(artifact.DiscriminativeTests, number)))
	}
	return list
}

func (r *Beliefs) impossible(agent string, test artifact.ItemID) protocol.Finding {
	if agent == "" {
		agent = "Everybody"
	}
	return protocol.NewFinding(protocol.ImpossibleOutcome, "%s gave the outcome of %s no chance, and was not updated by it.", agent, test).On(string(test))
}

// voiceName is whose distribution a voice is; empty for the one that stands in.
func (r *Beliefs) voiceName(i int) string {
	if r.StandIn != nil {
		return ""
	}
	for _, a := range r.Agents.All() {
		if a.Credences == nil {
			continue
		}
		if i == 0 {
			return a.Name
		}
		i--
	}
	return ""
}
