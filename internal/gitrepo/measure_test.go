package gitrepo_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/gitrepo"
	"brenner/internal/protocol"
)

// TestLastChange: the commit of a file is that of git log, through merges and later commits of other files.
func TestLastChange(t *testing.T) {
	dir := newRepo(t)
	commit := func(name, text string) {
		t.Helper()
		write(t, dir, name, text)
		git(t, dir, "add", ".")
		git(t, dir, "commit", "--quiet", "--allow-empty", "-m", name+text)
	}
	repo, _ := gitrepo.Open(t.Context(), dir)
	agrees := func() {
		t.Helper()
		got, err := repo.State(t.Context(), filepath.Join(dir, "a b.md"))
		if want := strings.TrimSpace(git(t, dir, "log", "-1", "--format=%H", "--", "a b.md")); err != nil || got.Commit != want ||
			!got.Committed {
			t.Fatalf("%+v, %v; git log says %s", got, err, want)
		}
	}
	commit("a b.md", "one")
	commit("other.md", "1")
	agrees()
	main := strings.TrimSpace(git(t, dir, "rev-parse", "--abbrev-ref", "HEAD"))
	git(t, dir, "checkout", "--quiet", "-b", "side")
	commit("a b.md", "two")
	git(t, dir, "checkout", "--quiet", main)
	commit("other.md", "2")
	git(t, dir, "merge", "--quiet", "--no-edit", "side")
	commit("other.md", "3")
	agrees()
	commit("a b.md", "one")
	commit("a b.md", "two")
	agrees()
}

// TestHeadMeasures: changed, gone, staged and new files make a work tree dirty; ignored ones and line by line the same ones do not.
func TestHeadMeasures(t *testing.T) {
	large := strings.Repeat("0123456789", 1000)
	pointer := fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%x\nsize %d\n", sha256.Sum256([]byte(large)), len(large))
	for name, c := range map[string]struct {
		change func(dir string)
		want   bool
	}{
		"nothing":          {func(string) {}, false},
		"the same text":    {func(dir string) { write(t, dir, "first.txt", "first") }, false},
		"other text":       {func(dir string) { write(t, dir, "first.txt", "FIRST") }, true},
		"gone":             {func(dir string) { remove(t, dir, "first.txt") }, true},
		"new":              {func(dir string) { write(t, dir, "new.txt", "x") }, true},
		"staged":           {func(dir string) { write(t, dir, "new.txt", "x"); git(t, dir, "add", "new.txt") }, true},
		"ignored":          {func(dir string) { write(t, dir, "cache/x.pyc", "x") }, false},
		"stored elsewhere": {func(dir string) { write(t, dir, "data.bin", large) }, false},
		"other data":       {func(dir string) { write(t, dir, "data.bin", large+"x") }, true},
		"another link":     {func(dir string) { remove(t, dir, "link"); symlink(t, dir, "elsewhere", "link") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			write(t, dir, ".gitignore", "cache/\n")
			write(t, dir, "data.bin", pointer)
			symlink(t, dir, "first.txt", "link")
			git(t, dir, "add", ".")
			git(t, dir, "commit", "--quiet", "-m", "more")
			c.change(dir)
			repo, _ := gitrepo.Open(t.Context(), dir)
			if _, dirty, err := repo.Head(t.Context(), dir); err != nil || dirty != c.want {
				t.Errorf("dirty: %t, %v; want %t", dirty, err, c.want)
			}
		})
	}
}

// TestExtend makes a history beside the work tree, and refuses to go on from a tip that has moved.
func TestExtend(t *testing.T) {
	const ref = "refs/brenner/checkpoints"
	dir := newRepo(t)
	repo, _ := gitrepo.Open(t.Context(), dir)
	before := git(t, dir, "status", "--porcelain")
	if tip, found := repo.Tip(t.Context(), ref); found {
		t.Fatalf("there is %s", tip)
	}
	extend := func(tip, text string) (string, error) {
		return repo.Extend(t.Context(), ref, tip, map[string][]byte{"checkpoint": []byte(text), "checkpoint.sig": []byte("s")},
			"checkpoint "+text, gitrepo.Identity{})
	}
	first, err := extend("", "1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := extend("", "1b"); protocol.CodeOf(err) != protocol.Conflict {
		t.Errorf("a second beginning: %v", err)
	}
	second, err := extend(first, "2")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := extend(first, "2b"); protocol.CodeOf(err) != protocol.Conflict {
		t.Errorf("a fork: %v", err)
	}
	if tip, _ := repo.Tip(t.Context(), ref); tip != second {
		t.Errorf("the tip is %s; want %s", tip, second)
	}
	if text, found, err := repo.At(t.Context(), ref, "checkpoint", 10); string(text) != "2" || !found || err != nil {
		t.Errorf("the tip holds %q, %t, %v", text, found, err)
	}
	if _, _, err := repo.At(t.Context(), ref, "checkpoint", 0); protocol.CodeOf(err) != protocol.InvalidInput {
		t.Errorf("beyond the bound: %v", err)
	}
	if got := strings.Fields(git(t, dir, "log", "--format=%H", ref)); len(got) != 2 || got[1] != first {
		t.Errorf("history %v", got)
	}
	if after := git(t, dir, "status", "--porcelain"); after != before {
		t.Errorf("the work tree moved: %s", after)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, dir, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}
