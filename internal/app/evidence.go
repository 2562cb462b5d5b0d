package app

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"sync"

	"brenner/internal/projectfs"
	"brenner/protocol"
)

const evidenceFolder = "evidence"

// Bounds of one file of the pack. Of a larger one the id is known and its excerpts are not.
const (
	maxEvidenceBytes = 64 << 20
	maxExcerpts      = 10_000
)

var (
	evidenceName    = regexp.MustCompile(`^(EV-[0-9]+)(?:[.-].*)?$`)
	evidenceExcerpt = regexp.MustCompile(`^[#>*\s-]*(E[0-9]+)\b`)
)

// evidence is the evidence pack of a project: files evidence/EV-001.md and so on, whose lines
// E1, E2, … are excerpts that can be cited as EV-001#E1. Files are read when somebody cites from
// them. Safe for concurrent use.
type evidence struct {
	folder projectfs.Folder
	files  map[string][]string // by id

	mu   sync.Mutex
	read map[string][]string // excerpts by id, of what was asked for
}

// openEvidence lists the pack. Without the folder there is none, and nothing is asked of citations.
func openEvidence(root string) (*evidence, []protocol.Finding) {
	e := &evidence{folder: projectfs.At(root), files: map[string][]string{}, read: map[string][]string{}}
	entries, err := e.folder.List(evidenceFolder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		f := protocol.NewFinding(protocol.CodeOf(err), "the evidence folder is not used: %v", err)
		return nil, []protocol.Finding{f.As(protocol.SeverityWarning).WithFix("make evidence a folder of the project")}
	}
	for _, entry := range entries {
		if m := evidenceName.FindStringSubmatch(entry.Name()); m != nil {
			e.files[m[1]] = append(e.files[m[1]], path.Join(evidenceFolder, entry.Name()))
		}
	}
	return e, nil
}

// excerpts returns the excerpts of an id; none if its parts cannot be told. The second result is
// false if the pack has no such id.
func (e *evidence) excerpts(id string) ([]string, bool) {
	files, ok := e.files[id]
	if !ok {
		return nil, false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	found, done := e.read[id]
	if !done {
		for _, name := range files {
			found = append(found, e.excerptsOf(name)...)
		}
		e.read[id] = found
	}
	return found, true
}

func (e *evidence) excerptsOf(name string) []string {
	f, err := e.folder.Open(name)
	if err != nil {
		return nil // the id exists
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > maxEvidenceBytes {
		return nil
	}
	return excerptIDs(io.LimitReader(f, maxEvidenceBytes))
}

// excerptIDs reads the ids at the beginning of lines; none of what is not text.
func excerptIDs(r io.Reader) []string {
	in := bufio.NewReaderSize(r, 1<<16)
	var ids []string
	seen := map[string]bool{}
	for begins := true; ; {
		part, more, err := in.ReadLine()
		if err != nil {
			return ids
		}
		if bytes.IndexByte(part, 0) >= 0 || len(ids) > maxExcerpts {
			return nil
		}
		if m := evidenceExcerpt.FindSubmatch(part); begins && m != nil && !seen[string(m[1])] {
			seen[string(m[1])] = true
			ids = append(ids, string(m[1]))
		}
		begins = !more
	}
}
