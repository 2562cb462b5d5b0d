package beads_test

import (
	"os"
	"path/filepath"
	"testing"

	"brenner/internal/beads"
)

func TestWithoutBeads(t *testing.T) {
	if _, ok := beads.Open(t.TempDir()); ok {
		t.Fatal("found beads in an empty folder")
	}
}

func TestFindInFiles(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	tracker := open(t, `{"id":"app-1","title":"old","status":"open"}
not json
{"id":"app-12","title":"another","status":"open"}
{"id":"app-1","title":"new","status":"closed","notes":"app-12"}`)
	expect(t, tracker, "app-1", beads.Bead{ID: "app-1", Title: "new", Status: "closed"})
	expect(t, tracker, "app-12", beads.Bead{ID: "app-12", Title: "another", Status: "open"})
	if b, ok := tracker.Find(t.Context(), "app-2"); ok {
		t.Errorf("found %+v", b)
	}
}

func TestFindThroughTheProgram(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\n[ \"$1 $2 $3\" = 'show app-7 --json' ] && echo '[{\"id\":\"app-7\",\"title\":\"from bd\",\"status\":\"open\"}]'\n"
	if err := os.WriteFile(filepath.Join(bin, "bd"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	tracker := open(t, `{"id":"app-8","title":"from the file","status":"open"}`)
	expect(t, tracker, "app-7", beads.Bead{ID: "app-7", Title: "from bd", Status: "open"})
	expect(t, tracker, "app-8", beads.Bead{ID: "app-8", Title: "from the file", Status: "open"})
}

func open(t *testing.T, lines string) beads.Tracker {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".beads"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".beads", "issues.jsonl"), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	tracker, ok := beads.Open(root)
	if !ok {
		t.Fatal("no beads found")
	}
	return tracker
}

func expect(t *testing.T, tracker beads.Tracker, id string, want beads.Bead) {
	t.Helper()
	if got, ok := tracker.Find(t.Context(), id); !ok || got != want {
		t.Errorf("%s is %+v, %v; want %+v", id, got, ok, want)
	}
}
