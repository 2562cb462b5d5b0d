package api

import (
	"context"

	"brenner/internal/artifact/lint"
	"brenner/internal/artifact/markdown"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

type compileRequest struct {
	Thread  string `path:"thread" json:"-"`
	As      string `json:"as" about:"who compiles; the operator unless said"`
	DryRun  bool   `json:"dry_run" about:"publish and write nothing"`
	Strict  bool   `json:"strict" about:"refuse lint errors"`
	Summary string `json:"summary" about:"what changed; made from the changes unless said"`
	Persist bool   `json:"persist" about:"write the latest version to its file"`
	Commit  bool   `json:"commit" about:"and commit that file, nothing else"`
	Force   bool   `json:"force" about:"overwrite a file that is newer or was edited"`
}

// dry tells whether nothing is to be published.
func (r compileRequest) dry() bool { return r.DryRun }

type compiled struct {
	session.Outcome
	DryRun   bool    `json:"dry_run"`
	Markdown *string `json:"markdown"` // of a dry run: what would be published
}

func (a *API) compile(ctx context.Context, who Caller, in compileRequest) (compiled, error) {
	switch {
	case in.Commit && !in.Persist:
		return compiled{}, protocol.Errorf(protocol.Usage, "commit commits what persist writes: give both")
	case in.Force && !in.Persist:
		return compiled{}, protocol.Errorf(protocol.Usage, "force is about the file that persist writes: give both")
	case in.DryRun:
		return a.preview(ctx, in)
	}
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return compiled{}, err
	}
	out, err := a.deps.Sessions.Compile(ctx, session.CompileRequest{
		ThreadID: in.Thread, As: as, Summary: in.Summary, Strict: in.Strict, Persist: in.Persist, Commit: in.Commit, Force: in.Force,
	})
	return compiled{Outcome: out}, err
}

func (a *API) preview(ctx context.Context, in compileRequest) (compiled, error) {
	of, err := a.deps.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return compiled{}, err
	}
	out, err := of.Preview(ctx)
	if err != nil {
		return compiled{}, err
	}
	if in.Strict && !out.Lint.Valid {
		return compiled{}, protocol.Errorf(protocol.ValidationFailed, "the artifact of %s has %d lint errors", in.Thread,
			out.Lint.Summary.Errors).
			WithFindings(violations(out.Lint))
	}
	text := markdown.Render(out.Document)
	return compiled{out, true, &text}, nil
}

func violations(r lint.Report) []protocol.Finding {
	list := make([]protocol.Finding, len(r.Violations))
	for i, v := range r.Violations {
		list[i] = v.Finding
	}
	return list
}

type persistRequest struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" about:"who persists; the operator unless said"`
	Commit bool   `json:"commit" about:"commit the file, nothing else"`
	Force  bool   `json:"force" about:"overwrite a file that is newer or was edited"`
}

type persisted struct {
	ThreadID    string              `json:"thread_id"`
	Version     int                 `json:"version"`
	Persistence session.Persistence `json:"persistence"`
	Findings    []protocol.Finding  `json:"findings"`
}

func (a *API) persist(ctx context.Context, who Caller, in persistRequest) (persisted, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return persisted{}, err
	}
	written, err := a.deps.Sessions.Persist(ctx, session.PersistRequest{ThreadID: in.Thread, As: as, Commit: in.Commit, Force: in.Force})
	if err != nil {
		return persisted{}, err
	}
	thread, err := a.deps.Sessions.Mail().Thread(ctx, in.Thread)
	return persisted{in.Thread, thread.LatestVersion, written, protocol.NonNil(written.Findings)}, err
}

type completeRequest struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" about:"who closes it; the operator unless said"`
	Commit bool   `json:"commit" about:"commit the file, nothing else"`
	Force  string `json:"force" about:"the reason why open problems do not stop it"`
}

func (a *API) complete(ctx context.Context, who Caller, in completeRequest) (session.Completed, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return session.Completed{}, err
	}
	return a.deps.Sessions.Complete(ctx, session.CompleteRequest{ThreadID: in.Thread, As: as, Commit: in.Commit, Force: in.Force})
}

type repairRequest struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" about:"who repairs; the operator unless said"`
	DryRun bool   `json:"dry_run" about:"post nothing"`
}

// dry tells whether nothing is to be posted.
func (r repairRequest) dry() bool { return r.DryRun }

func (a *API) repair(ctx context.Context, who Caller, in repairRequest) (session.Diagnosis, error) {
	d, err := a.deps.Sessions.Diagnose(ctx, in.Thread, session.ShowRepairs)
	if err != nil || in.DryRun || len(d.Fixes) == 0 {
		return d, err
	}
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return d, err
	}
	return d, a.deps.Sessions.ApplyFixes(ctx, &d, as)
}
