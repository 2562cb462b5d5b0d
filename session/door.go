package session

import (
	"context"
	"slices"
	"strings"

	"brenner/artifact"
	"brenner/artifact/delta"
	"brenner/artifact/merge"
	"brenner/belief"
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

// Judge implements mail.Door. What was read of the text goes on to the fold, which takes the message in as soon as it
// is in the log.
func (d *Door) Judge(ctx context.Context, thread mail.Thread, draft message.Draft, report *message.Report) (mail.Ruling, error) {
	text := report.Text.Again() // before anything is added to its receipt
	ruling, err := d.judge(ctx, thread, draft, report)
	if d.sessions != nil && text != nil {
		ruling.Accepted = func(m mail.Message) { d.sessions.take(&m, text) }
	}
	return ruling, err
}

func (d *Door) judge(ctx context.Context, thread mail.Thread, draft message.Draft, report *message.Report) (mail.Ruling, error) {
	if d.sessions != nil {
		d.quotes(report)
	}
	_, completes := message.CompletedVersion(draft.Subject)
	if d.sessions == nil || report.Type != protocol.TypeDelta && report.Type != protocol.TypeCompiled && !completes && len(report.Beliefs) == 0 {
		return mail.Ruling{}, nil
	}
	v := NewView(thread.ID)
	if thread.Messages > 0 {
		var err error
		if v, err = d.sessions.look(ctx, thread); err != nil {
			return mail.Ruling{}, err
		}
	}
	switch {
	case completes:
		d.completion(v, draft, report)
		return mail.Ruling{}, nil
	case report.Type == protocol.TypeCompiled:
		return d.version(v, thread, report)
	}
	d.beliefs(v, report)
	if report.Type != protocol.TypeDelta {
		return mail.Ruling{}, nil
	}
	d.speaker(v, draft.From, report)
	if len(report.Deltas) == 0 {
		return mail.Ruling{}, nil
	}
	d.targets(v, draft.From, report)
	return mail.Ruling{}, d.project(ctx, v, report)
}

// version compares a COMPILED with the fold of its thread: AP-103. On a thread without the protocol it
// may say what it likes, and has no hash then.
func (d *Door) version(v *View, thread mail.Thread, report *message.Report) (mail.Ruling, error) {
	fold, err := v.Hash()
	if err != nil {
		return mail.Ruling{}, protocol.Errorf(protocol.Internal, "the artifact cannot be hashed: %w", err)
	}
	ruling := mail.Ruling{Follows: v.Head}
	f, matches := artifactMatches(report.Document, fold)
	switch {
	case matches:
		ruling.ArtifactHash = fold
	case thread.Enforced():
		report.Findings = append(report.Findings, f)
	}
	return ruling, nil
}

// completion refuses the record of a completed session that would be none: from somebody who does not
// convene the thread, or of a version that does not exist (PROTOCOL 10).
func (d *Door) completion(v *View, draft message.Draft, report *message.Report) {
	if v.Fold.Completes(draft.From, draft.Subject) {
		return
	}
	report.Findings = append(report.Findings, protocol.NewFinding(protocol.NotAllowed,
		"%s is the record of a completed session: only a convener of the thread posts it, and of a version that exists.", draft.Subject).
		In("subject").WithFix("Run brenner session complete %s as a convener, or choose another subject.", draft.ThreadID))
}

// beliefs warns about what a belief block says of items that are not there (SCIENCE 4). What counts is
// the fold after the message.
func (d *Door) beliefs(v *View, report *message.Report) {
	if len(report.Beliefs) == 0 {
		return
	}
	ids, _ := expected(v, report.Deltas)
	for _, b := range report.Beliefs {
		report.Findings = append(report.Findings, belief.UnknownTargets(v.Fold.Artifact(), b, func(id artifact.ItemID) bool { return slices.Contains(ids, id) })...)
	}
}

// speaker warns an agent whose DELTA[human] settles nothing.
func (d *Door) speaker(v *View, from string, report *message.Report) {
	if !strings.EqualFold(report.Subject.Shorthand, protocol.Human) || v.Fold.HonoursHuman(from) {
		return
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(f protocol.Finding) bool { return f.Code == protocol.ShorthandMismatch })
	report.Findings = append(report.Findings, merge.NotHuman(from))
}

// targets warns about the blocks that the merge would reject or skip as the thread stands.
func (d *Door) targets(v *View, from string, report *message.Report) {
	rehearsed := v.Fold.Rehearse(from, report)
	a := v.Fold.Artifact()
	for _, block := range report.Deltas {
		if f, rejected := rejection(&rehearsed.Blocks[block.Block-1]); rejected {
			if block.Operation != delta.Add {
				f = f.In("").On(block.Target)
			}
			tell(report, block, f.As(protocol.SeverityWarning))
		} else if f, ok := judgeTarget(a, block); ok {
			tell(report, block, f.As(protocol.SeverityWarning))
		}
	}
}

// rejection is why the merge would reject a block.
func rejection(b *delta.Block) (protocol.Finding, bool) {
	if b.Status != delta.Rejected {
		return protocol.Finding{}, false
	}
	for _, f := range b.Findings {
		if f.Severity == protocol.SeverityError {
			f.Message = "The merge would reject this block: " + f.Message
			return f, true
		}
	}
	return protocol.Finding{}, false
}

// tell says something about a block, in the receipt and among the message's findings.
func tell(report *message.Report, block delta.Delta, f protocol.Finding) {
	f = f.At(block.Line, 1)
	report.Receipt.Note(block.Block, f)
	report.Add(f)
}

// judgeTarget tells of a block that the merge would accept and skip: its target was killed.
func judgeTarget(a *artifact.Artifact, block delta.Delta) (protocol.Finding, bool) {
	if block.Operation == delta.Add || strings.HasPrefix(block.Target, "@") || block.Section == artifact.ResearchThread {
		return protocol.Finding{}, false
	}
	if it := a.Item(artifact.ItemID(block.Target)); it != nil && it.Killed != nil {
		return protocol.NewFinding(protocol.TargetKilled, "%s was killed: %s", block.Target, protocol.Shorten(it.Killed.Reason, 120)).On(block.Target), true
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
	d.reproposals(report, append(killed([]*View{v}), killed(peers)...))
	references(report, v, graphOf(append(slices.Clip(peers), v)))
	return nil
}

func (d *Door) reproposals(report *message.Report, gone []merge.Killed) {
	for _, block := range report.Deltas {
		if block.Operation == delta.Add && block.Section == artifact.HypothesisSlate {
			for _, f := range merge.Reproposals([]*artifact.Item{proposed(block)}, gone) {
				tell(report, block, f)
			}
		}
	}
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

// references judges the references of the whole message at once, so that a cycle among its own
// blocks is seen. New items go by the ids that they will get if nothing lands before them.
func references(report *message.Report, v *View, graph *genealogy.Graph) {
	ids, handles := expected(v, report.Deltas)
	additions := make([]genealogy.Addition, len(report.Deltas))
	blocks := map[string]delta.Delta{}
	for i, block := range report.Deltas {
		refs := slices.Clone(referenceField(block))
		for k := range refs {
			if id, ok := handles[strings.TrimPrefix(refs[k].Item, "@")]; ok && strings.HasPrefix(refs[k].Item, "@") {
				refs[k].Item = string(id)
			}
		}
		additions[i] = genealogy.Addition{Item: ids[i], References: refs}
		if refs != nil {
			blocks[string(ids[i])] = block
		}
	}
	for _, f := range graph.Check(v.Fold.ThreadID(), additions) {
		tell(report, blocks[f.Item], f)
	}
}

// expected returns the item of each block, and the items behind the message's handles.
func expected(v *View, deltas []delta.Delta) ([]artifact.ItemID, map[string]artifact.ItemID) {
	next := map[artifact.Section]int{}
	ids := make([]artifact.ItemID, len(deltas))
	handles := map[string]artifact.ItemID{}
	for i, block := range deltas {
		ids[i] = artifact.ItemID(block.Target)
		if block.Operation != delta.Add {
			continue
		}
		next[block.Section]++
		ids[i] = artifact.NewItemID(block.Section, len(v.Fold.Artifact().Items(block.Section))+next[block.Section])
		if block.LocalID != "" {
			handles[block.LocalID] = ids[i]
		}
	}
	for i, block := range deltas {
		if id, ok := handles[strings.TrimPrefix(block.Target, "@")]; ok && strings.HasPrefix(block.Target, "@") {
			ids[i] = id
		}
	}
	return ids, handles
}
