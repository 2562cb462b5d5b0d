package config

import (
	"os"

	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// Bounds of what settings name (PROTOCOL 16).
const (
	maxPromptBytes     = 1 << 20
	maxTranscriptBytes = 64 << 20
)

// File is a file that settings name. The zero value names none.
type File struct {
	Path string // absolute
	Root string // the project's folder, which it may not leave; empty in a person's own settings
}

func (f File) open() (*os.File, error) {
	if f.Root == "" {
		return projectfs.OpenFile(f.Path)
	}
	folder := projectfs.At(f.Root)
	name, err := folder.Name(f.Path)
	if err != nil {
		return nil, err
	}
	return folder.Open(name)
}

func (f File) read(limit int64) ([]byte, error) {
	file, err := f.open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return projectfs.ReadAll(file, f.Path, limit)
}

func inside(root, path string) bool {
	_, err := projectfs.At(root).Name(path)
	return err == nil
}

// ReadPrompt returns the text that replaces a role's prompt; empty if the settings name none.
func (c Config) ReadPrompt(role protocol.Role) (string, error) {
	f, ok := c.Prompts[role]
	if !ok {
		return "", nil
	}
	text, err := f.read(maxPromptBytes)
	if err != nil {
		return "", unusable("prompts."+string(role), err)
	}
	return string(text), nil
}

// ReadTranscript returns the text of the transcript; empty if the settings name none.
func (c Config) ReadTranscript() (string, error) {
	if c.Transcript == (File{}) {
		return "", nil
	}
	text, err := c.Transcript.read(maxTranscriptBytes)
	if err != nil {
		return "", unusable("transcript", err)
	}
	return string(text), nil
}

// CheckTranscript tells whether the transcript can be read, without reading it.
func (c Config) CheckTranscript() error {
	if c.Transcript == (File{}) {
		return nil
	}
	f, err := c.Transcript.open()
	if err != nil {
		return unusable("transcript", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxTranscriptBytes {
		return unusable("transcript", protocol.Errorf(protocol.InvalidInput, "%s is larger than 64 MiB", c.Transcript.Path))
	}
	return nil
}

func unusable(key string, err error) error {
	f := protocol.NewFinding(protocol.InvalidConfig, "%s: %v", key, err).In(key).
		WithFix("let %s name a regular file inside the project", key)
	return protocol.Errorf(protocol.InvalidConfig, "%s cannot be read: %w", key, err).WithFindings([]protocol.Finding{f})
}
