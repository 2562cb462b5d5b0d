package crate

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hiddeco/sshsig"

	"brenner/internal/protocol"
)

// Crate is an open crate.
type Crate struct {
	files map[string]*zip.File
	bad   *Problem // found in the records of the zip file

	notebook string    // the folder of a file for notebooks, in which the crate is; empty: the file is the crate itself
	outer    *zip.File // what describes the crate to notebooks
}

// Problem is the first thing that is wrong with a crate.
type Problem struct{ File, Reason string } // File is empty for the zip file itself

func problem(file, format string, args ...any) *Problem {
	return &Problem{file, fmt.Sprintf(format, args...)}
}

// SignatureState says what is known of a crate's signature.
type SignatureState string

// The states of a signature.
const (
	Unsigned SignatureState = "none"
	Valid    SignatureState = "valid"   // by one of the allowed signers
	Unknown  SignatureState = "unknown" // the signature holds; it is not known whose key it is
)

// Signature is what Check found about the signature.
type Signature struct {
	State  SignatureState
	Signer string // a name of the allowed signers, or the key's fingerprint; empty without a signature
}

// Open reads the directory of a zip file. An error means that this is no zip file, or one that is
// too large; what is wrong inside is told by Check.
func Open(r io.ReaderAt, size int64) (*Crate, error) {
	bad, whole := container{r, size}.check()
	if !whole { // its directory could take any memory
		return nil, protocol.Errorf(protocol.InvalidInput, "this is no crate: %s", bad.Reason)
	}
	archive, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, protocol.Errorf(protocol.InvalidInput, "this is no crate: it cannot be read as a zip file (%w)", err)
	}
	archive.RegisterDecompressor(zip.Deflate, inflate)
	c := &Crate{files: make(map[string]*zip.File, len(archive.File)), bad: bad, notebook: notebookOf(archive.File)}
	var total uint64
	for _, file := range archive.File {
		if total += file.UncompressedSize64; file.UncompressedSize64 > maxUnpacked || total > maxUnpacked {
			return nil, protocol.Errorf(protocol.InvalidInput, "the crate unpacks to more than 1 GiB; such a file is not read")
		}
		c.enter(file)
	}
	if c.bad == nil {
		c.bad = clash(archive.File)
	}
	return c, nil
}

// deepest is how many folders deep names are compared; nothing in a crate is.
const deepest = 8

// clash finds a folder that is there twice, and a name that some disk would take for another one. Folders have no content, but a
// program that unpacks makes them.
func clash(files []*zip.File) *Problem {
	type entry struct {
		name   string
		folder bool
	}
	names, listed := map[string]entry{}, map[string]bool{}
	for _, f := range files {
		name, folder := strings.CutSuffix(f.Name, "/")
		if folder && listed[name] {
			return problem(f.Name, "it is in the crate twice")
		}
		listed[name] = folder
		if strings.Count(name, "/") > deepest {
			return problem(f.Name, "it lies deeper than anything in a crate")
		}
		for e := (entry{name, folder}); e.name != "."; e = (entry{path.Dir(e.name), true}) {
			known, ok := names[strings.ToLower(e.name)]
			if ok && known != e {
				return problem(f.Name, "on some disks %s has the same name", known.name)
			}
			names[strings.ToLower(e.name)] = e
		}
	}
	return nil
}

// enter takes a file up and notes the first name that must not be there. Folders are no files.
func (c *Crate) enter(file *zip.File) {
	if strings.HasSuffix(file.Name, "/") && file.Mode().Type() == fs.ModeDir && localName(strings.TrimSuffix(file.Name, "/")) {
		return // the container has no content for it
	}
	name, inside := c.inside(file.Name)
	_, twice := c.files[name]
	switch {
	case c.bad != nil:
	case !localName(file.Name):
		c.bad = problem(file.Name, "its name leads out of the crate")
	case twice, !inside && c.outer != nil && c.outer.Name == file.Name:
		c.bad = problem(file.Name, "it is in the crate twice")
	case !file.Mode().IsRegular():
		c.bad = problem(file.Name, "it is no regular file")
	case !inside && file.Name != c.outerName():
		c.bad = problem(file.Name, "it lies outside of the crate")
	}
	if inside {
		c.files[name] = file
	} else {
		c.outer = file
	}
}

// Names returns the names of all files, in byte order.
func (c *Crate) Names() []string { return slices.Sorted(maps.Keys(c.files)) }

// Has reports whether the crate has the file.
func (c *Crate) Has(name string) bool { return c.files[name] != nil }

// Size is the size of a file, as the directory says it; 0 if there is none.
func (c *Crate) Size(name string) int64 {
	if file := c.files[name]; file != nil {
		return int64(file.UncompressedSize64) //nolint:gosec // at most maxUnpacked
	}
	return 0
}

// Open returns the content of a file.
func (c *Crate) Open(name string) (io.ReadCloser, error) {
	file := c.files[name]
	if file == nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "the crate has no %s", name)
	}
	return file.Open()
}

