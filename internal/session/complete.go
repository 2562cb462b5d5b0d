package session

import (
	"context"
	"fmt"
	"strings"

	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// CompleteRequest ends a session.
type CompleteRequest struct {
	ThreadID string
	As       string
	Commit   bool
	Force    string // the reason why open problems do not stop it; empty: they do
	// RequireReview refuses while a hypothesis that survives is not reviewed (SCIENCE 8).
	RequireReview bool
}

// Completed is what completing came to.
type Completed struct {
	Outcome
	Forced *string `json:"forced"`
}

// Complete compiles what is pending, persists it and posts the record of completion. Lint
// errors and open critical critiques stop it unless a reason is given (PROTOCOL 10).
func (s *Sessions) Complete(ctx context.Context, req CompleteRequest) (Completed, error) {
	done := Completed{Forced: protocol.OrNull(req.Force)}
	if req.Commit {
		if err := s.committable(ctx, req.ThreadID, req.As); err != nil {
			return done, err
		}
	}
	of, err := s.Session(ctx, req.ThreadID)
	if err != nil {
		return done, err
	}
	if err := of.convenes(req.As, "complete it"); err != nil {
		return done, err
	}
	around, err := of.surroundings(ctx)
	if err != nil {
		return done, err
	}
	if done.Outcome, err = of.preview(ctx, around); err != nil {
		return done, err
	}
	open, obstacle := of.obstacles(done.Outcome)
	unreviewed := of.Review().Findings()
	done.Findings = append(done.Findings, unreviewed...)
	if obstacle == nil && req.RequireReview && len(unreviewed) > 0 {
		obstacle = notReviewed(of.ID(), unreviewed)
	}
	if obstacle != nil && req.Force == "" {
		return done, obstacle
	}
	// Not Compile: a milestone would be persisted here, and once more below.
	var v *fold.View
	if done.Outcome, v, err = s.publish(ctx, of, around, CompileRequest{ThreadID: req.ThreadID, As: req.As}); err != nil {
		return done, err
	}
	done.Findings = append(done.Findings, unreviewed...)
	if done.Version == 0 {
		return done, noArtifact(req.ThreadID)
	}
	done.Persistence, err = s.persist(ctx, v, PersistRequest{
		ThreadID: req.ThreadID, As: req.As, Commit: req.Commit, Force: req.Force != "", Closing: true,
	})
	if err != nil {
		return done, err
	}
	done.Findings = append(done.Findings, done.Persistence.Findings...)
	return done, s.announce(ctx, v, req.As, message.Completion{
		ThreadID: req.ThreadID, Version: done.Version, Path: done.Persistence.Path,
		Commit: value(done.Persistence.Commit), Forced: req.Force, Open: open,
	}.Notice())
}

// notReviewed says which hypotheses wait for a reviewer.
func notReviewed(thread string, findings []protocol.Finding) error {
	var texts []string
	for _, f := range findings {
		texts = append(texts, strings.TrimSuffix(f.Message, "."))
	}
	return protocol.Errorf(protocol.Waiting,
		"not every hypothesis is reviewed: %s; ask for critiques, or complete it by force, with a reason",
		strings.Join(texts, ", ")).WithFindings(findings).Doing(protocol.OnThread("session.complete", thread).Giving("force"))
}

// obstacles lists what must be settled before a session is complete, and why that stops it unless a reason
// overrides it.
func (s *Session) obstacles(preview Outcome) (open []string, obstacle error) {
	v := s.View
	for i := range v.Critiques {
		c := &v.Critiques[i]
		if message.Critical(c.Severity) && v.Open(c) {
			open = append(open, fmt.Sprintf("Critical critique #%d: %s", c.MessageID, c.Title))
		}
	}
	waiting := len(open)
	errors := lintErrors(preview.Lint)
	for _, f := range errors {
		open = append(open, fmt.Sprintf("%s: %s", f.Code, f.Message))
	}
	switch {
	case len(errors) > 0:
		return open, protocol.Errorf(protocol.ValidationFailed,
			"the artifact has %s: mend what lint names, or complete it by force, with a reason",
			protocol.Plural(len(errors), "lint error")).WithFindings(errors).
			Doing(protocol.OnThread("session.complete", s.ID()).Giving("force"))
	case waiting > 0:
		return open, protocol.Errorf(protocol.Waiting, "%s without an answer: %s", protocol.Plural(waiting, "critical critique"),
			strings.Join(open, "; "))
	}
	return open, nil
}
