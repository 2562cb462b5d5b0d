package session

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/artifact/markdown"
	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// PersistState is how far an artifact has come: it is measured from file and git, never
// stored (PROTOCOL 10).
type PersistState string

// The states.
const (
	Draft     PersistState = "Draft"     // no file, or a file of another version
	Pending   PersistState = "Pending"   // written, not committed
	Persisted PersistState = "Persisted" // committed
)

// Persistence is the state of a version's file.
type Persistence struct {
	State  PersistState `json:"state"`
	Path   string       `json:"path"`
	Commit *string      `json:"commit"`
	// Findings are what was noticed while it was written. Answers list them beside their own.
	Findings []protocol.Finding `json:"-"`
}

// PersistRequest says what is to be written.
type PersistRequest struct {
	ThreadID string
	As       string
	Commit   bool
	Force    bool // overwrite a file that is newer, or that a person edited
	Closing  bool // the session is being completed: the file says so
}

// Persist writes the latest published version to its file and, if asked, commits that file
// alone. Each change of state is announced on the thread.
func (s *Sessions) Persist(ctx context.Context, req PersistRequest) (Persistence, error) {
	if err := s.persistable(ctx, req); err != nil {
		return Persistence{State: Draft, Path: message.ArtifactPath(req.ThreadID)}, err
	}
	of, err := s.Session(ctx, req.ThreadID)
	if err != nil {
		return Persistence{State: Draft, Path: message.ArtifactPath(req.ThreadID)}, err
	}
	return s.persist(ctx, of.View, req)
}

// persistable checks what a request needs before anything is looked at.
func (s *Sessions) persistable(ctx context.Context, req PersistRequest) error {
	if s.tree == nil {
		return protocol.Errorf(protocol.NotAllowed, "there is no project folder to write to")
	}
	if !req.Commit {
		return nil
	}
	return s.committable(ctx, req.ThreadID, req.As)
}

// persist is Persist for a caller that has the thread's view.
func (s *Sessions) persist(ctx context.Context, v *fold.View, req PersistRequest) (Persistence, error) {
	p := Persistence{State: Draft, Path: message.ArtifactPath(req.ThreadID)}
	if err := s.persistable(ctx, req); err != nil {
		return p, err
	}
	m, err := s.latestCompiled(ctx, v)
	if err != nil {
		return p, err
	}
	published, err := s.at(ctx, v, m.Version)
	if err != nil {
		return p, err
	}
	told, err := s.provable(ctx, published, &m)
	if err != nil {
		return p, err
	}
	doc := fileOf(published, &m)
	if req.Closing || v.Complete() {
		doc.Metadata.Status = artifact.StatusClosed
	}
	there := s.fileAt(p.Path)
	before, err := s.stateOfFile(ctx, there, doc)
	if err != nil {
		return p, err
	}
	if err := s.write(ctx, v, req, there, doc); err != nil {
		return before, err
	}
	var made Commit
	if req.Commit {
		if made, err = s.tree.Commit(ctx, p.Path, req.As, s.commitMessage(ctx, m)); err != nil {
			return p, err
		}
	}
	after, err := s.committed(ctx, p.Path) // it holds the version now
	after.Findings = told
	if made.StandIn != "" {
		after.Findings = append(after.Findings,
			protocol.NewFinding(protocol.GitIdentity, "Git does not know who commits here: the commit is by %s.", made.StandIn))
	}
	if err != nil || after.State == before.State {
		return after, err
	}
	return after, s.announce(ctx, v, req.As, message.Persisted(m.Version, p.Path, value(after.Commit)))
}

// provable refuses to write a version that its message does not hold (PROTOCOL 10: the rules AP are
// checked on persist, too), and returns what is only to be told.
func (s *Sessions) provable(ctx context.Context, v *fold.View, m *mail.Message) ([]protocol.Finding, error) {
	hash, err := v.Hash()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "the artifact cannot be hashed: %w", err)
	}
	status, err := s.store().Status(ctx)
	if err != nil {
		return nil, err
	}
	judged := *m
	judged.Imported = m.Imported || !status.Atomic // another program's store keeps no hashes
	findings := judgeVersion(&judged, v.Fold.Before(m.Version), hash)
	if protocol.HasErrors(findings) {
		return nil, protocol.Errorf(protocol.ValidationFailed, "v%d of %s is not what its message says: %s: %s",
			m.Version, m.ThreadID, findings[0].Code, findings[0].Message).WithFindings(findings)
	}
	return findings, nil
}

