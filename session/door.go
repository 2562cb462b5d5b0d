package session

import (
	"context"
	"strings"

	"brenner/artifact"
	"brenner/artifact/delta"
	"brenner/artifact/merge"
	"brenner/genealogy"
	"brenner/mail"
	"brenner/message"
	"brenner/protocol"
)

// Door tells a sender what the fold of the thread already knows about its deltas: targets that
// are unknown or killed, sections at their limit, ideas killed before, references that lead
// nowhere or in a circle. All of it is said in the receipt as warnings; only the merge decides
// (PROTOCOL 5). A circle is an error there too (PROTOCOL 13).
type Door struct{ sessions *Sessions }

// Attach gives the door its sessions, which need the mail service that has the door.
func (d *Door) Attach(s *Sessions) { d.sessions = s }

// Judge implements mail.Door.
func (d *Door) Judge(ctx context.Context, thread mail.Thread, _ message.Draft, report *message.Report) error {
	if d.sessions == nil || report.Type != protocol.TypeDelta || len(report.Deltas) == 0 {
		return nil
	}
	v := NewView(thread.ID)
	if thread.Messages > 0 {
		var err error
		if v, err = d.sessions.View(ctx, thread.ID); err != nil {
			return err
		}
	}
	d.targets(v, report)
	return d.project(ctx, v, report)
}

// targets looks at each block against the artifact as it stands, with what the blocks before
// it in the same message would do to the room in a section.
func (d *Door) targets(v *View, report *message.Report) {
	a := v.Fold.Artifact()
	active := len(a.Active(artifact.HypothesisSlate))
	for _, block := range report.Deltas {
		switch block.Operation {
		case delta.Add:
			if block.Section == artifact.HypothesisSlate {
				active++
			}
			if full(a, block.Section, active) {
				tell(report, block, protocol.NewFinding(protocol.SectionLimitExceeded,
					"%s is full", block.Section).As(protocol.SeverityWarning))
			}
		default:
			if f, ok := judgeTarget(a, block); ok {
				tell(report, block, f.As(protocol.SeverityWarning))
			} else if block.Operation == delta.Kill && block.Section == artifact.HypothesisSlate {
				active--
			}
		}
	}
}

// tell says something about a block, in the receipt and among the message's findings.
func tell(report *message.Report, block delta.Delta, f protocol.Finding) {
	f = f.At(block.Line, 1)
	report.Receipt.Note(block.Block, f)
	report.Findings = append(report.Findings, f)
}

func full(a *artifact.Artifact, s artifact.Section, activeHypotheses int) bool {
	if s == artifact.HypothesisSlate {
		return activeHypotheses > artifact.MaxActiveHypotheses
	}
	return len(a.Items(s)) >= artifact.MaxItems
}

func judgeTarget(a *artifact.Artifact, block delta.Delta) (protocol.Finding, bool) {
	if strings.HasPrefix(block.Target, "@") || block.Section == artifact.ResearchThread {
		return protocol.Finding{}, false
	}
	it := a.Item(artifact.ItemID(block.Target))
	switch {
	case it == nil:
		return protocol.NewFinding(protocol.InvalidTarget, "%s does not exist yet", block.Target).On(block.Target), true
	case it.Killed != nil:
		return protocol.NewFinding(protocol.TargetKilled, "%s was killed: %s", block.Target, clipped(it.Killed.Reason)).On(block.Target), true
	}
	return protocol.Finding{}, false
}

// project looks beyond the thread, but only when a block asks for it.
func (d *Door) project(ctx context.Context, v *View, report *message.Report) error {
	if !looksBeyond(report.Deltas) {
		return nil
	}
	peers, err := d.sessions.peers(ctx, v.Fold.ThreadID())
	if err != nil {
		return err
	}
	gone := append(killed([]*View{v}), killed(peers)...)
	graph := graphOf(append(peers, v))
	for _, block := range report.Deltas {
		if block.Operation == delta.Add && block.Section == artifact.HypothesisSlate {
			for _, f := range merge.Reproposals([]*artifact.Item{proposed(block)}, gone) {
				tell(report, block, f)
			}
		}
		for _, f := range references(graph, v.Fold.ThreadID(), block) {
			tell(report, block, f)
		}
	}
	return nil
}

func looksBeyond(deltas []delta.Delta) bool {
	for _, block := range deltas {
		if block.Operation == delta.Add && block.Section == artifact.HypothesisSlate || referenceField(block) != nil {
			return true
		}
	}
	return false
}

// proposed is the hypothesis that a block would add.
func proposed(block delta.Delta) *artifact.Item {
	it := artifact.NewItem("", artifact.HypothesisSlate)
	for _, f := range block.Fields {
		it.Set(f.Name, f.Value)
	}
	return it
}

func referenceField(block delta.Delta) artifact.References {
	for _, f := range block.Fields {
		if refs, ok := f.Value.(artifact.References); ok {
			return refs
		}
	}
	return nil
}

func references(graph *genealogy.Graph, session string, block delta.Delta) []protocol.Finding {
	refs := referenceField(block)
	if refs == nil {
		return nil
	}
	return graph.Check(session, []genealogy.Addition{{Item: artifact.ItemID(block.Target), References: refs}})
}
