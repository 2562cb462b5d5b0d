package api

import (
	"context"

	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"
	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/markdown"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

type artifactQuery struct {
	Thread  string `path:"thread"`
	Version int    `query:"version" about:"which version; the latest unless said"`
	Format  string `query:"format" about:"json, or md for the Markdown in the key markdown" choices:"json,md"`
}

type artifactAnswer struct {
	Metadata artifact.Metadata  `json:"metadata"`
	Sections *artifact.Artifact `json:"sections,omitempty"`
	Markdown *string            `json:"markdown,omitempty"`
}

func (a *API) showArtifact(ctx context.Context, _ Caller, in artifactQuery) (artifactAnswer, error) {
	doc, err := a.deps.Sessions.Document(ctx, in.Thread, in.Version)
	if err != nil {
		return artifactAnswer{}, err
	}
	switch in.Format {
	case "", "json":
		return artifactAnswer{Metadata: doc.Metadata, Sections: doc.Artifact}, nil
	case "md":
		text := markdown.Render(doc)
		return artifactAnswer{Metadata: doc.Metadata, Markdown: &text}, nil
	default:
		return artifactAnswer{}, protocol.Errorf(protocol.Usage, "there is no format %q, only json and md", protocol.Brief(in.Format))
	}
}

type versionList struct {
	ThreadID string         `json:"thread_id"`
	Versions []fold.Version `json:"versions"`
}

func (a *API) listVersions(ctx context.Context, _ Caller, in threadPath) (versionList, error) {
	of, err := a.deps.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return versionList{}, err
	}
	list, err := of.History(ctx)
	return versionList{in.Thread, protocol.NonNil(list)}, err
}

type diffQuery struct {
	Thread string `path:"thread"`
	From   *int   `query:"from" about:"the earlier version; 0 is the empty artifact"`
	To     *int   `query:"to" about:"the later version; the latest unless said"`
}

func (a *API) showDiff(ctx context.Context, _ Caller, in diffQuery) (diff.Report, error) {
	of, err := a.deps.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return diff.Report{}, err
	}
	d, from, to, err := of.Diff(ctx, session.DiffRequest{From: in.From, To: in.To})
	if err != nil {
		return diff.Report{}, err
	}
	return d.Report(from, to), nil
}

type blameQuery struct {
	Thread  string `path:"thread"`
	Item    string `query:"item" about:"H2, or H2.claim; everything unless said"`
	Version int    `query:"version" about:"which version; the latest unless said"`
}

type blame struct {
	ThreadID string      `json:"thread_id"`
	Fields   []diff.Line `json:"fields"`
}

func (a *API) showBlame(ctx context.Context, _ Caller, in blameQuery) (blame, error) {
	of, err := a.deps.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return blame{}, err
	}
	lines, err := of.Blame(ctx, in.Version, in.Item)
	return blame{in.Thread, protocol.NonNil(lines)}, err
}

func (a *API) showLint(ctx context.Context, _ Caller, in threadPath) (lint.Report, error) {
	of, err := a.deps.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return lint.Report{}, err
	}
	out, err := of.Preview(ctx)
	return out.Lint, err
}

type diagnosisQuery struct {
	Thread string `path:"thread"`
	Fix    bool   `query:"fix" about:"with the repaired deltas"`
}

func (a *API) showDiagnosis(ctx context.Context, _ Caller, in diagnosisQuery) (session.Diagnosis, error) {
	mode := session.NoRepair
	if in.Fix {
		mode = session.ShowRepairs
	}
	return a.deps.Sessions.Diagnose(ctx, in.Thread, mode)
}