// fileOf is what the file of a published version says: what the message holds, with the
// message's own id and chain hash in the front matter.
func fileOf(published *fold.View, m *mail.Message) artifact.Document {
	doc := published.Document()
	doc.Metadata.AgentMailMessageID, doc.Metadata.ChainHash = m.OriginID(), m.ChainHash.String()
	return doc
}

// committable fails if the file of a thread cannot be committed: everything that a commit needs
// is checked before anything is published or written (PROTOCOL 10).
func (s *Sessions) committable(ctx context.Context, threadID, as string) error {
	if s.tree == nil {
		return protocol.Errorf(protocol.NotAllowed, "there is no project folder to write to")
	}
	return s.tree.Committable(ctx, message.ArtifactPath(threadID), as)
}

// latestCompiled is the COMPILED message with the highest version.
func (s *Sessions) latestCompiled(ctx context.Context, v *fold.View) (mail.Message, error) {
	if v.Latest() == 0 {
		return mail.Message{}, noArtifact(v.Fold.ThreadID())
	}
	m, err := s.mail.Message(ctx, v.Publication())
	m.Version = v.Latest()
	return m, err
}

func noArtifact(threadID string) error {
	return protocol.Errorf(protocol.NotFound, "No artifact found for thread %s", threadID)
}

func (s *Sessions) compiledMessages(ctx context.Context, threadID string) ([]mail.Message, error) {
	found, err := s.store().Messages(ctx, mail.MessageQuery{
		Project: s.project(), Thread: threadID, Types: []protocol.MessageType{protocol.TypeCompiled},
	})
	if err != nil {
		return nil, err
	}
	var versions []mail.Message
	for _, m := range found {
		if m.Version > 0 {
			versions = append(versions, m)
		}
	}
	return versions, nil
}

// write replaces the file unless it is what it should be.
func (s *Sessions) write(ctx context.Context, v *fold.View, req PersistRequest, there *artifactFile, doc artifact.Document) error {
	text := markdown.Render(doc)
	if there.err != nil || there.exists && there.text == text {
		return there.err
	}
	if err := s.writable(ctx, v, req, there, doc); err != nil {
		return err
	}
	return s.tree.Write(there.path, []byte(text))
}

// artifactFile is a file as it was read, once.
type artifactFile struct {
	path   string
	text   string
	exists bool
	err    error
	parsed func() parsedFile
}

// parsedFile is the artifact in a file, with its hash.
type parsedFile struct {
	artifact.Document
	hash canon.Hash
	err  error // it has none
}

func (s *Sessions) fileAt(path string) *artifactFile {
	f := &artifactFile{path: path}
	var data []byte
	data, f.exists, f.err = s.tree.Read(path)
	f.text = string(data)
	f.parsed = sync.OnceValue(func() parsedFile {
		doc, _, _ := markdown.Parse(f.text)
		hash, err := doc.Artifact.Hash()
		return parsedFile{doc, hash, err}
	})
	return f
}

// holds tells whether the file holds a version.
func (f *artifactFile) holds(doc artifact.Document) bool {
	if f.err != nil || !f.exists {
		return false
	}
	p := f.parsed()
	return p.err == nil && p.Metadata.Version == doc.Metadata.Version && p.hash.String() == doc.Metadata.ArtifactHash
}

// stateOf measures the file against a version: it is that version if number and sections are
// the same, whatever else of the front matter has moved on. What cannot be read holds no version;
// writing it says why.
func (s *Sessions) stateOf(ctx context.Context, path string, doc artifact.Document) (Persistence, error) {
	if s.tree == nil {
		return Persistence{State: Draft, Path: path}, nil
	}
	return s.stateOfFile(ctx, s.fileAt(path), doc)
}

