package session

import (
	"context"
	"fmt"

	"brenner/mail"
	"brenner/protocol"
)

// Verify proves a thread: its chain of messages, and each version against the fold of what
// came before it (PROTOCOL 14).
func (s *Sessions) Verify(ctx context.Context, threadID string) (mail.Verification, error) {
	return s.mail.Verify(ctx, threadID, newProof(threadID))
}

// VerifyLines proves the lines of an export.
func VerifyLines(lines []mail.Line) mail.Verification {
	return mail.VerifyLines(lines, func(thread string) mail.Proof { return newProof(thread) })
}

// proof folds a thread while it is walked and compares each version with its hash.
type proof struct{ view *View }

func newProof(threadID string) *proof { return &proof{NewView(threadID)} }

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
		return "", findings
	}
	first := findings[0]
	if first.Code == protocol.VersionMismatch {
		return first.Message, findings
	}
	return fmt.Sprintf("%s: %s", first.Code, first.Message), findings
}
