package session

import (
	"bytes"
	"context"
	"fmt"

	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Verify proves a thread: its chain of messages, each version against the fold of what came before it,
// what is kept beside the log against what the log gives, and its file against the version that it names (PROTOCOL 14).
func (s *Sessions) Verify(ctx context.Context, threadID string) (mail.Verification, error) {
	v, _, err := s.verify(ctx, threadID)
	if err != nil {
		return v, err
	}
	journal, err := s.journal(ctx, threadID)
	v.Holds(journal, threadID)
	return v, err
}

// journal holds the journal against the log, or a thread of it; another program's store keeps none.
func (s *Sessions) journal(ctx context.Context, threadID string) (mail.JournalProof, error) {
	p, err := s.mail.VerifyJournal(ctx, threadID)
	if protocol.CodeOf(err) == protocol.StoreUnavailable {
		err = nil
	}
	return p, err
}

func (s *Sessions) verify(ctx context.Context, threadID string) (mail.Verification, []VerifiedFile, error) {
	thread, err := s.mail.Thread(ctx, threadID)
	if err != nil {
		return mail.Verification{}, nil, err
	}
	if thread.Archived() {
		v, err := s.mail.Verify(ctx, threadID, nil)
		return v, nil, err
	}
	v, versions, err := s.prove(ctx, threadID)
	if err != nil || v.FirstBad != nil {
		return v, nil, err
	}
	files, differ, told := s.verifyFiles(ctx, threadID, versions)
	v.Differs(thread.HeadID, differ...)
	v.Findings = append(v.Findings, told...)
	return v, files, nil
}

// prove is Verify for the log and what is kept beside it, with the versions that it gives.
func (s *Sessions) prove(ctx context.Context, threadID string) (mail.Verification, published, error) {
	status, err := s.store().Status(ctx)
	if err != nil {
		return mail.Verification{}, nil, err
	}
	library, err := s.Library()
	if err != nil {
		return mail.Verification{}, nil, err
	}
	p := newProof(threadID)
	if library != nil {
		p.pack = library.Pack
	}
	p.elsewhere = !status.Atomic
	p.fold = s.keptFold(ctx, threadID, p)
	p.window = func(last int64) ([]byte, error) {
		kept, err := s.mail.Kept(ctx, threadViews.Window, formatID(last))
		return kept.Data, err
	}
	v, err := s.mail.Verify(ctx, threadID, p)
	if err != nil {
		return v, nil, err
	}
	if p.fold != nil && v.FirstBad == nil {
		p.differing = append(p.differing, protocol.NewFinding(protocol.RecordLost,
			"the fold that is kept goes up to message %d, which the thread no longer has", p.fold.Through))
	}
	v.Differs(p.view.Head, p.differing...)
	v.Claims = append(v.Claims, mail.NoWitness)
	return v, p.versions, nil
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
	v, err := transfer.VerifyLines(lines, func(thread string) mail.Proof { return newProof(thread) })
	if err == nil {
		v.Claims = append(v.Claims, mail.NoWitness)
	}
	return v, err
}

// proof folds a thread while it is walked and compares each version with its hash, and what is kept with
// the fold.
type proof struct {
	view      *fold.View
	pack      *evidence.Pack // nil: there is none to compare with
	elsewhere bool           // the store is another program's, which keeps no hashes
	last      int64          // origin id of the message before
	versions  published      // so far

	fold      *mail.Projection                 // what is kept of the fold; nil: nothing, or compared
	window    func(last int64) ([]byte, error) // what is kept of a closed window; nil: nothing
	windows   int                              // that were compared
	differing []protocol.Finding
}

func newProof(threadID string) *proof {
	return &proof{view: fold.NewView(threadID), versions: published{}}
}

func (p *proof) differs(format string, args ...any) {
	p.differing = append(p.differing, protocol.NewFinding(protocol.KeptMismatch, format, args...))
}

// Next implements mail.Proof.
func (p *proof) Next(m *mail.Message) (string, []protocol.Finding) {
	reason, findings := "", []protocol.Finding(nil)
	if m.Type == protocol.TypeCompiled && m.Version > 0 {
		reason, findings = p.version(m)
	}
	Fold(p.view, *m)
	p.closes()
	p.last = m.OriginID()
	p.reaches(m.ID)
	return reason, findings
}

// closes compares a window that the last message closed with the one that is kept.
func (p *proof) closes() {
	for _, w := range p.view.Windows[p.windows:] {
		p.windows++
		if p.window == nil {
			continue
		}
		kept, err := p.window(w.Last)
		switch {
		case protocol.CodeOf(err) == protocol.KeptMismatch:
			p.differs("%v", err)
		case err == nil && !bytes.Equal(w.Data, kept):
			p.differs("what is kept of the messages up to %d differs from what the log gives", w.Last)
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
	p.versions[m.Version] = provenVersion{hash, m.OriginID()}
	if through := overtaken(m, p.last); through > 0 {
		return "", []protocol.Finding{protocol.NewFinding(protocol.NotVerifiable,
			"v%d covers the messages through #%d; mail that landed while it was compiled stands before it.", m.Version, through)}
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
			findings = append(findings, protocol.NewFinding(protocol.EVQ02, "v%d cites %s, which is no longer in the evidence pack.",
				m.Version, e.ID))
		case source.Hash() != e.SHA256:
			findings = append(findings, protocol.NewFinding(protocol.EVQ02, "v%d cites %s with SHA-256 %s; the evidence pack has %s.",
				m.Version, e.ID, e.SHA256, source.Hash()))
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
