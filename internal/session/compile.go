package session

import (
	"context"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/markdown"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// CompileRequest says how a thread is to be compiled.
type CompileRequest struct {
	ThreadID string
	As       string // who compiles; registered before
	Summary  string // empty: what was added, edited, killed, by how many agents
	Strict   bool   // refuse to publish with lint errors
	Persist  bool   // write the latest version to its file as well
	Commit   bool   // and commit that file
	Force    bool   // overwrite a file that is newer, or that a person edited
}

// Preview compiles without publishing anything, in the light of the whole project.
func (s *Session) Preview(ctx context.Context) (Outcome, error) {
	around, err := s.surroundings(ctx)
	if err != nil {
		return Outcome{}, err
	}
	return s.preview(ctx, around)
}

func (s *Session) preview(ctx context.Context, around surroundings) (Outcome, error) {
	out := outcomeOf(s.View, around.project)
	out.addProjectFindings(s.View, around.peers)
	return out, s.of.measure(ctx, s.View, &out)
}

// surroundings are the other sessions, and what lint can ask of the project.
type surroundings struct {
	peers   []*fold.View
	project *lint.Project
}

func (s *Session) surroundings(ctx context.Context) (surroundings, error) {
	peers := s.peers
	if peers == nil {
		var err error
		if peers, err = s.of.peers(ctx, s.ID(), s.of.threads.At); err != nil {
			return surroundings{}, err
		}
	}
	return surroundings{peers, &lint.Project{Library: s.library, Genealogy: graphOf(peers)}}, s.broken
}

// Compile publishes what is pending and, if asked or if the version is a milestone, persists it.
// Where a commit is asked for that cannot be made, nothing is published.
func (s *Sessions) Compile(ctx context.Context, req CompileRequest) (Outcome, error) {
	if req.Persist && req.Commit {
		if err := s.committable(ctx, req.ThreadID, req.As); err != nil {
			return Outcome{}, err
		}
	}
	of, err := s.Session(ctx, req.ThreadID)
	if err != nil {
		return Outcome{}, err
	}
	around, err := of.surroundings(ctx)
	if err != nil {
		return Outcome{}, err
	}
	out, v, err := s.publish(ctx, of, around, req)
	if err != nil {
		return out, err
	}
	switch {
	case req.Persist:
		out.Persistence, err = s.persist(ctx, v, PersistRequest{ThreadID: req.ThreadID, As: req.As, Commit: req.Commit, Force: req.Force})
		out.Findings = append(out.Findings, out.Persistence.Findings...)
	case out.NewVersion && s.settings.PersistEvery > 0 && out.Version%s.settings.PersistEvery == 0: // PROTOCOL 10
		s.milestone(ctx, v, req, &out)
	}
	return out, err
}

// milestone persists a version without being asked. A failure is a finding; the version is published
// all the same.
func (s *Sessions) milestone(ctx context.Context, v *fold.View, req CompileRequest, out *Outcome) {
	written, err := s.persist(ctx, v, PersistRequest{ThreadID: req.ThreadID, As: req.As})
	if err != nil {
		out.Findings = append(out.Findings, protocol.NewFinding(protocol.CodeOf(err),
			"v%d is a milestone but was not persisted: %v", out.Version, err).As(protocol.SeverityWarning))
		return
	}
	out.Persistence = written
	out.Findings = append(out.Findings, written.Findings...)
}

// publish posts a new version if at least one delta was applied since the last one;
// otherwise it posts nothing (PROTOCOL 10). The version is the fold of every earlier message of
// its thread: it is made inside the transaction that inserts it. The view is that of the thread afterwards.
func (s *Sessions) publish(ctx context.Context, of *Session, around surroundings, req CompileRequest) (Outcome, *fold.View, error) {
	var v *fold.View
	var out Outcome
	sent, err := s.mail.Publish(ctx, req.ThreadID, req.As, func(ctx context.Context, tx mail.Tx, _ mail.Thread) (*mail.Publication, error) {
		// A second run starts from the same view: the messages of the first may have been rolled
		// back with its transaction.
		var err error
		if v, err = s.threads.Through(ctx, tx, req.ThreadID, of.View); err != nil {
			return nil, err
		}
		v.HashOnce() // it is ours alone
		out = outcomeOf(v, around.project)
		out.library, out.agents = around.project.Library, of.agents
		return out.publication(v, tx, req)
	})
	if err != nil {
		return out, nil, err
	}
	out.addProjectFindings(v, around.peers)
	if m := sent.Message; m.ID != 0 {
		Fold(v, m)
		s.threads.Adopt(req.ThreadID, v)
		out.published(m, v)
		out.Findings = append(out.Findings, sent.Afterwards...)
	}
	if req.Persist {
		return out, v, nil // what becomes of the file is measured when it is written
	}
	return out, v, s.measure(ctx, v, &out)
}

// publication is the COMPILED message of what the view came to, or nothing if no delta was
// applied since the last one.
func (o *Outcome) publication(v *fold.View, tx mail.Tx, req CompileRequest) (*mail.Publication, error) {
	if err := o.Passes(); err != nil && req.Strict {
		return nil, err
	}
	if o.Deltas.Applied == 0 {
		return nil, nil
	}
	hash, err := v.Hash()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "the artifact cannot be hashed: %w", err)
	}
	compiled := o.compiled(v, tx, req)
	return &mail.Publication{
		Subject: compiled.Subject(), Body: message.RenderCompiled(compiled), ArtifactHash: hash, Participants: v.Participants,
	}, nil
}

