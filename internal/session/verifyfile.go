package session

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"brenner/internal/artifact/markdown"
	"brenner/internal/canon"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// VerifiedFile is an artifact that people read, held against the version that it names (PROTOCOL 14).
type VerifiedFile struct {
	Path     string  `json:"path"`
	At       string  `json:"at"` // where it lies: in the work tree, or at HEAD
	ThreadID string  `json:"thread_id"`
	Version  int     `json:"version"`
	State    Match   `json:"state"`
	Reason   *string `json:"reason"` // why it does not match; null: it does
}

// Match says what a comparison came to.
type Match string

// What a comparison can come to.
const (
	Matches Match = "matches"
	Differs Match = "differs"
	Unknown Match = "unknown" // there is nothing to compare with
)

// The places where the file of a thread may lie.
const (
	inWorkTree = "work tree"
	atHead     = "HEAD"
)

// published are the hashes of the versions of a thread, and the messages that published them.
type published map[int]provenVersion

type provenVersion struct {
	hash    canon.Hash
	message int64 // by its origin id
}

// verifyFiles holds the file of a thread, in the work tree and at HEAD, against the version that it names. What cannot be read is told.
func (s *Sessions) verifyFiles(ctx context.Context, threadID string, versions published) (files []VerifiedFile, differ,
	told []protocol.Finding) {
	if s.tree == nil {
		return nil, nil, nil
	}
	name := message.ArtifactPath(threadID)
	for _, place := range []struct {
		at   string
		read func() ([]byte, bool, error)
	}{
		{inWorkTree, func() ([]byte, bool, error) { return s.tree.Read(name) }},
		{atHead, func() ([]byte, bool, error) { return s.tree.AtHead(ctx, name) }},
	} {
		text, there, err := place.read()
		if err != nil {
			f := protocol.NewFinding(protocol.NotVerifiable, "%s (%s) was not compared: %v", name, place.at, err)
			told = append(told, f)
			files = append(files, VerifiedFile{Path: name, At: place.at, ThreadID: threadID, State: Unknown, Reason: &f.Message})
			continue
		}
		if !there {
			continue
		}
		version, reason := versions.differs(threadID, string(text))
		file := VerifiedFile{Path: name, At: place.at, ThreadID: threadID, Version: version, State: Matches}
		if reason != "" {
			f := differsFinding(name+" ("+place.at+")", reason)
			file.State, file.Reason = Differs, &f.Message
			differ = append(differ, f)
		}
		files = append(files, file)
	}
	return files, differ, told
}

func differsFinding(name, reason string) protocol.Finding {
	return protocol.NewFinding(protocol.ArtifactDiffers, "%s %s", name, reason)
}

// differs says which version a text names, and why it is not that version; empty: it is. Line ends of another system, and an
// older version than the latest, are no difference.
func (p published) differs(threadID, text string) (version int, reason string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	doc, outline, _ := markdown.Parse(text)
	version = doc.Metadata.Version
	if !outline.FrontMatter.Present {
		return 0, "cannot be read as an artifact"
	}
	if doc.Metadata.SessionID != threadID {
		return version, fmt.Sprintf("says that it belongs to %s, not to %s", protocol.Brief(doc.Metadata.SessionID), threadID)
	}
	known, ok := p[version]
	hash, err := doc.Artifact.Hash()
	switch {
	case !ok:
		return version, fmt.Sprintf("names v%d, which the thread does not have", version)
	case err != nil || hash != known.hash:
		return version, fmt.Sprintf("does not say what v%d says: it was edited", version)
	case doc.Metadata.ArtifactHash != "" && doc.Metadata.ArtifactHash != hash.String():
		return version, fmt.Sprintf("names another artifact_hash than that of v%d", version)
	case doc.Metadata.AgentMailMessageID != 0 && doc.Metadata.AgentMailMessageID != known.message:
		return version, fmt.Sprintf("names another message than the one that published v%d", version)
	case markdown.Render(doc) != text:
		return version, fmt.Sprintf("says more than v%d, or in other words: it was edited", version)
	}
	return version, ""
}

// VerifyText holds the text of an artifact against the thread of the project that it names. False: the project has no such
// thread.
func (s *Sessions) VerifyText(ctx context.Context, name, text string) ([]protocol.Finding, bool, error) {
	doc, _, _ := markdown.Parse(text)
	thread, err := s.mail.Thread(ctx, doc.Metadata.SessionID)
	if protocol.CodeOf(err) == protocol.NotFound || err == nil && thread.Archived() {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	v, versions, err := s.prove(ctx, thread.ID)
	if err != nil {
		return nil, false, err
	}
	if v.FirstBad != nil {
		return nil, true, protocol.Errorf(protocol.ChainBroken, "%s cannot be held against %s: message %d does not match: %s",
			name, thread.ID, v.FirstBad.Message, v.FirstBad.Reason).WithFindings(v.Findings)
	}
	if _, reason := versions.differs(thread.ID, text); reason != "" {
		return []protocol.Finding{differsFinding(name, reason)}, true, nil
	}
	return nil, true, nil
}

// strays are files among the artifacts that belong to no thread of the project: nothing can be said of them.
func (s *Sessions) strays(known []string) ([]VerifiedFile, error) {
	if s.tree == nil {
		return nil, nil
	}
	paths, err := s.tree.List(path.Dir(message.ArtifactPath("T")))
	if err != nil {
		return nil, err
	}
	var list []VerifiedFile
	for _, name := range paths {
		if path.Ext(name) != ".md" || slices.ContainsFunc(known, func(id string) bool { return message.ArtifactPath(id) == name }) {
			continue
		}
		text, _, err := s.tree.Read(name)
		if err != nil {
			return nil, err
		}
		doc, _, _ := markdown.Parse(string(text))
		reason := "it belongs to no thread of the project: nothing can be compared"
		list = append(list, VerifiedFile{Path: name, At: inWorkTree, ThreadID: doc.Metadata.SessionID, Version: doc.Metadata.Version,
			State: Unknown, Reason: &reason})
	}
	return list, nil
}
