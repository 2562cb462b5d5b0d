package session

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/merge"
	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/genealogy"
	"brenner/internal/mail"
)

// looker returns the fold of a thread as of its summary, or with later messages as well.
type looker func(context.Context, mail.Thread) (*fold.View, error)

// peers returns the views of the project's other sessions, for what crosses them: references,
// and ideas that were killed elsewhere. Archived sessions are not among them. look looks at one of them.
func (s *Sessions) peers(ctx context.Context, threadID string, look looker) ([]*fold.View, error) {
	threads, err := s.allThreads(ctx)
	if err != nil {
		return nil, err
	}
	var views []*fold.View
	for _, t := range threads {
		if t.ID == threadID || !t.Enforced() || t.Archived() {
			continue
		}
		v, err := look(ctx, t)
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, nil
}

// Genealogy is the graph of references across sessions of the project: all of them, or those in a set.
func (s *Sessions) Genealogy(ctx context.Context, only mail.ThreadSet) (*genealogy.Graph, error) {
	views, err := s.peers(ctx, "", s.threads.At)
	if err != nil {
		return nil, err
	}
	if only != nil {
		return graphOf(slices.DeleteFunc(views, func(v *fold.View) bool { return !only.Has(v.Fold.ThreadID()) })), nil
	}
	return s.graph.of(views), nil
}

// graphWith is the graph of all sessions, with one of them as it is held.
func (s *Sessions) graphWith(ctx context.Context, v *fold.View) (*genealogy.Graph, error) {
	peers, err := s.peers(ctx, v.Fold.ThreadID(), s.threads.At)
	if err != nil {
		return nil, err
	}
	return s.graph.of(append(peers, v)), nil
}

// knownGraph is the graph of all sessions, as of the revision of the project that was last asked about (BenchmarkPages/genealogy/note).
type knownGraph struct {
	mu  sync.Mutex
	key canon.Hash
	is  *genealogy.Graph
}

func (k *knownGraph) of(views []*fold.View) *genealogy.Graph {
	key := graphKey(views)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.is == nil || k.key != key {
		k.key, k.is = key, graphOf(views)
	}
	return k.is
}

// graphKey names the graph of sessions by the message that last changed each artifact.
func graphKey(views []*fold.View) canon.Hash {
	slices.SortFunc(views, func(a, b *fold.View) int { return strings.Compare(a.Fold.ThreadID(), b.Fold.ThreadID()) })
	sum := sha256.New()
	for _, v := range views {
		fmt.Fprintf(sum, "%s %d %s\n", v.Fold.ThreadID(), v.ArtifactAt.Message, v.ArtifactAt.Chain)
	}
	var key canon.Hash
	sum.Sum(key[:0])
	return key
}

func graphOf(views []*fold.View) *genealogy.Graph {
	sessions := make([]genealogy.Session, len(views))
	for i, v := range views {
		sessions[i] = genealogy.Session{ID: v.Fold.ThreadID(), Artifact: v.Fold.Artifact()}
	}
	return genealogy.Build(sessions)
}

// LintProject is what lint can ask of the project about an artifact in a file.
func (s *Sessions) LintProject(ctx context.Context) (*lint.Project, error) {
	views, err := s.peers(ctx, "", s.threads.At)
	if err != nil {
		return nil, err
	}
	return s.lintProject(views)
}

// lintProject gathers what lint can ask of the project.
func (s *Sessions) lintProject(peers []*fold.View) (*lint.Project, error) {
	library, err := s.Library()
	return &lint.Project{Library: library, Genealogy: graphOf(peers)}, err
}

// addProjectFindings adds what only other sessions can tell: killed ideas proposed again,
// references that lead nowhere or in a circle. They are no part of artifact and hash.
func (o *Outcome) addProjectFindings(v *fold.View, peers []*fold.View) {
	var added []*artifact.Item
	for _, id := range o.Changes.Added {
		if it := v.Fold.Artifact().Item(id); it != nil && it.Section == artifact.HypothesisSlate {
			added = append(added, it)
		}
	}
	o.Findings = append(o.Findings, merge.Reproposals(added, killed(peers))...)
	if all := append(slices.Clip(peers), v); slices.ContainsFunc(all, refers) {
		o.Findings = append(o.Findings, graphOf(all).FindingsOf(v.Fold.ThreadID())...)
	}
}

// refers tells whether an item of the artifact has references.
func refers(v *fold.View) bool { return v.Fold.Artifact().Refers() }

// killed lists the hypotheses that other sessions have given up.
func killed(views []*fold.View) []merge.Killed {
	var list []merge.Killed
	for _, v := range views {
		for _, it := range v.Fold.Artifact().Items(artifact.HypothesisSlate) {
			if it.Killed != nil {
				list = append(list, merge.Killed{
					Session: v.Fold.ThreadID(), Item: it.ID, Name: it.Text(artifact.Name),
					Claim: it.Text(artifact.Claim), Reason: it.Killed.Reason,
				})
			}
		}
	}
	return list
}