// compiled describes the version that is about to be published. Its time and compiler are
// those of the message itself.
func (o *Outcome) compiled(v *fold.View, tx mail.Tx, req CompileRequest) message.Compiled {
	doc := o.Document
	doc.Metadata.Version = v.Latest() + 1
	doc.Metadata.Status = artifact.StatusActive
	doc.Metadata.CompiledAt = tx.Time()
	doc.Metadata.CompiledBy = req.As
	c := message.Compiled{
		ThreadID: req.ThreadID, Version: doc.Metadata.Version, Previous: v.Latest(),
		CompiledAt: tx.Time(), Compiler: req.As, Summary: req.Summary,
		Stats: o.Stats, Artifact: markdown.Render(doc), Hash: doc.Metadata.ArtifactHash,
		Validation: validation(o.Lint), Evidence: o.evidence(),
	}
	if loose, ok := tx.(interface{ Loose() bool }); ok && loose.Loose() {
		c.Through = v.Head // PROTOCOL 10: a foreign server lets mail land unseen
	}
	o.describe(v, &c)
	return c
}

// validation sums lint up for the Validation Status (PROTOCOL 10).
func validation(report lint.Report) message.Validation {
	val := message.Validation{
		Schema: message.Pass, Warnings: report.Warnings, Errors: report.Errors, ThirdAlternative: message.Present,
	}
	if !report.SchemaHolds() {
		val.Schema = message.Fail
	}
	if report.Has(protocol.EH003) {
		val.ThirdAlternative = message.Missing
	}
	return val
}

// Passes is the error of an artifact with lint errors, for those who ask strictly.
func (o *Outcome) Passes() error {
	if o.Lint.Valid {
		return nil
	}
	return protocol.Errorf(protocol.ValidationFailed, "the artifact of %s has %s: nothing was published",
		o.ThreadID, protocol.Plural(o.Lint.Summary.Errors, "lint error")).WithFindings(lintErrors(o.Lint))
}

func lintErrors(report lint.Report) []protocol.Finding {
	var errors []protocol.Finding
	for _, v := range report.Violations {
		if v.Severity == protocol.SeverityError {
			errors = append(errors, v.Finding)
		}
	}
	return errors
}
