package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	evidenceName    = regexp.MustCompile(`^(EV-[0-9]+)(?:[.-].*)?$`)
	evidenceExcerpt = regexp.MustCompile(`(?m)^[#>*\s-]*(E[0-9]+)\b`)
)

// evidence reads the evidence pack of a project: files evidence/EV-001.md and so on, whose
// lines E1, E2, … are excerpts that can be cited as EV-001#E1. Without that folder there is
// none, and nothing is asked of citations.
func evidence(root string) map[string][]string {
	dir := filepath.Join(root, "evidence")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	pack := map[string][]string{}
	for _, e := range entries {
		m := evidenceName.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		pack[m[1]] = append(pack[m[1]], excerpts(filepath.Join(dir, e.Name()))...)
	}
	return pack
}

func excerpts(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil || strings.ContainsRune(string(text), 0) {
		return nil // a picture or the like: the id exists, its parts cannot be told
	}
	var ids []string
	for _, m := range evidenceExcerpt.FindAllStringSubmatch(string(text), -1) {
		ids = append(ids, m[1])
	}
	return ids
}
