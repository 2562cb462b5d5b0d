package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/protocol"
)

func TestEdition(t *testing.T) {
	b := newBench(t)
	b.start()
	if _, err := b.take().Artifact(t.Context(), 0); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("before the first version: %v", err)
	}
	b.send("BlueLake", "DELTA[gpt]: One", hypothesis("Gravity", "It pulls."), 0)
	draft, err := b.take().Proposed()
	if err != nil || draft.Version != 0 || draft.Pending != 1 || len(draft.Changes.Added) != 1 || draft.Lint.Errors == 0 {
		t.Errorf("the draft: version %d, %d pending, %v added, %v", draft.Version, draft.Pending, draft.Changes.Added, err)
	}
	b.compile()
	b.send("BlueLake", "DELTA[gpt]: Two", hypothesis("Light", "It pushes."), 0)
	first, err := b.take().Artifact(t.Context(), 0)
	if err != nil || first.Version != 1 || first.Latest != 1 || first.Pending != 1 ||
		len(first.Document.Artifact.Items(artifact.HypothesisSlate)) != 1 {
		t.Errorf("the latest version: %d of %d, %d pending, %v", first.Version, first.Latest, first.Pending, err)
	}
	b.compile()
	older, err := b.take().Artifact(t.Context(), 1)
	if err != nil || older.Version != 1 || older.Latest != 2 || older.Pending != 0 ||
		len(older.Document.Artifact.Items(artifact.HypothesisSlate)) != 1 {
		t.Errorf("an older version: %d of %d, %v", older.Version, older.Latest, err)
	}
	if _, err := b.take().Artifact(t.Context(), 3); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("a version that is not there: %v", err)
	}
}

// Without any message the persisted file answers (PROTOCOL 10, latest artifact).
func TestEditionOfAFile(t *testing.T) {
	b := newBench(t)
	doc := artifact.Document{Artifact: artifact.New(), Metadata: artifact.Metadata{SessionID: thread, Status: artifact.StatusActive}}
	doc.Artifact.Thread.Set(artifact.Statement, artifact.Text("Why?"))
	if err := os.MkdirAll(filepath.Join(b.dir, "artifacts"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "artifacts", thread+".md"), []byte(markdown.Render(doc)), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := b.Filed(t.Context(), thread)
	if err != nil || e.Version != 0 || e.Document.Artifact.Thread.Text(artifact.Statement) != "Why?" {
		t.Errorf("from the file: %v", err)
	}
	if doc, err := b.Document(t.Context(), thread, 0); err != nil || doc.Artifact.Thread.Text(artifact.Statement) != "Why?" {
		t.Errorf("the document of the file: %v", err)
	}
	if _, err := b.Filed(t.Context(), "RS-20260110-nowhere"); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("no file: %v", err)
	}
}
