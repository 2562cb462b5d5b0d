package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/atomicfile"
	"brenner/internal/canon"
	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// Templates are the command templates of a project file (agents). A checkout that a stranger wrote may name any command there, so they
// run only once a person has trusted them (PROTOCOL 16).
type Templates struct {
	Programs map[string]Agent
	Hash     canon.Hash // of the evaluated agents, RFC 8785
}

// templatesOf reads the templates out of the evaluated agents of a project file.
func templatesOf(evaluated json.RawMessage, programs map[string]Agent) (Templates, error) {
	hash, err := canon.Sum(nil, evaluated)
	return Templates{programs, hash}, err
}

// trustFile is in the person's own settings: which templates of which project that person has trusted.
const trustFile = "trusted.json"

// trusted is what the file holds.
type trusted struct {
	Projects map[string]string `json:"projects"` // folder → hash of its templates
}

// Trusted tells whether this person has trusted the templates of the project in a folder, as they are now. The same words in another
// folder are another matter: a relative path names another program there.
func (t Templates) Trusted(root string) bool {
	kept, _, err := readTrust()
	return len(t.Programs) == 0 || err == nil && kept.Projects[root] == t.Hash.String()
}

// Trust keeps in the person's own settings that the templates of the project in a folder may run.
func (t Templates) Trust(root string) error {
	kept, path, err := readTrust()
	if err != nil {
		return err
	}
	if kept.Projects == nil {
		kept.Projects = map[string]string{}
	}
	kept.Projects[root] = t.Hash.String()
	text, err := json.MarshalIndent(kept, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = atomicfile.Write(path, append(text, '\n'), 0o600)
	}
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "cannot keep what is trusted: %w", err)
	}
	return nil
}

func readTrust() (kept trusted, path string, err error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return kept, "", protocol.Errorf(protocol.NotFound, "there is no folder for your own settings: %w", err)
	}
	path = filepath.Join(dir, "brenner", trustFile)
	text, err := projectfs.ReadFile(path, maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, path, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return trusted{}, path, protocol.Errorf(protocol.InvalidConfig, "%s cannot be read: %w", path, err)
	}
	return kept, path, nil
}
