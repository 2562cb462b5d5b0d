package session

import (
	"brenner/internal/artifact/markdown"
	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// artifactMatches is AP-103: the artifact that a COMPILED carries, or the hash beside its link, is that of
// the fold of every earlier message (PROTOCOL 10).
func artifactMatches(body *markup.Document, fold canon.Hash) (protocol.Finding, bool) {
	got, said := "", false
	if text, inline := message.ExtractArtifact(body); inline {
		doc, _, _ := markdown.Parse(text)
		if hash, err := doc.Artifact.Hash(); err == nil {
			got, said = hash.String(), true
		}
	} else if compiled, ok := message.ParseCompiled(body); ok {
		got, said = compiled.Hash, compiled.Hash != ""
	}
	switch {
	case !said:
		return protocol.NewFinding(protocol.AP103, "The body holds neither the artifact nor its hash; the fold of the thread hashes to %s.",
			short(fold)), false
	case got != fold.String():
		return protocol.NewFinding(protocol.AP103, "The artifact in the body hashes to %s, the fold of every earlier message to %s.",
			clipHash(got), short(fold)), false
	}
	return protocol.Finding{}, true
}

func short(h canon.Hash) string { return clipHash(h.String()) }

// clipHash keeps the beginning of a hash, which may be any text.
func clipHash(text string) string {
	if len(text) > 12 {
		return text[:12] + "…"
	}
	return text
}

// judgeVersion says what is wrong with a COMPILED message, given the highest version before it and the
// hash of the fold of every earlier message: rules AP-001 to AP-103, and its recorded hash (PROTOCOL 10, 14). One from
// elsewhere without a hash may say what it likes: beside NOT_VERIFIABLE the rules that an imported one breaks are warnings.
func judgeVersion(m *mail.Message, before int, fold canon.Hash) []protocol.Finding {
	report := message.Check(m.Draft(), message.Facts{Intake: protocol.Strict, LatestVersion: &before})
	mismatch, matches := artifactMatches(report.Document, fold)
	unsigned := m.ArtifactHash == canon.Hash{}
	switch {
	case unsigned && !owesHash(m, matches):
		told := protocol.NewFinding(protocol.NotVerifiable, "Message %d publishes v%d without a hash.", m.ID, m.Version)
		if !m.Imported { // sent to a thread outside the protocol
			return []protocol.Finding{told}
		}
		return append([]protocol.Finding{told}, lowered(brokenRules(report.Findings))...)
	case unsigned:
		return []protocol.Finding{protocol.NewFinding(protocol.VersionMismatch, "v%d was published with its hash, which is missing",
			m.Version)}
	case m.ArtifactHash != fold:
		return []protocol.Finding{protocol.NewFinding(protocol.VersionMismatch,
			"v%d is recorded with hash %s; folding the messages before it gives %s", m.Version, short(m.ArtifactHash), short(fold))}
	}
	wrong := brokenRules(report.Findings)
	if !matches {
		wrong = append(wrong, mismatch)
	}
	return wrong
}

// brokenRules are the errors among findings that come from the rules AP.
func brokenRules(findings []protocol.Finding) []protocol.Finding {
	var wrong []protocol.Finding
	for _, f := range findings {
		if f.Severity == protocol.SeverityError && hasPrefix(f.Code, "AP-") {
			wrong = append(wrong, f)
		}
	}
	return wrong
}

// lowered makes warnings of findings on what came from elsewhere: they are told and block nothing (PROTOCOL 10, 14).
func lowered(findings []protocol.Finding) []protocol.Finding {
	for i := range findings {
		findings[i] = findings[i].As(protocol.SeverityWarning)
	}
	return findings
}

// owesHash tells whether a COMPILED message must have been recorded with a hash: whatever the door of a
// thread under the protocol let in, and what was sent here to another thread and holds its fold.
func owesHash(m *mail.Message, matches bool) bool {
	return m.Intake == protocol.Strict || !m.Imported && matches
}
