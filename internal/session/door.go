package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/genealogy"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
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
		d.quotes(ctx, thread.ID, report)
	}
	_, completes := message.CompletedVersion(draft.Subject)
	if d.sessions == nil || !needsFold(report, thread) && !completes {
		return mail.Ruling{}, nil
	}
	v := fold.NewView(thread.ID)
	if thread.HeadID > 0 {
		var err error
		if v, err = d.sessions.follow(ctx, thread); err != nil {
			return mail.Ruling{}, err
		}
	}
	switch {
	case report.Type == protocol.TypeKickoff:
		d.kickoff(v, draft.From, report)
	case completes:
		d.completion(v, draft, report)
		return mail.Ruling{}, nil
	case report.Type == protocol.TypeCompiled:
		return d.version(v, thread, report)
	}
	return mail.Ruling{}, d.contribution(ctx, v, thread, draft, report)
}

// needsFold tells whether the fold has something to say about a message.
func needsFold(report *message.Report, thread mail.Thread) bool {
	switch report.Type {
	case protocol.TypeDelta, protocol.TypeCompiled:
		return true
	case protocol.TypeKickoff:
		return thread.HeadID > 0 || report.References.Round > 1 // the KICKOFFs of one start are sent together
	}
	return len(report.Beliefs) > 0
}

// kickoff refuses a later KICKOFF of a sender that does not convene the thread (PROTOCOL 3), and warns of a round that does
// not follow the one that is open (PROTOCOL 11).
func (d *Door) kickoff(v *fold.View, from string, report *message.Report) {
	if !v.Fold.MayKickoff(from) {
		report.Findings = append(report.Findings, notConvener(v, from))
		return
	}
	if n := report.References.Round; n > 0 && !v.Settled.Follows(n) {
		report.Findings = append(report.Findings,
			protocol.NewFinding(protocol.RoundOutOfOrder, "The KICKOFF opens round %d; the thread is in round %d.", n, v.Round).
				In("body_md").WithFix("Write # Round %d Kickoff.", v.Settled.Round+1))
	}
}

// contribution warns about a message by what the merge would make of it.
func (d *Door) contribution(ctx context.Context, v *fold.View, thread mail.Thread, draft message.Draft, report *message.Report) error {
	from := draft.From
	var receipt delta.Receipt
	after := v.Fold.Artifact()
	if len(report.Deltas) > 0 {
		receipt, after = v.Fold.Rehearse(from, report)
	}
	for _, b := range report.Beliefs { // SCIENCE 4: judged by the fold after the message
		report.Findings = append(report.Findings, science.Unusable(after, b)...)
	}
	if report.Type != protocol.TypeDelta {
		return nil
	}
	d.speaker(v, from, report)
	if len(report.Deltas) == 0 {
		return nil
	}
	d.targets(v, &receipt, report)
	r := rehearsal{&receipt, after, report}
	r.rows()
	d.results(v, thread, from, r)
	return d.project(ctx, v, &receipt, report)
}

// version compares a COMPILED with the fold of its thread: AP-103. On a thread without the protocol it
// may say what it likes, and has no hash then.
func (d *Door) version(v *fold.View, thread mail.Thread, report *message.Report) (mail.Ruling, error) {
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

// completion refuses a record of completion that is not valid: from a sender that does not convene the
// thread, or of a version that does not exist (PROTOCOL 10).
func (d *Door) completion(v *fold.View, draft message.Draft, report *message.Report) {
	if v.Fold.Completes(draft.From, draft.Subject) {
		return
	}
	report.Findings = append(report.Findings, protocol.NewFinding(protocol.NotAllowed,
		"%s is the record of a completed session: only a convener of the thread posts it, and of a version that exists.", draft.Subject).
		In("subject").WithFix("Complete the session as a convener, or choose another subject.").
		Doing(protocol.OnThread("session.complete", draft.ThreadID)))
}

// speaker warns an agent whose DELTA[human] settles nothing.
func (d *Door) speaker(v *fold.View, from string, report *message.Report) {
	if !strings.EqualFold(report.Subject.Shorthand, protocol.Human) || v.Fold.HonoursHuman(from) {
		return
	}
	report.Findings = slices.DeleteFunc(report.Findings, func(f protocol.Finding) bool { return f.Code == protocol.ShorthandMismatch })
	report.Findings = append(report.Findings, merge.NotHuman(from))
}

// targets warns about the blocks that the merge would reject or skip if no other message came first.
func (d *Door) targets(v *fold.View, rehearsed *delta.Receipt, report *message.Report) {
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
	note(report, block.Block, f.At(block.Line, 1))
}

// tellAt says something about a field that a block writes, where it stands.
func tellAt(report *message.Report, block *delta.Delta, field string, f protocol.Finding) {
	line, column := block.Place(field)
	note(report, block.Block, f.At(line, column))
}

func note(report *message.Report, block int, f protocol.Finding) {
	report.Receipt.Note(block, f)
	report.Add(f)
}

// judgeTarget tells of a block that the merge would accept and skip: its target was killed.
func judgeTarget(a *artifact.Artifact, block delta.Delta) (protocol.Finding, bool) {
	if block.Operation == delta.Add || strings.HasPrefix(block.Target, "@") || block.Section == artifact.ResearchThread {
		return protocol.Finding{}, false
	}
	if it := a.Item(artifact.ItemID(block.Target)); it != nil && it.Killed != nil {
		return protocol.NewFinding(protocol.TargetKilled, "%s was killed: %s", block.Target, protocol.Shorten(it.Killed.Reason, 120)).
			On(block.Target), true
	}
	return protocol.Finding{}, false
}

// project looks beyond the thread, but only when a block asks for it.
func (d *Door) project(ctx context.Context, v *fold.View, rehearsed *delta.Receipt, report *message.Report) error {
	if !looksBeyond(report.Deltas) {
		return nil
	}
	peers, err := d.sessions.peers(ctx, v.Fold.ThreadID(), d.sessions.follow)
	if err != nil {
		return err
	}
	d.reproposals(report, append(killed([]*fold.View{v}), killed(peers)...))
	references(report, rehearsed, v.Fold.ThreadID(), graphOf(append(slices.Clip(peers), v)))
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
// blocks is seen. New items have the ids that the merge would give them; what it would reject makes no link.
func references(report *message.Report, rehearsed *delta.Receipt, threadID string, graph *genealogy.Graph) {
	handles := map[string]string{}
	for _, block := range report.Deltas {
		if block.LocalID != "" {
			handles["@"+block.LocalID] = rehearsed.Blocks[block.Block-1].ItemID
		}
	}
	var additions []genealogy.Addition
	blocks := map[string]delta.Delta{}
	for _, block := range report.Deltas {
		item := rehearsed.Blocks[block.Block-1].ItemID
		if item == "" {
			continue
		}
		refs := slices.Clone(referenceField(block))
		for k := range refs {
			refs[k].Item = cmp.Or(handles[refs[k].Item], refs[k].Item)
		}
		additions = append(additions, genealogy.Addition{Item: artifact.ItemID(item), References: refs})
		if refs != nil {
			blocks[item] = block
		}
	}
	for _, f := range graph.Check(threadID, additions) {
		tell(report, blocks[f.Item], f)
	}
}