// Read returns the content of a file of at most limit bytes.
func (c *Crate) Read(name string, limit int64) ([]byte, error) {
	content, err := c.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(c.files[name], content, limit)
}

// readAll reads a file of at most limit bytes, into no more memory than the file has. The zip reader refuses content that is longer
// than the directory says.
func readAll(file *zip.File, content io.ReadCloser, limit int64) ([]byte, error) {
	defer content.Close()
	if file.UncompressedSize64 > uint64(limit) {
		return nil, protocol.Errorf(protocol.InvalidInput, "%s of the crate has more than %d bytes", file.Name, limit)
	}
	data := make([]byte, file.UncompressedSize64)
	_, err := io.ReadFull(content, data)
	if err == nil {
		_, err = io.Copy(io.Discard, content) // at its end the checksum is compared
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "%s of the crate cannot be read: %w", file.Name, err)
	}
	return data, nil
}

// maxManifest bounds manifest and signature, which are held in memory.
const maxManifest = 16 << 20

// Check compares every file with the manifest and checks the signature. A nil Problem means
// that the crate is as it was packed. With signers no one else may have signed; signers may be nil.
func (c *Crate) Check(signers Signers, now time.Time) (Signature, *Problem) {
	if c.bad != nil {
		return Signature{State: Unsigned}, c.bad
	}
	manifest, err := c.Read(ManifestName, maxManifest)
	if err != nil {
		return Signature{State: Unsigned}, problem(ManifestName, "%s", err)
	}
	if bad := c.checkManifest(string(manifest)); bad != nil {
		return Signature{State: Unsigned}, bad
	}
	return c.checkSignature(string(manifest), signers, now)
}

func (c *Crate) checkManifest(manifest string) *Problem {
	sums, bad := parseManifest(manifest)
	if bad != nil {
		return bad
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if !c.Has(name) {
			return problem(name, "the manifest lists it, but it is missing")
		}
	}
	for _, name := range c.Names() {
		want, listed := sums[name]
		switch {
		case name == ManifestName || name == SignatureName:
			continue
		case !listed:
			return problem(name, "the manifest does not list it")
		}
		if bad := c.compare(name, want); bad != nil {
			return bad
		}
	}
	return nil
}

// parseManifest reads the lines that sha256sum writes, spelled in one way only.
func parseManifest(manifest string) (map[string]string, *Problem) {
	sums := make(map[string]string)
	if manifest == "" || !strings.HasSuffix(manifest, "\n") {
		return nil, problem(ManifestName, "it is empty, or its last line has no end")
	}
	for i, line := range strings.Split(strings.TrimSuffix(manifest, "\n"), "\n") {
		sum, name, ok := strings.Cut(line, "  ")
		raw, err := hex.DecodeString(sum)
		if !ok || err != nil || len(raw) != sha256.Size || sum != strings.ToLower(sum) || !localName(name) || name == ManifestName ||
			name == SignatureName {
			return nil, problem(ManifestName, "line %d is no SHA-256 with a file name", i+1)
		}
		if _, twice := sums[name]; twice {
			return nil, problem(ManifestName, "line %d lists %s again", i+1, name)
		}
		sums[name] = sum
	}
	return sums, nil
}

// compare hashes a file. The zip reader itself refuses content that is longer than the directory says.
func (c *Crate) compare(name, want string) *Problem {
	content, err := c.Open(name)
	if err != nil {
		return problem(name, "it cannot be read: %s", err)
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(content, maxUnpacked)); err != nil {
		return problem(name, "it cannot be read: %s", err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return problem(name, "its SHA-256 is %s, the manifest says %s", got, want)
	}
	return nil
}

func (c *Crate) checkSignature(manifest string, signers Signers, now time.Time) (Signature, *Problem) {
	unsigned := Signature{State: Unsigned}
	if !c.Has(SignatureName) {
		if signers != nil {
			return unsigned, problem(SignatureName, "the crate is not signed")
		}
		return unsigned, nil
	}
	armored, err := c.Read(SignatureName, maxManifest)
	if err != nil {
		return unsigned, problem(SignatureName, "%s", err)
	}
	signature, err := unarmor(armored)
	if err != nil {
		return unsigned, problem(SignatureName, "%s", err)
	}
	if err := sshsig.Verify(strings.NewReader(manifest), signature, signature.PublicKey, signature.HashAlgorithm, namespace); err != nil {
		return unsigned, problem(SignatureName, "it is no signature of this manifest for %q (%s)", namespace, err)
	}
	fingerprint := fingerprintOf(signature)
	if signers == nil {
		return Signature{Unknown, fingerprint}, nil
	}
	name, known := signers.Find(signature.PublicKey, namespace, now)
	if !known {
		return Signature{Unknown, fingerprint}, problem(SignatureName, "the key that signed (%s) is not among the allowed signers",
			fingerprint)
	}
	return Signature{Valid, name}, nil
}
