package usecase

import (
	"context"
	"strings"

	"brenner/internal/artifact/markdown"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// CompileRequest asks to fold a thread and to publish its next version (PROTOCOL 10).
type CompileRequest struct {
	Thread  string `path:"thread" json:"-"`
	As      string `json:"as" actor:"true" about:"who compiles; the caller unless said"`
	DryRun  bool   `json:"dry_run" about:"publish and write nothing"`
	Strict  bool   `json:"strict" about:"refuse lint errors, and publish nothing then"`
	Summary string `json:"summary" word:"TEXT" about:"what changed, in a TEXT of a few words; made from the changes unless said"`
	Persist bool   `json:"persist" without:"tool" about:"write the latest version to its file"`
	Commit  bool   `json:"commit" without:"tool" needs:"persist" about:"commit the file that was written, and nothing else"`
	Force   bool   `json:"force" without:"tool" needs:"persist" about:"overwrite a file that is newer or was edited"`
}

// Dry tells whether nothing is to be published.
func (r CompileRequest) Dry() bool { return r.DryRun }

// Compiled is what compiling came to.
type Compiled struct {
	session.Outcome
	DryRun   bool    `json:"dry_run"`
	Markdown *string `json:"markdown"` // of a dry run: what would be published
}

// Compile folds a thread and publishes its next version.
var Compile = declare(Case{
	Name: "compile", Command: "compile", Page: "/t/{thread}", Effect: Governs,
	About: "Fold a thread's deltas into its artifact and publish the next version, if a delta was applied. dry_run publishes nothing.",
}, func(ctx context.Context, at At, in CompileRequest) (Compiled, error) {
	if in.DryRun {
		return preview(ctx, at, in)
	}
	out, err := at.Sessions.Compile(ctx, session.CompileRequest{
		ThreadID: in.Thread, As: in.As, Summary: in.Summary, Strict: in.Strict, Persist: in.Persist, Commit: in.Commit, Force: in.Force,
	})
	return Compiled{Outcome: out}, err
})

// preview tells what publishing would come to.
func preview(ctx context.Context, at At, in CompileRequest) (Compiled, error) {
	of, err := at.Sessions.Session(ctx, in.Thread)
	if err != nil {
		return Compiled{}, err
	}
	out, err := of.Preview(ctx)
	if err != nil {
		return Compiled{}, err
	}
	text := markdown.Render(out.Document)
	if in.Strict {
		err = out.Passes()
	}
	return Compiled{out, true, &text}, err
}

// PersistRequest asks to write the latest version to its file.
type PersistRequest struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" actor:"true" about:"who persists; the caller unless said"`
	Commit bool   `json:"commit" about:"commit the file, and nothing else"`
	Force  bool   `json:"force" about:"overwrite a file that is newer or was edited"`
}

// Persisted is what became of the file.
type Persisted struct {
	ThreadID    string              `json:"thread_id"`
	Version     int                 `json:"version"`
	Persistence session.Persistence `json:"persistence"`
	Findings    []protocol.Finding  `json:"findings"`
}

// Persist writes the latest version to its file.
var Persist = declare(Case{
	Name: "persist", Command: "persist", Page: "/t/{thread}", Effect: Governs, Untold: decides,
	About: "Write the latest version to its file, and commit that file if asked.",
}, func(ctx context.Context, at At, in PersistRequest) (Persisted, error) {
	written, err := at.Sessions.Persist(ctx, session.PersistRequest{ThreadID: in.Thread, As: in.As, Commit: in.Commit, Force: in.Force})
	if err != nil {
		return Persisted{}, err
	}
	thread, err := at.Sessions.Mail().Thread(ctx, in.Thread)
	return Persisted{in.Thread, thread.LatestVersion, written, protocol.NonNil(written.Findings)}, err
})

// CompleteRequest asks to close a session.
type CompleteRequest struct {
	Thread        string `path:"thread" json:"-"`
	As            string `json:"as" actor:"true" about:"who closes it; the caller unless said"`
	Commit        bool   `json:"commit" about:"commit the file, and nothing else"`
	Force         string `json:"force" word:"REASON" about:"complete in spite of open problems, for this REASON"`
	RequireReview bool   `json:"require_review" about:"refuse while a surviving hypothesis is not reviewed"`
}

// Complete closes a session.
var Complete = declare(Case{
	Name: "complete", Command: "session complete", Page: "/t/{thread}", Effect: Governs, Untold: decides,
	About: "Compile what is pending, persist it and close the session.",
}, func(ctx context.Context, at At, in CompleteRequest) (session.Completed, error) {
	if in.Force != "" && strings.TrimSpace(in.Force) == "" {
		return session.Completed{}, protocol.Errorf(protocol.Usage, "force wants a reason")
	}
	return at.Sessions.Complete(ctx, session.CompleteRequest{
		ThreadID: in.Thread, As: in.As, Commit: in.Commit, Force: in.Force, RequireReview: in.RequireReview,
	})
})
