package merge

import (
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// foldDelta carries out the accepted deltas of a message, in block order.
func (s *State) foldDelta(m *message.Message, check *message.Report, r *MessageReport) {
	w := &work{
		State: s, report: r, at: m.CreatedAt,
		agent: s.agents.number(m.From),
		human: s.human(m.From, r),
		base:  s.version(check.References.BaseVersion),
	}
	accepted := r.Receipt.Accepted
	w.carryOut(check.Deltas)
	w.ambiguous(m.Subject, check)
	if accepted > 0 && r.Receipt.Accepted == 0 {
		r.note(protocol.NewFinding(protocol.NoAcceptedDelta, "None of the delta blocks could be merged.").At(r.Receipt.Blocks[0].Line, 1))
	}
	s.credit(r)
}

// human tells whether a message is a DELTA[human] that resolves conflicts. One of an agent that may
// not speak for the people is merged as the agent's own, with a warning (PROTOCOL 3).
func (s *State) human(from string, r *MessageReport) bool {
	if !strings.EqualFold(r.Shorthand, protocol.Human) {
		return false
	}
	if !s.HonoursHuman(from) {
		r.note(NotHuman(from))
		return false
	}
	return true
}

// NotHuman says that a DELTA[human] resolves no conflict because of its sender.
func NotHuman(from string) protocol.Finding {
	return protocol.NewFinding(protocol.ShorthandMismatch,
		"%s is in the roster and convenes nothing: the DELTA[human] is merged as its own and resolves no conflict.", from).
		As(protocol.SeverityWarning).In("subject").WithFix("Write the shorthand of your model, or ask a convener of the thread to decide.")
}

// work is a DELTA message on its way into the artifact.
type work struct {
	*State
	report *MessageReport
	at     time.Time // of the message
	agent  int
	human  bool
	base   *Version
}

func (w *work) carryOut(deltas []delta.Delta) {
	fields := 0
	for i := range deltas {
		fields += len(deltas[i].Fields) + len(deltas[i].Extra)
	}
	w.report.Changes = make([]Change, 0, fields)
	if !needsPlan(deltas) {
		for i := range deltas {
			b := w.block(&deltas[i])
			b.apply()
		}
		return
	}
	p := w.plan(deltas)
	for _, i := range p.order {
		if p.out[i] {
			continue
		}
		d, _ := resolve(&deltas[i], p.ids)
		b := w.block(&d)
		b.apply()
	}
	for i, out := range p.out {
		if !out {
			continue
		}
		b, f := w.block(&deltas[i]), p.refused[i]
		if p.full[i] {
			f = w.sectionFull(deltas[i].Section)
		}
		b.reject(f)
	}
}

func (w *work) block(d *delta.Delta) block {
	return block{
		State: w.State, delta: d, report: w.report,
		source: &artifact.Source{
			MessageID: w.report.MessageID, Block: d.Block, Agent: w.report.From,
			At: w.at, Rationale: d.Rationale,
		},
		agent: w.agent, human: w.human, base: w.base,
	}
}

// contributor is an agent with at least one accepted block.
type contributor struct {
	agent     string // as first seen
	number    int
	shorthand string // of its first contribution
	deltas    int    // accepted blocks
}

// credit counts an agent's accepted blocks, and remembers its shorthand (PROTOCOL 8).
func (s *State) credit(r *MessageReport) {
	if r.Receipt.Accepted == 0 {
		return
	}
	s.detachCredits()
	number := s.agents.number(r.From)
	if s.credits == nil {
		s.credits = make(map[int]int)
	}
	i, known := s.credits[number]
	if !known {
		i = len(s.contributors)
		s.credits[number] = i
		s.contributors = append(s.contributors, contributor{agent: r.From, number: number, shorthand: r.Shorthand})
	}
	s.contributors[i].deltas += r.Receipt.Accepted
	if _, known := s.spoken[r.Shorthand]; !known {
		if s.spoken == nil {
			s.spoken = make(map[string]string)
		}
		s.spoken[r.Shorthand] = r.Shorthand
		s.shorthands = append(s.shorthands, r.Shorthand)
	}
}
