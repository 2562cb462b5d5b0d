package session

import (
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/evidence"
	"brenner/internal/fold"
	"brenner/internal/genealogy"
)

// lintKey names the judgement of an artifact for good: the last message that may have changed it, and what
// else it was judged by.
type lintKey struct {
	artifact fold.Position
	status   string
	graph    *genealogy.Graph // nil where it makes no difference
	library  *evidence.Library
}

// judgement is what lint says about an artifact, as far as it is asked.
type judgement struct {
	report func() *lint.Report
	errors func() errorCount
}

// errorCount is what a session shows of lint.
type errorCount struct {
	errors   int
	evidence *evidence.Judgement // what the items rest on
}

func newJudgement(in lint.Input) *judgement {
	return &judgement{
		report: sync.OnceValue(func() *lint.Report {
			report := lint.Check(in)
			return &report
		}),
		errors: sync.OnceValue(func() errorCount {
			errors, evidence := lint.CountErrors(in)
			return errorCount{errors, evidence}
		}),
	}
}

// judge lints a document of a view of the thread. What other sessions say matters only where it refers to any.
func (s *Session) judge(v *fold.View, doc artifact.Document, graph *genealogy.Graph) (*judgement, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	if !doc.Artifact.Refers() {
		graph = nil
	}
	check := newJudgement(lint.Input{Document: doc, Project: &lint.Project{Library: s.library, Genealogy: graph}})
	if doc.Metadata.UpdatedAt.Before(doc.Metadata.CreatedAt) {
		return check, nil // the report quotes a time that any message changes
	}
	key := lintKey{v.ArtifactAt, doc.Metadata.Status, graph, s.library}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.judgements[key]; known != nil {
		return known, nil
	}
	if len(s.judgements) >= maxInherited {
		clear(s.judgements)
	}
	s.judgements[key] = check
	return check, nil
}
