package session

import (
	"context"
	"slices"
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/canon"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/markup"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Dossier is a published version with everything that its thread says up to and with its COMPILED message
// (SCIENCE 8). It is a function of the lines, the library and the families alone: all who have those derive
// the same dossier. Message ids are origin ids.
type Dossier struct {
	View         *fold.View
	Version      int
	Hash         canon.Hash // of the artifact
	Document     artifact.Document
	Compiled     message.Compiled // what the COMPILED message says
	Lines        []transfer.Line
	Library      *evidence.Library
	Verification mail.Verification

	family    func(science.Agent) string
	judging   sync.Once
	judgement *evidence.Judgement
}

// DossierLines returns the lines of a version, 0 being the latest. NOT_FOUND: there is no such version.
func (s *Session) DossierLines(ctx context.Context, version int) ([]transfer.Line, error) {
	now, threadID := s.View, s.ID()
	target := now.Fold.Latest()
	if version != 0 {
		var ok bool
		if target, ok = now.Fold.Version(version); !ok {
			return nil, noVersion(threadID, version)
		}
	}
	if target.Number == 0 {
		return nil, noArtifact(threadID)
	}
	return transfer.Lines(ctx, s.of.mail, threadID, target.MessageID)
}

// ChangesAfter counts what came after a version, 0 being the latest, and is not in it.
func (s *Session) ChangesAfter(version int) int {
	n := s.View.Fold.Pending().Applied
	if version == 0 {
		return n
	}
	for _, v := range slices.Backward(s.View.Fold.Versions()) {
		if v.Number == version {
			break
		}
		n += len(v.Changes.Added) + len(v.Changes.Edited) + len(v.Changes.Killed)
	}
	return n
}

// NewDossier derives a dossier from lines of which the last publishes it. What does not match is told by its
// verification; INVALID_INPUT: the lines publish nothing.
func NewDossier(lines []transfer.Line, library *evidence.Library, family func(science.Agent) string) (*Dossier, error) {
	if len(lines) == 0 {
		return nil, protocol.Errorf(protocol.InvalidInput, "the thread has no messages")
	}
	last := &lines[len(lines)-1]
	r := &Dossier{Lines: lines, Library: library, family: family}
	p := &dossierProof{proof: newProof(last.ThreadID)}
	var err error
	r.Verification, err = transfer.VerifyLines(lines, func(thread string) mail.Proof {
		if thread != last.ThreadID {
			return nil
		}
		return p
	})
	if err != nil {
		return nil, err
	}
	r.View = p.view
	versions := r.View.Fold.Versions()
	if r.Verification.FirstBad == nil && (len(versions) == 0 || versions[len(versions)-1].MessageID != last.ID ||
		last.ArtifactHash == (canon.Hash{})) {
		return nil, protocol.Errorf(protocol.InvalidInput, "the last message of the thread publishes no version with its hash")
	}
	if len(versions) > 0 {
		r.Version = versions[len(versions)-1].Number
	}
	r.Hash, r.Document = last.ArtifactHash, r.View.Document()
	r.Compiled, _ = message.ParseCompiled(markup.Parse(last.Body))
	return r, nil
}

// dossierProof is a proof for lines that do not say which of them were imported: what was read leniently may have been.
type dossierProof struct{ *proof }

// Next implements mail.Proof.
func (p *dossierProof) Next(m *mail.Message) (string, []protocol.Finding) {
	m.Imported = m.Imported || m.Intake == protocol.Lenient
	return p.proof.Next(m)
}

// ThreadID names the thread.
func (r *Dossier) ThreadID() string { return r.View.Fold.ThreadID() }

// Results is what `result list` prints, as of the dossier.
func (r *Dossier) Results() []science.ResultRow { return r.View.Science.ResultRows() }

// Predictions is what `predictions` prints, as of the dossier.
func (r *Dossier) Predictions() science.PredictionReport {
	report := r.View.Science.PredictionReport(addedDays(r.Library))
	report.Findings = append(report.Findings, staleResults(r.Library, r.Results())...)
	return report
}

// Beliefs is what `beliefs` prints, as of the dossier.
func (r *Dossier) Beliefs() science.BeliefReport {
	report := r.Account().Report()
	report.Findings = append(report.Findings, staleResults(r.Library, r.Results())...)
	return report
}

// Account is what the agents believe, as of the dossier.
func (r *Dossier) Account() *science.Account { return r.View.Science.Account(r.people()) }

// Reasons is what `reasons` prints, as of the dossier.
func (r *Dossier) Reasons() science.Reasons { return r.Account().Reasons() }

// Review is what `review` prints, as of the dossier. Program and model of an agent are those
// that the thread tells.
func (r *Dossier) Review() science.Review {
	return science.NewReview(science.ReviewInput{
		Artifact: r.View.Fold.Artifact(), Science: r.View.Science, Attacks: r.View.Attacks(), Family: r.Family,
	})
}

// people are the agents of the dossier as its thread describes them: the registry of a project does not go along (SCIENCE 9).
func (r *Dossier) people() science.People { return r.View.Science.People(nil, r.family) }

// Agent describes an agent by the messages of the thread.
func (r *Dossier) Agent(name string) science.Agent { return r.people().Agent(name) }

// Family is the family of an agent.
func (r *Dossier) Family(name string) string { return r.people().Family(name) }

// Judgement is what the sources say about the artifact. They are read once.
func (r *Dossier) Judgement() *evidence.Judgement {
	r.judging.Do(func() { r.judgement = r.Library.Judge(r.Document.Artifact) })
	return r.judgement
}

// Evidence checks the quotes of the dossier and compares the sources that it names with those that are there: EV-Q02.
func (r *Dossier) Evidence() (*evidence.Judgement, []protocol.Finding) {
	judgement := r.Judgement()
	if r.Library == nil || r.Library.Pack == nil {
		return judgement, nil
	}
	p := proof{pack: r.Library.Pack}
	last := r.Lines[len(r.Lines)-1]
	return judgement, p.evidence(&mail.Message{Message: last.Message(), Version: r.Version})
}

// BlindCopies counts the messages that name blind copies, and says so.
func (r *Dossier) BlindCopies() []protocol.Finding {
	n := 0
	for i := range r.Lines {
		if len(r.Lines[i].Bcc) > 0 {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.BlindCopies, "%s goes along with the names of those who got a blind copy.",
		protocol.Plural(n, "message"))}
}
