package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Verify proves a thread: its chain of messages, each version against the fold of what came before it, and
// what is kept beside the log against what the log gives (PROTOCOL 14).
func (s *Sessions) Verify(ctx context.Context, threadID string) (mail.Verification, error) {
	thread, err := s.mail.Thread(ctx, threadID)
	if err != nil {
		return mail.Verification{}, err
	}
	if thread.Archived() {
		return s.mail.Verify(ctx, threadID, nil)
	}
	status, err := s.store().Status(ctx)
	if err != nil {
		return mail.Verification{}, err
	}
	library, err := s.Library()
	if err != nil {
		return mail.Verification{}, err
	}
	p := newProof(threadID)
	if library != nil {
		p.pack = library.Pack
	}
	p.elsewhere = !status.Atomic
	p.fold = s.keptFold(ctx, threadID, p)
	p.window = func(compiled int64) ([]byte, error) {
		kept, err := s.mail.Kept(ctx, closedWindow, formatID(compiled))
		return kept.Data, err
	}
	v, err := s.mail.Verify(ctx, threadID, p)
	if err != nil {
		return v, err
	}
	if p.fold != nil {
		p.differs("the fold that is kept goes up to message %d, which the thread does not have", p.fold.Through)
	}
	v.Differs(p.view.Head, p.differing...)
	return v, nil
}

// Repair verifies a thread after everything that is kept beside the log was made again. What differed
// before comes back as warnings. The log itself is never touched.
func (s *Sessions) Repair(ctx context.Context, threadID string) (mail.Verification, error) {
	before, err := s.Verify(ctx, threadID)
	if err != nil {
		return before, err
	}
	if err := s.store().Rebuild(ctx); err != nil {
		return before, err
	}
	after, err := s.Verify(ctx, threadID)
	for _, f := range before.Findings {
		if f.Code == protocol.KeptMismatch {
			after.Findings = append(after.Findings, f.As(protocol.SeverityWarning).WithFix("Nothing: it was made again from the log."))
		}
	}
	return after, err
}

// keptFold reads the fold that is kept of a thread, nil if there is none. One that was changed is said at once.
func (s *Sessions) keptFold(ctx context.Context, threadID string, p *proof) *mail.Projection {
	kept, err := s.mail.Kept(ctx, threadViews.Name, threadID)
	switch {
	case err == nil:
		return &kept
	case protocol.CodeOf(err) == protocol.KeptMismatch:
		p.differs("%v", err)
	}
	return nil
}

// VerifyLines proves the lines of an export. NOT_VERIFIABLE: none of them can be.
func VerifyLines(lines []transfer.Line) (mail.Verification, error) {
	return transfer.VerifyLines(lines, func(thread string) mail.Proof { return newProof(thread) })
}

// proof folds a thread while it is walked and compares each version with its hash, and what is kept with
// the fold.
type proof struct {
	view      *fold.View
	pack      *evidence.Pack // nil: there is none to compare with
	elsewhere bool           // the store is another program's, which keeps no hashes
	last      int64          // origin id of the message before

	fold      *mail.Projection                     // what is kept of the fold; nil: nothing, or compared
	window    func(compiled int64) ([]byte, error) // what is kept of a closed window; nil: nothing
	differing []protocol.Finding
}

func newProof(threadID string) *proof { return &proof{view: fold.NewView(threadID)} }

func (p *proof) differs(format string, args ...any) {
	p.differing = append(p.differing, protocol.NewFinding(protocol.KeptMismatch, format, args...))
}

// Next implements mail.Proof.
func (p *proof) Next(m *mail.Message) (string, []protocol.Finding) {
	reason, findings := "", []protocol.Finding(nil)
	if m.Type == protocol.TypeCompiled && m.Version > 0 {
		reason, findings = p.version(m)
		p.closes(m)
	}
	Fold(p.view, *m)
	p.last = m.OriginID()
	p.reaches(m.ID)
	return reason, findings
}

// closes compares the window that a COMPILED message closes with the one that is kept.
func (p *proof) closes(m *mail.Message) {
	if p.window == nil {
		return
	}
	kept, err := p.window(m.ID)
	switch {
	case protocol.CodeOf(err) == protocol.KeptMismatch:
		p.differs("%v", err)
	case err != nil:
	default:
		if want, err := json.Marshal(p.view.Records()); err == nil && !bytes.Equal(want, kept) {
			p.differs("the receipts that are kept of the messages of v%d differ from what the log gives", m.Version)
		}
	}
}

// reaches compares the fold that is kept up to a message.
func (p *proof) reaches(id int64) {
	if p.fold == nil || p.fold.Through != id {
		return
	}
	kept := p.fold.Data
	p.fold = nil
	if _, err := fold.Load(kept); err != nil {
		return // of another program's version, which is not trusted
	}
	if want, err := p.view.Save(); err != nil || !bytes.Equal(want, kept) {
		p.differs("the fold that is kept up to message %d differs from what the log gives", id)
	}
}

func (p *proof) version(m *mail.Message) (string, []protocol.Finding) {
	hash, err := p.view.Fold.Artifact().Hash()
	if err != nil {
		return fmt.Sprintf("v%d cannot be derived: %v", m.Version, err), nil
	}
	if through := overtaken(m, p.last); through > 0 {
		return "", []protocol.Finding{protocol.NewFinding(protocol.NotVerifiable, "v%d covers the messages through #%d; mail that landed while it was compiled stands before it.", m.Version, through)}
	}
	judged := *m
	judged.Imported = m.Imported || p.elsewhere
	findings := judgeVersion(&judged, p.view.Latest(), hash)
	if !protocol.HasErrors(findings) {
		findings = append(findings, p.evidence(m)...)
	}
	if !protocol.HasErrors(findings) {
		return "", findings
	}
	first := firstError(findings)
	if first.Code == protocol.VersionMismatch {
		return first.Message, findings
	}
	return fmt.Sprintf("%s: %s", first.Code, first.Message), findings
}

// overtaken returns the last message that a version covers if mail of a server without transactions landed between
// the two, else 0 (PROTOCOL 10). What the door let in never was.
func overtaken(m *mail.Message, last int64) int64 {
	if m.Intake == protocol.Strict {
		return 0
	}
	compiled, _ := message.ParseCompiled(markup.Parse(m.Body))
	if compiled.Through >= last {
		return 0
	}
	return compiled.Through
}

// evidence compares the sources that a version names with the pack (SCIENCE 1, under the chain).
func (p *proof) evidence(m *mail.Message) []protocol.Finding {
	if p.pack == nil {
		return nil
	}
	compiled, _ := message.ParseCompiled(markup.Parse(m.Body))
	var findings []protocol.Finding
	for _, e := range compiled.Evidence {
		switch source := p.pack.Source(e.ID); {
		case source == nil:
			findings = append(findings, protocol.NewFinding(protocol.EVQ02, "v%d cites %s, which is no longer in the evidence pack.", m.Version, e.ID))
		case source.Hash() != e.SHA256:
			findings = append(findings, protocol.NewFinding(protocol.EVQ02, "v%d cites %s with SHA-256 %s; the evidence pack has %s.", m.Version, e.ID, e.SHA256, source.Hash()))
		default:
			findings = append(findings, source.Open().Wrong...)
		}
	}
	return findings
}

func firstError(findings []protocol.Finding) protocol.Finding {
	for _, f := range findings {
		if f.Severity == protocol.SeverityError {
			return f
		}
	}
	return protocol.Finding{}
}
