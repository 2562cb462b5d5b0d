package config

import (
	"os"
	"path/filepath"
	"strings"

	"brenner/internal/protocol"
)

// Find looks for a project file from dir up to root, nearest folder first. It returns "" if
// there is none, and AMBIGUOUS_CONFIG if one folder holds two (PROTOCOL 12).
func Find(dir, root string) (string, error) {
	for {
		found := inFolder(dir)
		if len(found) > 1 {
			return "", ambiguous(dir, found)
		}
		if len(found) == 1 {
			return filepath.Join(dir, found[0]), nil
		}
		parent := filepath.Dir(dir)
		if dir == root || parent == dir || !strings.HasPrefix(dir, root) {
			return "", nil
		}
		dir = parent
	}
}

func inFolder(dir string) []string {
	var found []string
	for _, name := range fileNames {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			found = append(found, name)
		}
	}
	return found
}

func ambiguous(dir string, names []string) error {
	list := strings.Join(names, " and ")
	return protocol.Errorf(protocol.AmbiguousConfig, "%s holds %s; only one can be the project file", dir, list).
		WithFindings([]protocol.Finding{
			protocol.NewFinding(protocol.AmbiguousConfig, "%s stand in one folder", list).
				WithFix("keep one of %s in %s", list, dir),
		})
}

// UserFile is the file of a person's own defaults (XDG).
func UserFile() (string, bool) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", false
	}
	path := filepath.Join(dir, "brenner", "config.yaml")
	_, err = os.Stat(path)
	return path, err == nil
}
