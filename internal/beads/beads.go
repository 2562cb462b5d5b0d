// Package beads looks up the issues of a repository that tracks its work with beads: through
// the bd program where it is installed, else in the files it keeps.
package beads

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Bead is an issue.
type Bead struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// Tracker reads the beads of one repository.
type Tracker struct {
	root string
}

// askTime is how long bd may take; a tracker that hangs must not hang us.
const askTime = 5 * time.Second

// Open returns the tracker of a repository. The second result is false if it has no beads.
func Open(root string) (Tracker, bool) {
	info, err := os.Stat(filepath.Join(root, ".beads"))
	return Tracker{root}, err == nil && info.IsDir()
}

// Find looks a bead up by its exact id. The second result is false if it does not exist.
func (t Tracker) Find(ctx context.Context, id string) (Bead, bool) {
	if b, ok := t.ask(ctx, id); ok {
		return b, true
	}
	return t.scan(id)
}

// ask runs bd, which prints the bead or a list with that one bead.
func (t Tracker) ask(ctx context.Context, id string) (Bead, bool) {
	program, err := exec.LookPath("bd")
	if err != nil {
		return Bead{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "show", id, "--json")
	cmd.Dir = t.root
	out, err := cmd.Output()
	if err != nil {
		return Bead{}, false
	}
	var list []Bead
	if err := json.Unmarshal(out, &list); err != nil {
		var one Bead
		if json.Unmarshal(out, &one) != nil {
			return Bead{}, false
		}
		list = []Bead{one}
	}
	for _, b := range list {
		if b.ID == id {
			return b, true
		}
	}
	return Bead{}, false
}

// scan reads .beads/*.jsonl; the last line about a bead is the newest.
func (t Tracker) scan(id string) (Bead, bool) {
	files, err := filepath.Glob(filepath.Join(t.root, ".beads", "*.jsonl"))
	if err != nil {
		return Bead{}, false
	}
	var found Bead
	for _, file := range files {
		if b, ok := scanFile(file, id); ok {
			found = b
		}
	}
	return found, found.ID != ""
}

func scanFile(path, id string) (Bead, bool) {
	f, err := os.Open(path)
	if err != nil {
		return Bead{}, false
	}
	defer f.Close()
	var found Bead
	needle, _ := json.Marshal(id)
	lines := bufio.NewReader(f)
	for {
		line, err := lines.ReadBytes('\n')
		var b Bead
		if bytes.Contains(line, needle) && json.Unmarshal(line, &b) == nil && b.ID == id {
			found = b
		}
		if err != nil { // the end, or a file that cannot be read further
			return found, found.ID != "" && errors.Is(err, io.EOF)
		}
	}
}
