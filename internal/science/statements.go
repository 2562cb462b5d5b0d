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

// mostNotes bounds what is remembered about blocks that cannot be heard.
const mostNotes = 200

// hear takes in the belief blocks of a message, judged by the fold after it, and returns the
// agents that stated or withdrew credences.
func (r *Beliefs) hear(s Step) []int {
	blocks, findings := message.Beliefs(s.Message)
	if len(blocks) == 0 && len(findings) == 0 {
		return nil
	}
	for _, f := range findings {
		r.note(s, "", f)
	}
	var stated []int
	for _, b := range blocks {
		if b.Stated {
			stated = append(stated, r.state(s, b.Credences))
		}
		for _, l := range b.Likelihoods {
			r.stateTable(s, l)
		}
	}
	return stated
}

func (r *Beliefs) note(s Step, about string, f protocol.Finding) {
	if r.Notes.Len() < mostNotes {
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

// state replaces an agent's credences whole; nil withdraws them.
func (r *Beliefs) state(s Step, given []message.Credence) int {
	at := slices.IndexFunc(r.Agents.All(), func(a *Believer) bool { return sameAgent(a.Name, s.Report.From) })
	if at < 0 {
		at = r.Agents.Len()
		r.Agents.append(&Believer{Name: s.Report.From})
	}
	r.forget(s.Report.From, aboutCredences)
	next := &Believer{Name: r.Agents.At(at + 1).Name}
	if given != nil {
		next.Credences = r.complete(s, given)
	}
	r.Agents.put(at+1, next)
	return at
}

const aboutCredences = "credences"

// complete shares out what a statement leaves of 1 (SCIENCE 4, step 1): equally among the
// hypotheses it does not mention and none, if that is not given; in addition to none, if all are
// mentioned.
func (r *Beliefs) complete(s Step, given []message.Credence) *Credences {
	c := &Credences{Place: s.Place, MessageID: s.Message.ID}
	said, left, silent := map[World]float64{}, 1.0, 0
	for _, g := range given {
		w, ok := worldOf(s.Artifact, g.World)
		if !ok {
			r.unknown(s, aboutCredences, g.World)
			continue
		}
		said[w] = g.P
		left -= g.P
	}
	left = max(left, 0)
	for _, w := range r.Worlds {
		if _, ok := said[w]; !ok {
			silent++
		}
	}
	share := func(w World) float64 {
		if p, ok := said[w]; ok {
			return p
		}
		return left / float64(silent)
	}
	for _, w := range r.Worlds[:len(r.Worlds)-1] {
		c.Shares = append(c.Shares, Share{w, share(w)})
	}
	c.None = share(None)
	if silent == 0 {
		c.None += left
	}
	return c
}

// stateTable replaces what an agent said about a test.
func (r *Beliefs) stateTable(s Step, l message.Likelihoods) {
	r.forget(s.Report.From, l.Test)
	number, ok := activeItem(s.Artifact, artifact.DiscriminativeTests, l.Test)
	if !ok {
		r.unknown(s, l.Test, l.Test)
		return
	}
	statement := Statement{Agent: s.Report.From, Place: s.Place, MessageID: s.Message.ID, Labels: l.Labels}
	for _, label := range l.Labels {
		statement.Keys = append(statement.Keys, textnorm.Label(label))
	}
	for _, row := range l.Rows {
		if w, ok := worldOf(s.Artifact, row.World); ok {
			statement.Rows = append(statement.Rows, Row{w, row.P})
		} else {
			r.unknown(s, l.Test, row.World)
		}
	}
	next := *r.test(number)
	next.Statements = slices.DeleteFunc(slices.Clone(next.Statements), func(old Statement) bool { return sameAgent(old.Agent, statement.Agent) })
	next.Statements = append(next.Statements, statement)
	r.Tests.put(number, &next)
}

func sameAgent(a, b string) bool { return protocol.SameAgent(a, b) }

// clip keeps a name from a message to what fits a finding.
func clip(name string) string {
	return strings.Clone(protocol.Shorten(name, 40))
}
