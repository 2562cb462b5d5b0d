package science

import (
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/textnorm"
)

// Note is a finding about a statement. It goes when the agent states the same again.
type Note struct {
	Agent   string
	About   string // credences, or a test; empty for a block that was not heard
	Finding protocol.Finding
}

// maxNotes bounds what is remembered about blocks that cannot be heard.
const maxNotes = 200

// hear takes in the belief blocks of a message, judged by the fold after it.
func (r *Beliefs) hear(s Step) {
	blocks, findings := message.Beliefs(s.Message, s.Report.Text)
	for _, f := range findings {
		r.note(s, "", f)
	}
	for _, b := range blocks {
		if b.Stated {
			r.state(s, b)
		}
		for _, l := range b.Likelihoods {
			r.stateTable(s, l, b.Rationale)
		}
	}
}

func (r *Beliefs) note(s Step, about string, f protocol.Finding) {
	if r.Notes.Len() < maxNotes {
		f.Message = fmt.Sprintf("Message %d of %s: %s", s.Message.ID, s.Report.From, f.Message)
		r.Notes.append(Note{s.Report.From, about, f})
	}
}

func (r *Beliefs) forget(agent, about string) {
	r.Notes.remove(func(n Note) bool { return n.About == about && sameAgent(n.Agent, agent) })
}

func (r *Beliefs) unknown(s Step, about, item string) {
	r.note(s, about, unknownTarget(item))
}

// state takes in an agent's credences, which replace its earlier ones whole; null withdraws them.
func (r *Beliefs) state(s Step, b message.Belief) {
	r.forget(s.Report.From, aboutCredences)
	c := &Credences{Agent: strings.Clone(s.Report.From), Mark: s.mark(), Withdrawn: b.Credences == nil,
		Rationale: strings.Clone(b.Rationale)}
	if !c.Withdrawn {
		r.complete(c, s, b)
	}
	r.Said.append(c)
}

const aboutCredences = "credences"

// complete shares out what a statement leaves of 1 (SCIENCE 4, the statement): equally among the hypotheses that it does not mention
// and none, if that is not given; in addition to none, if all are mentioned. Credences that sum to 1 leave over what they gave to
// items that are not there, and nothing else.
func (r *Beliefs) complete(c *Credences, s Step, b message.Belief) {
	said, left := map[World]float64{}, 1.0
	if b.Whole {
		left = 0
	}
	for _, g := range b.Credences {
		w, ok := worldOf(s.Artifact, g.World)
		switch {
		case ok:
			said[w] = g.P
		case b.Whole:
			left += g.P
		}
		if !ok {
			r.unknown(s, aboutCredences, g.World)
		} else if !b.Whole {
			left -= g.P
		}
	}
	left = max(left, 0)
	active := s.Artifact.Active(artifact.HypothesisSlate)
	silent := 1 + len(active) - len(said)
	share := func(w World) float64 {
		if p, ok := said[w]; ok {
			return p
		}
		return left / float64(silent)
	}
	for _, it := range active {
		c.Shares = append(c.Shares, Share{World(it.ID.Number()), share(World(it.ID.Number()))})
	}
	c.None = share(None)
	if silent == 0 {
		c.None += left
	}
}

// stateTable takes in what an agent says about a test.
func (r *Beliefs) stateTable(s Step, l message.Likelihoods, rationale string) {
	r.forget(s.Report.From, l.Test)
	number, ok := activeItem(s.Artifact, artifact.DiscriminativeTests, l.Test)
	if !ok {
		r.unknown(s, l.Test, l.Test)
		return
	}
	statement := Statement{Agent: strings.Clone(s.Report.From), Mark: s.mark(), Labels: l.Labels, Rationale: strings.Clone(rationale)}
	for _, label := range l.Labels {
		statement.Keys = append(statement.Keys, textnorm.Label(label))
	}
	for _, row := range l.Rows {
		if w, ok := worldOf(s.Artifact, row.World); ok {
			statement.Rows = append(statement.Rows, StatedRow{w, row.P, row.Cell})
		} else {
			r.unknown(s, l.Test, row.World)
		}
	}
	next := *r.test(number)
	next.Statements = append(slices.Clip(next.Statements), statement)
	r.Tests.put(number, &next)
}

func sameAgent(a, b string) bool { return protocol.SameAgent(a, b) }

// clip keeps a name from a message to what fits a finding.
func clip(name string) string {
	return strings.Clone(protocol.Shorten(name, 40))
}
