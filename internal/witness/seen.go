package witness

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/atomicfile"
	"brenner/internal/protocol"
)

// seenFile is where a user's settings keep what that user signed last of each origin.
func seenFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", protocol.Errorf(protocol.Unwritable, "there is no folder for your settings: %w", err)
	}
	return filepath.Join(dir, "brenner", "cosigned.json"), nil
}

// lastSeen is what this user signed last, by origin.
func lastSeen() (map[string]Seen, error) {
	path, err := seenFile()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Seen{}, nil
	}
	seen := map[string]Seen{}
	if err == nil {
		err = json.Unmarshal(data, &seen)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "%s cannot be read: %w", path, err)
	}
	return seen, nil
}

// remember keeps what this user signed last. It is written before the signature leaves: a checkpoint that was not remembered is not signed.
func remember(seen map[string]Seen) error {
	path, err := seenFile()
	if err != nil {
		return err
	}
	data, err := json.Marshal(seen)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = atomicfile.Write(path, append(data, '\n'), 0o600)
	}
	if err != nil {
		return protocol.Errorf(protocol.Unwritable, "cannot write %s: %w", path, err)
	}
	return nil
}
