package session

import (
	"context"
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
	threadID string
	artifact fold.Position
	status   string
	graph    *genealogy.Graph // nil where it makes no difference
	library  *evidence.Library
}

// mostLints is how many judgements are remembered (BenchmarkPages/artifact/note): a page asks for one.
const mostLints = 64

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

// lint judges a document of a view. What other sessions say matters only where it refers to any.
func (s *Sessions) lint(ctx context.Context, v *fold.View, doc artifact.Document) (*judgement, error) {
	var graph *genealogy.Graph
	if doc.Artifact.Refers() {
		var err error
		if graph, err = s.Genealogy(ctx, nil); err != nil {
			return nil, err
		}
	}
	library, err := s.Library()
	if err != nil {
		return nil, err
	}
	check := func() (*judgement, error) {
		return newJudgement(lint.Input{Document: doc, Project: &lint.Project{Library: library, Genealogy: graph}}), nil
	}
	if doc.Metadata.UpdatedAt.Before(doc.Metadata.CreatedAt) {
		return check() // the report quotes a time that any message changes
	}
	return s.lints.Of(lintKey{v.Fold.ThreadID(), v.ArtifactAt, doc.Metadata.Status, graph, library}, check)
}
