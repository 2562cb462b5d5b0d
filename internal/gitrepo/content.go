package gitrepo

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// Content returns what a file of the work tree holds in HEAD: see At.
func (r Repo) Content(ctx context.Context, path string, limit int64) ([]byte, bool, error) {
	name, err := r.name(path)
	if err != nil {
		return nil, false, err
	}
	return r.At(ctx, "HEAD", name, limit)
}

// At returns what a file holds in a commit or at the tip of a ref, by its name in the repository. The second result is false if there is
// no such commit or no such file in it. INVALID_INPUT: it is larger than limit.
func (r Repo) At(ctx context.Context, revision, name string, limit int64) ([]byte, bool, error) {
	asked, err := r.objects(ctx)
	if err != nil {
		return nil, false, err
	}
	defer asked.close()
	blob, found, err := asked.find(revision + ":" + name)
	switch {
	case err != nil || !found || blob.kind != "blob":
		return nil, false, err
	case blob.size > limit:
		return nil, false, protocol.Errorf(protocol.InvalidInput, "%s is larger than %d bytes in %s", name, limit, revision)
	}
	text, err := ask(ctx, r.Root, "cat-file", "blob", blob.id)
	return []byte(text), err == nil, err
}

// name is what the repository calls a file of the machine.
func (r Repo) name(path string) (string, error) {
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	rel, err := filepath.Rel(r.Root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", protocol.Errorf(protocol.GitFailed, "%s does not lie in the git repository %s", path, r.Root)
	}
	return filepath.ToSlash(rel), nil
}

// holds tells whether the file at path is the content of a blob. The comparison is ours: git would call the filters that a project names.
// Two conversions that need no program are known: line ends where git changes them by itself, and files that stand in Git LFS, whose
// blob is a pointer with their hash.
func (r Repo) holds(ctx context.Context, path string, blob object) (bool, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	case err != nil:
		return false, protocol.Errorf(protocol.Unreadable, "cannot look at %s: %w", path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return linkHolds(path, blob.id), nil
	case !info.Mode().IsRegular():
		return false, nil
	}
	if info.Size() == blob.size {
		if id, err := hashFile(ctx, path, blob, asItIs); err != nil || id == blob.id {
			return err == nil, err
		}
	}
	if runtime.GOOS == "windows" {
		if id, err := hashFile(ctx, path, blob, withUnixLineEnds); err != nil || id == blob.id {
			return err == nil, err
		}
	}
	return r.pointsTo(ctx, path, blob)
}

func linkHolds(path, id string) bool {
	target, err := os.Readlink(path)
	h := newHash(id, int64(len(target)))
	fmt.Fprint(h, filepath.ToSlash(target))
	return err == nil && hex.EncodeToString(h.Sum(nil)) == id
}

// hashFile gives a file's content the name that git would give it, if it is as long as the blob.
func hashFile(ctx context.Context, path string, like object, read func(io.Reader) io.Reader) (string, error) {
	h := newHash(like.id, like.size)
	err := copyFile(ctx, h, path, read)
	return hex.EncodeToString(h.Sum(nil)), err
}

// newHash begins the name of a content: of the length of other names in the repository, SHA-1 or SHA-256.
func newHash(like string, size int64) hash.Hash {
	h := sha1.New()
	if len(like) == sha256.Size*2 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	return h
}

func copyFile(ctx context.Context, w io.Writer, path string, read func(io.Reader) io.Reader) error {
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		_, err = io.Copy(w, read(untilDone{ctx, f}))
	}
	if err != nil {
		return protocol.Errorf(protocol.Unreadable, "cannot read %s: %w", path, err)
	}
	return nil
}

// untilDone ends with its context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

func asItIs(r io.Reader) io.Reader { return r }

// withUnixLineEnds leaves out the CR of CR LF.
func withUnixLineEnds(r io.Reader) io.Reader { return &unixLineEnds{bufio.NewReaderSize(r, 1<<16)} }

type unixLineEnds struct{ r *bufio.Reader }

func (u *unixLineEnds) Read(p []byte) (int, error) {
	for n := range p {
		b, err := u.r.ReadByte()
		if b == '\r' && err == nil {
			if next, peekErr := u.r.Peek(1); peekErr == nil && next[0] == '\n' {
				b, err = u.r.ReadByte()
			}
		}
		if err != nil {
			return n, err
		}
		p[n] = b
	}
	return len(p), nil
}

// maxPointer is the longest pointer that Git LFS writes.
const maxPointer = 1024

var lfsPointer = pattern.Lazy(`^version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*oid sha256:([0-9a-f]{64})\n`)

func (r Repo) pointsTo(ctx context.Context, path string, blob object) (bool, error) {
	if blob.size > maxPointer {
		return false, nil
	}
	text, err := ask(ctx, r.Root, "cat-file", "blob", blob.id)
	if err != nil || !strings.HasPrefix(text, "version https://git-lfs") {
		return false, err
	}
	pointer := lfsPointer().FindStringSubmatch(text)
	if pointer == nil {
		return false, nil
	}
	h := sha256.New()
	err = copyFile(ctx, h, path, asItIs)
	return err == nil && hex.EncodeToString(h.Sum(nil)) == pointer[1], err
}