func (s *Sessions) stateOfFile(ctx context.Context, f *artifactFile, doc artifact.Document) (Persistence, error) {
	if !f.holds(doc) {
		return Persistence{State: Draft, Path: f.path}, nil
	}
	return s.committed(ctx, f.path)
}

// committed tells how far a file that holds its version has come into the history.
func (s *Sessions) committed(ctx context.Context, path string) (Persistence, error) {
	p := Persistence{State: Pending, Path: path}
	state, err := s.tree.State(ctx, path)
	if err == nil && state.Committed {
		p.State, p.Commit = Persisted, &state.Commit
	}
	return p, err
}

// writable refuses to overwrite a newer file, or one that is none of this thread's versions:
// a person's edit, or a clone that knows more than this store (PROTOCOL 10).
func (s *Sessions) writable(ctx context.Context, v *fold.View, req PersistRequest, f *artifactFile, doc artifact.Document) error {
	if !f.exists || req.Force {
		return nil
	}
	there, forced := f.parsed(), protocol.OnThread("persist", v.Fold.ThreadID()).Giving("force")
	if there.Metadata.Version > doc.Metadata.Version {
		return protocol.Errorf(protocol.Conflict, "%s holds v%d, which is newer than v%d of this thread; force overwrites it",
			f.path, there.Metadata.Version, doc.Metadata.Version).Doing(forced)
	}
	if there.err != nil {
		return protocol.Errorf(protocol.Conflict, "%s cannot be read as an artifact; force overwrites it: %w", f.path, there.err).
			Doing(forced)
	}
	known, err := s.publishedHash(ctx, v, there.Metadata.Version, there.hash)
	if err != nil || known {
		return err
	}
	return protocol.Errorf(protocol.Conflict, "%s says v%d but holds none of this thread's versions (the latest is v%d): it was edited, "+
		"or comes from elsewhere; force overwrites it",
		f.path, there.Metadata.Version, doc.Metadata.Version).Doing(forced)
}

// publishedHash tells whether one of the thread's versions has a hash: as a rule the one with the number that the
// file says, so that the others are not loaded.
func (s *Sessions) publishedHash(ctx context.Context, v *fold.View, version int, hash canon.Hash) (bool, error) {
	if claimed, ok := v.Fold.Version(version); ok {
		if m, err := s.mail.Message(ctx, claimed.MessageID); err != nil || m.ArtifactHash == hash {
			return err == nil, err
		}
	}
	versions, err := s.compiledMessages(ctx, v.Fold.ThreadID())
	return slices.ContainsFunc(versions, func(m mail.Message) bool { return m.ArtifactHash == hash }), err
}

// commitMessage is artifact({thread_id}): v{N} - {summary}; a bead's title belongs to it.
func (s *Sessions) commitMessage(ctx context.Context, m mail.Message) string {
	text := fmt.Sprintf("artifact(%s): v%d - %s", m.ThreadID, m.Version, message.CompiledSummary(m.Subject))
	if s.settings.Bead != nil && protocol.KindOf(m.ThreadID) == protocol.Engineering {
		if bead, ok := s.settings.Bead(ctx, m.ThreadID); ok {
			text += fmt.Sprintf("\n\nBead: %s (%s)", bead.ID, bead.Title)
		}
	}
	return text
}

// announce posts an INFO message to all participants of the thread.
func (s *Sessions) announce(ctx context.Context, v *fold.View, as string, n message.Notice) error {
	_, err := s.tell(ctx, v, mail.Outgoing{Draft: message.Draft{From: as, Subject: n.Subject, Body: n.Body}})
	return err
}

// measure fills in the state of the file of the outcome's version, the latest of the view.
func (s *Sessions) measure(ctx context.Context, now *fold.View, out *Outcome) error {
	if out.Version == 0 || s.tree == nil {
		return nil
	}
	v, err := s.at(ctx, now, now.Latest())
	if err != nil {
		return err
	}
	out.Persistence, err = s.stateOf(ctx, out.Persistence.Path, v.Document())
	return err
}

func value(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
