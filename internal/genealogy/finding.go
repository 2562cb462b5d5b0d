package genealogy

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Findings reports the cycles of the project and the references that lead nowhere
// (PROTOCOL 13). Items are named across sessions.
func (g *Graph) Findings() []protocol.Finding {
	findings := []protocol.Finding{}
	for _, c := range g.Cycles {
		findings = append(findings, c.finding().On(string(c.Path[0])))
	}
	findings = append(findings, g.more()...)
	for _, e := range g.Edges {
		if e.Dangling {
			findings = append(findings, g.unknown(e).On(string(e.From)))
		}
	}
	return findings
}

// FindingsOf reports what concerns one session: cycles that pass through it and its own
// references that lead nowhere. Items are named as in the session.
func (g *Graph) FindingsOf(session string) []protocol.Finding {
	findings := []protocol.Finding{}
	for _, c := range g.Cycles {
		if i := slices.IndexFunc(c.Path, func(id NodeID) bool { return id.Session() == session }); i >= 0 {
			findings = append(findings, c.finding().On(c.Path[i].Item()))
		}
	}
	findings = append(findings, g.more()...)
	for _, e := range g.Edges {
		if e.Dangling && e.From.Session() == session {
			findings = append(findings, g.unknown(e).On(e.From.Item()))
		}
	}
	return findings
}

// more says how many references close cycles beyond those that are spelled out.
func (g *Graph) more() []protocol.Finding {
	if g.unspelled == 0 {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.CircularReference,
		"Cycles are closed by %s more; the first %d cycles are listed.", protocol.Plural(g.unspelled, "reference"), MaxCycles)}
}

func (c Cycle) finding() protocol.Finding {
	relations := make([]string, len(c.LeftOut))
	for i, e := range c.LeftOut {
		relations[i] = e.Relation
	}
	e := c.LeftOut[0]
	return protocol.NewFinding(protocol.CircularReference,
		"The references form a cycle: %s; the graph leaves out its youngest, %s %s %s.",
		c, e.From, strings.Join(relations, " and "), e.To).In(artifact.ReferencesField)
}

// longPath is how many items of a cycle a message names.
const longPath = 12

// String writes the path of the cycle; the middle of a long one is left out.
func (c Cycle) String() string { return pathText(c.Path) }

func pathText(path []NodeID) string {
	names := make([]string, 0, longPath+1)
	for i, id := range path {
		switch {
		case len(path) <= longPath || i < longPath/2 || i >= len(path)-longPath/2:
			names = append(names, string(id))
		case i == longPath/2:
			names = append(names, fmt.Sprintf("(%d more)", len(path)-longPath))
		}
	}
	return strings.Join(names, " → ")
}

func (g *Graph) unknown(e Edge) protocol.Finding {
	if g.known[e.To.Session()] {
		return unknownItem(e.From, e.Relation, e.To).In(artifact.ReferencesField)
	}
	return unknownSession(e.From, e.Relation, e.To).In(artifact.ReferencesField)
}

func unknownItem(from NodeID, relation string, to NodeID) protocol.Finding {
	return protocol.NewFinding(protocol.UnknownReference,
		"%s %s %s: session %s has no %s.", from, relation, to, to.Session(), to.Item())
}

func unknownSession(from NodeID, relation string, to NodeID) protocol.Finding {
	return protocol.NewFinding(protocol.UnknownReference,
		"%s %s %s: the project has no session %s.", from, relation, to, to.Session())
}
