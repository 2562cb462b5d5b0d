package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

const (
	// maxDocument is the largest file of lines that is read: how many of them are kept is bounded apart.
	maxDocument = 1 << 30
	// maxArtifact is the largest artifact that is read from a file; an answer of ours has no more (PROTOCOL 16).
	maxArtifact = 16 << 20
)

// isFile tells whether an argument that may be a thread id or a file is a file (CLI contract:
// a path separator, .md, .jsonl, .zip, .eln or "-").
func isFile(arg string) bool {
	return arg == "-" || strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator) ||
		strings.HasSuffix(arg, ".md") || strings.HasSuffix(arg, ".jsonl") || isCrate(arg)
}

// isCrate tells whether an argument names a crate, be it one for lab notebooks.
func isCrate(arg string) bool { return isZip(arg) || strings.HasSuffix(arg, ".eln") }

// isZip tells whether an argument names a crate as sessions are archived in.
func isZip(arg string) bool { return strings.HasSuffix(arg, ".zip") }

// document is an artifact read from a file: Markdown, or the fold of a thread's lines.
type document struct {
	artifact.Document
	name     string
	text     string            // of a Markdown file
	outline  *markdown.Outline // of a Markdown file; nil for a thread
	view     *fold.View        // of a thread; nil for a Markdown file
	findings []protocol.Finding
}

// readDocument reads a file. Stdin is a thread if its first character opens an object.
func (a *app) readDocument(ctx context.Context, path string) (document, error) {
	in, err := a.open(ctx, input{path, maxDocument, protocol.InvalidInput})
	if err != nil {
		return document{}, err
	}
	defer in.close()
	if strings.HasSuffix(path, ".jsonl") || in.opensObject() {
		a.collectLate(in.size)
		return readThread(path, in)
	}
	in.max = maxArtifact
	data, err := in.all()
	if err != nil {
		return document{}, err
	}
	if opensObject(data) {
		return readThread(path, newStream(in.input, bytes.NewReader(data), func() {}))
	}
	if err := markdown.CheckLines(data); err != nil {
		return document{}, err
	}
	doc, outline, findings := markdown.Parse(string(data))
	return document{Document: doc, name: path, text: string(data), outline: &outline, findings: findings}, nil
}

// opensObject tells whether the first character of the input opens an object, as far as that can be seen ahead.
func (s *stream) opensObject() bool {
	head, _ := s.Peek(512)
	return opensObject(head)
}

func opensObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("{"))
}

// readArtifact is readDocument for what must be an artifact: a file in which nothing of one
// can be found is refused.
func (a *app) readArtifact(ctx context.Context, path string) (document, error) {
	d, err := a.readDocument(ctx, path)
	if err != nil || d.outline == nil || d.outline.FrontMatter.Present || len(d.outline.Sections) > 0 {
		return d, err
	}
	return d, protocol.Errorf(protocol.InvalidInput,
		"%q is not an artifact: it has neither front matter nor the heading of a section, such as ## 2. Hypothesis Slate", d.name)
}

// readThread folds the message lines of one thread, in the order in which an import would
// take them.
func readThread(path string, in *stream) (document, error) {
	view, findings, err := session.FoldLines(in)
	if in.err != nil {
		return document{}, in.err
	}
	if err == nil {
		err = verdict("the thread file", findings)
	}
	if err != nil {
		return document{}, err
	}
	return document{Document: view.Document(), name: path, view: view, findings: findings}, nil
}
