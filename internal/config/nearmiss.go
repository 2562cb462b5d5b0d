package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// NearMisses warns of files that look like a project file but have a name that nothing reads, in the
// folders that Find looks into.
func NearMisses(dir, root string) []protocol.Finding {
	var findings []protocol.Finding
	for {
		entries, _ := os.ReadDir(dir) // a folder that cannot be listed has nothing to say
		for _, e := range entries {
			if meant, ok := nearMiss(e.Name()); ok && !e.IsDir() {
				findings = append(findings, protocol.NewFinding(protocol.UnknownConfigFile, "%s is not read", filepath.Join(dir, e.Name())).
					WithFix("rename it to %s", meant))
			}
		}
		parent := filepath.Dir(dir)
		if len(inFolder(dir)) > 0 || dir == root || parent == dir || !strings.HasPrefix(dir, root) {
			return findings
		}
		dir = parent
	}
}

// nearMiss finds the name that was meant by another one: a different ending, or another case.
func nearMiss(name string) (string, bool) {
	if slices.Contains(fileNames, name) {
		return "", false
	}
	lower := strings.ToLower(name)
	if i := slices.Index(fileNames, lower); i >= 0 {
		return fileNames[i], true
	}
	ending := filepath.Ext(lower)
	switch strings.TrimSuffix(lower, ending) {
	case "brenner.config", "brenner-config", "brenner_config", "brennerconfig", "brenner.conf", "brenner", ".brennerrc", ".brenner",
		"brennerrc", "", "brenner.confg":
	default:
		return "", false
	}
	switch ending {
	case ".yml", ".yaml":
		return "brenner.config.yaml", true
	case ".json", ".jsonc", ".json5":
		return "brenner.config.json", true
	case ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs":
		return "brenner.config.ts", true
	case ".brenner_rc", ".brenner-rc":
		return ".brennerrc", true
	}
	return "brenner.config.yaml", lower == "brenner.config.toml" || lower == "brenner.config" || lower == "brennerrc"
}
