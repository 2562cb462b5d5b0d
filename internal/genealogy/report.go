package genealogy

import (
	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Report is the graph as `genealogy --format json` prints it.
type Report struct {
	Nodes    []NodeJSON         `json:"nodes"`
	Edges    []EdgeJSON         `json:"edges"`
	Cycles   [][]NodeID         `json:"cycles"`   // their paths; first and last are the same
	LeftOut  []EdgeJSON         `json:"left_out"` // the youngest references of all cycles
	Chains   []ChainJSON        `json:"chains"`
	Findings []protocol.Finding `json:"findings"`
}

// NodeJSON is an item; who wrote it first is null where that is unknown.
type NodeJSON struct {
	ID      NodeID          `json:"id"`
	Session string          `json:"session"`
	Item    artifact.ItemID `json:"item"`
	Name    string          `json:"name"`
	Killed  bool            `json:"killed"`
	Author
	Origin NodeID `json:"origin"`
}

// Author is where something was first written.
type Author struct {
	Agent     *string `json:"agent"`
	MessageID *int64  `json:"message_id"`
	CreatedTS *string `json:"created_ts"`
}

// EdgeJSON is a reference.
type EdgeJSON struct {
	From     NodeID `json:"from"`
	To       NodeID `json:"to"`
	Relation string `json:"relation"`
	Dangling bool   `json:"dangling"`
}

// ChainJSON is a chain with its origin: the first session, agent and message.
type ChainJSON struct {
	Origin  NodeID `json:"origin"`
	Session string `json:"session"`
	Author
	Nodes []NodeID `json:"nodes"`
}

// Report gives the graph the form in which it is printed.
func (g *Graph) Report() Report {
	r := Report{
		Nodes: []NodeJSON{}, Edges: edgesJSON(g.Edges), Cycles: [][]NodeID{},
		LeftOut: edgesJSON(g.LeftOut), Chains: []ChainJSON{}, Findings: g.Findings(),
	}
	for _, n := range g.Nodes {
		r.Nodes = append(r.Nodes, NodeJSON{
			n.ID, n.ID.Session(), n.Item, n.Name, n.Killed, n.Written.author(), n.Origin,
		})
	}
	for _, c := range g.Cycles {
		r.Cycles = append(r.Cycles, c.Path)
	}
	for _, c := range g.Chains() {
		origin, _ := g.Node(c.Origin)
		r.Chains = append(r.Chains, ChainJSON{c.Origin, c.Origin.Session(), origin.Written.author(), c.Nodes})
	}
	return r
}

func edgesJSON(edges []Edge) []EdgeJSON {
	out := make([]EdgeJSON, len(edges))
	for i, e := range edges {
		out[i] = EdgeJSON(e)
	}
	return out
}

func (w Written) author() Author {
	var a Author
	if w.Agent != "" {
		a.Agent, a.MessageID = &w.Agent, &w.MessageID
	}
	if !w.At.IsZero() {
		at := artifact.FormatTime(w.At)
		a.CreatedTS = &at
	}
	return a
}
