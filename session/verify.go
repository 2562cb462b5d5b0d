package session

import (
	"context"
	"fmt"

	"brenner/artifact/markdown"
	"brenner/canon"
	"brenner/mail"
	"brenner/message"
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
	before := p.view.latest()
	reason, findings := "", []protocol.Finding(nil)
	if m.Type == protocol.TypeCompiled && m.Version > 0 {
		reason, findings = p.version(m, before)
	}
	p.view.Add(*m)
	return reason, findings
}

func (p *proof) version(m *mail.Message, before int) (string, []protocol.Finding) {
	if m.ArtifactHash == (canon.Hash{}) {
		return "", []protocol.Finding{protocol.NewFinding(protocol.NotVerifiable,
			"Message %d publishes v%d without a hash.", m.ID, m.Version)}
	}
	if m.Version != before+1 {
		return fmt.Sprintf("v%d follows v%d", m.Version, before), nil
	}
	hash, err := p.view.Fold.Artifact().Hash()
	if err != nil {
		return fmt.Sprintf("v%d cannot be derived: %v", m.Version, err), nil
	}
	if hash != m.ArtifactHash {
		return fmt.Sprintf("v%d is recorded with hash %s; folding the messages before it gives %s",
			m.Version, short(m.ArtifactHash), short(hash)), nil
	}
	return p.copyMatches(m, hash), nil
}

func short(h canon.Hash) string { return h.String()[:12] + "…" }

// copyMatches checks the message's own words: the rules AP, and the artifact it carries.
func (p *proof) copyMatches(m *mail.Message, hash canon.Hash) string {
	before := p.view.latest()
	report := message.Check(m.Draft(), message.Facts{Existing: true, LatestVersion: &before})
	for _, f := range report.Findings {
		if f.Severity == protocol.SeverityError && hasPrefix(f.Code, "AP-") {
			return fmt.Sprintf("%s: %s", f.Code, f.Message)
		}
	}
	text, inline := message.ExtractArtifact(report.Document)
	if !inline {
		return ""
	}
	doc, _, _ := markdown.Parse(text)
	if got, err := doc.Artifact.Hash(); err != nil || got != hash {
		return fmt.Sprintf("the artifact that the message carries is not v%d", m.Version)
	}
	return ""
}
