package usecase

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

// Status says where a session stands.
var Status = declare(Case{
	Name: "status", Command: "session status", Path: "/sessions/{thread}", Page: "/t/{thread}", Within: "brenner_status",
	About: "The state of a session.",
}, func(ctx context.Context, at At, _ OfThread) (session.Status, error) {
	return at.Session.Status(ctx)
})

// ArtifactRequest names a version and how it is wanted.
type ArtifactRequest struct {
	Thread  string `path:"thread"`
	Version *int   `query:"version" about:"which version; the latest unless said"`
	Format  string `query:"format" choices:"json,md" about:"json, or md for the Markdown in the key markdown"`
}

// ArtifactAnswer is a version of the artifact: its sections, or its Markdown.
type ArtifactAnswer struct {
	Metadata artifact.Metadata  `json:"metadata"`
	Sections *artifact.Artifact `json:"sections,omitempty"`
	Markdown *string            `json:"markdown,omitempty"`

	Document artifact.Document `json:"-"`
}

// Artifact shows a published version. Where the log does not have the thread, its persisted file answers.
var Artifact = declare(Case{
	Name: "artifact", Command: "artifact show", Within: "brenner_artifact", Itself: true,
	Page:  "/t/{thread}/v/{n}, /t/{thread}/draft, /t/{thread}/map, /t/{thread}/card, /t/{thread}/cell",
	About: "A published version of the artifact; the latest if none is named.",
}, func(ctx context.Context, at At, in ArtifactRequest) (ArtifactAnswer, error) {
	doc, err := at.Sessions.Document(ctx, in.Thread, or(in.Version, 0))
	if err != nil {
		return ArtifactAnswer{}, err
	}
	answer := ArtifactAnswer{Metadata: doc.Metadata, Document: doc}
	if in.Format == "md" {
		text := markdown.Render(doc)
		answer.Markdown = &text
	} else {
		answer.Sections = doc.Artifact
	}
	return answer, nil
})

func or(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

// HistoryAnswer lists versions.
type HistoryAnswer struct {
	ThreadID string         `json:"thread_id"`
	Versions []fold.Version `json:"versions"`
}

// History lists the published versions.
var History = declare(Case{
	Name: "history", Command: "artifact history", Page: "/t/{thread}",
	About: "The published versions, oldest first: when, by whom, and what each changed.",
}, func(ctx context.Context, at At, _ OfThread) (HistoryAnswer, error) {
	list, err := at.Session.History(ctx)
	return HistoryAnswer{at.Session.ID(), protocol.NonNil(list)}, err
})

// DiffRequest names two versions.
type DiffRequest struct {
	Thread string `path:"thread"`
	From   *int   `query:"from" argument:"N" about:"the earlier version; 0 is the empty artifact"`
	To     *int   `query:"to" argument:"M" about:"the later version; the latest unless said"`
}

// DiffAnswer says what changed, as data and as text.
type DiffAnswer struct {
	diff.Report
	Text string `json:"-"`
}

// Diff says what changed between two versions, and by whom.
var Diff = declare(Case{
	Name: "diff", Command: "artifact diff", Page: "/t/{thread}/diff",
	About: "What changed between two versions, and by whom; by default the latest against the one before it.",
}, func(ctx context.Context, at At, in DiffRequest) (DiffAnswer, error) {
	d, from, to, err := at.Session.Diff(ctx, session.DiffRequest{From: in.From, To: in.To})
	if err != nil {
		return DiffAnswer{}, err
	}
	return DiffAnswer{d.Report(from, to), d.Text()}, nil
})

// BlameRequest names what was written.
type BlameRequest struct {
	Thread  string `path:"thread"`
	Item    string `query:"item" argument:"ITEM" about:"H2, H2.claim or P1.H2; everything unless said"`
	Version *int   `query:"version" about:"which version; the latest unless said"`
}

// BlameAnswer lists fields with who wrote them.
type BlameAnswer struct {
	ThreadID string      `json:"thread_id"`
	Fields   []diff.Line `json:"fields"`
}

// Blame says who wrote each field of a version.
var Blame = declare(Case{
	Name: "blame", Command: "artifact blame", Page: "/t/{thread}/v/{n}",
	About: "Who wrote each field of a version, in which message, and why.",
}, func(ctx context.Context, at At, in BlameRequest) (BlameAnswer, error) {
	lines, err := at.Session.Blame(ctx, or(in.Version, 0), in.Item)
	return BlameAnswer{at.Session.ID(), protocol.NonNil(lines)}, err
})

// Lint judges what a thread folds to now.
var Lint = declare(Case{
	Name: "lint", Command: "lint", Page: "/t/{thread}/draft", Within: "brenner_compile",
	About: "What lint says about what the thread folds to now.",
}, func(ctx context.Context, at At, _ OfThread) (lint.Report, error) {
	out, err := at.Session.Preview(ctx)
	return out.Lint, err
})

// DiagnoseRequest may ask for repairs.
type DiagnoseRequest struct {
	Thread string `path:"thread"`
	Fix    bool   `query:"fix" about:"show repaired deltas"`
}

// Diagnose says which messages compile. It folds the log anew.
var Diagnose = declare(Case{
	Name: "diagnose", Command: "diagnose", Page: "/t/{thread}/diagnose", Itself: true,
	About: "Which messages compile, which do not, and why.",
}, func(ctx context.Context, at At, in DiagnoseRequest) (session.Diagnosis, error) {
	mode := session.NoRepair
	if in.Fix {
		mode = session.ShowRepairs
	}
	return at.Sessions.Diagnose(ctx, in.Thread, mode)
})

// Reading lists the declared reads of a session beside those of the science and of the queue.
func Reading() []*Case {
	return []*Case{Status.Case, Artifact.Case, History.Case, Diff.Case, Blame.Case, Lint.Case, Diagnose.Case}
}
