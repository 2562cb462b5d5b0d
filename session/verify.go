package session

import (
	"context"
	"fmt"

	"brenner/evidence"
	"brenner/mail"
	"brenner/markup"
	"brenner/message"
	"brenner/protocol"
)

// Verify proves a thread: its chain of messages, and each version against the fold of what
// came before it (PROTOCOL 14).
func (s *Sessions) Verify(ctx context.Context, threadID string) (mail.Verification, error) {
	library, err := s.Library()
	if err != nil {
		return mail.Verification{}, err
	}
	proof := newProof(threadID)
	if library != nil {
		proof.pack = library.Pack
	}
	return s.mail.Verify(ctx, threadID, proof)
}

// VerifyLines proves the lines of an export.
func VerifyLines(lines []mail.Line) mail.Verification {
	return mail.VerifyLines(lines, func(thread string) mail.Proof { return newProof(thread) })
}

// proof folds a thread while it is walked and compares each version with its hash.
type proof struct {
	view *View
	pack *evidence.Pack // nil: there is none to compare with
}

func newProof(threadID string) *proof { return &proof{view: NewView(threadID)} }

// Next implements mail.Proof.
func (p *proof) Next(m *mail.Message) (string, []protocol.Finding) {
	reason, findings := "", []protocol.Finding(nil)
	if m.Type == protocol.TypeCompiled && m.Version > 0 {
		reason, findings = p.version(m)
	}
	p.view.Add(*m)
	return reason, findings
}

func (p *proof) version(m *mail.Message) (string, []protocol.Finding) {
	hash, err := p.view.Fold.Artifact().Hash()
	if err != nil {
		return fmt.Sprintf("v%d cannot be derived: %v", m.Version, err), nil
	}
	findings := judgeVersion(m, p.view.latest(), hash)
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
