package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	project "brenner/internal/app"
)

// TestStoresOfEveryRelease opens a kept store of each schema that was ever released: nothing in it may
// have changed. -update keeps one of the present schema, if there is none, from the demo.
func TestStoresOfEveryRelease(t *testing.T) {
	program, err := exec.LookPath("brenner") // TestMain put this test binary there under that name
	if err != nil {
		t.Fatal(err)
	}
	ours := fixtureName(currentSchema(t))
	if _, err := os.Stat(ours); err != nil && *update {
		keepStore(t, program, ours)
	}
	if _, err := os.Stat(ours); err != nil {
		t.Errorf("no store of the present schema is kept; run go test ./internal/cli -run TestStoresOfEveryRelease -update: %v", err)
	}
	kept, err := filepath.Glob("testdata/stores/*.db.gz")
	if err != nil || len(kept) == 0 {
		t.Fatalf("no kept stores: %v", err)
	}
	for _, path := range kept {
		t.Run(filepath.Base(path), func(t *testing.T) { openKept(t, program, path) })
	}
}

func fixtureName(schema int) string { return fmt.Sprintf("testdata/stores/schema-%d.db.gz", schema) }

func currentSchema(t *testing.T) int {
	t.Helper()
	store, err := project.OpenStore(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "brenner.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	status, err := store.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return status.Schema
}

func keepStore(t *testing.T, program, to string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	expectOK(t, program, ".", "demo", "--dir", dir)
	data, err := os.ReadFile(filepath.Join(dir, ".brenner", "brenner.db"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// openKept checks the store before it is opened, opens it, derives every version again, and reads the
// artifact.
func openKept(t *testing.T, program, path string) {
	dir := t.TempDir()
	unpackStore(t, path, filepath.Join(dir, "brenner.db"))
	store := "sqlite:" + filepath.Join(dir, "brenner.db")
	before := answer[upgradeReport](t, program, dir, "upgrade-check", "--store", store)
	if want := filepath.Base(fixtureName(before.StoreSchema)); want != filepath.Base(path) {
		t.Errorf("schema %d", before.StoreSchema)
	}
	copied := filepath.Join(dir, "copy.db") // a backup of one project becomes this folder's
	expectOK(t, program, dir, "backup", "all.jsonl", "--store", store)
	expectOK(t, program, dir, "restore", "all.jsonl", "--store", "sqlite:"+copied)
	list := answer[struct {
		Sessions []struct {
			ThreadID string `json:"thread_id"`
		}
	}](t, program, dir, "session", "list", "--store", "sqlite:"+copied)
	if len(list.Sessions) == 0 {
		t.Fatal("no session is left")
	}
	for _, s := range list.Sessions {
		expectOK(t, program, dir, "verify", s.ThreadID, "--store", "sqlite:"+copied)
		expectOK(t, program, dir, "artifact", "show", s.ThreadID, "--store", "sqlite:"+copied)
	}
	if after := answer[upgradeReport](t, program, dir, "upgrade-check", "--store", store); after.Upgrade {
		t.Errorf("still %+v", after)
	}
}

func unpackStore(t *testing.T, path, to string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// answer runs a command in a folder and decodes the JSON it prints.
func answer[T any](t *testing.T, program, dir string, args ...string) T {
	t.Helper()
	cmd := exec.Command(program, append(args, "--json", "--project", dir)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	var v T
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return v
}
