package dispute

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Files of a dispute.
const (
	headerFile  = "dispute.yaml"
	knownFile   = "known.md"
	sourcesDir  = "sources"
	sealedDir   = "sealed"
	flippedDir  = "flipped"
	fromMemory  = "memory"
	memoryWords = "from memory"
)

// maxFile is how large a file of a dispute may be.
const maxFile = 1 << 20

var (
	sourceName = pattern.Lazy(`^(S[1-9]\d?)\.md$`)
	sealName   = pattern.Lazy(`^(T[1-9]\d?)\.yaml$`)
	reference  = pattern.Lazy(`\b[ST][1-9]\d?\b`)
	folderName = pattern.Lazy(`^[a-z0-9][a-z0-9-]{1,39}$`)
)

// List names the disputes in a file system, which are its folders with a dispute.yaml.
func List(all fs.FS) ([]string, error) {
	found, err := fs.Glob(all, "*/"+headerFile)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, file := range found {
		names = append(names, path.Dir(file))
	}
	return names, nil
}

// Read reads the dispute in a folder and judges it. A dispute with error findings is not fit to be played. NOT_FOUND: there is none;
// INVALID_INPUT: dispute.yaml cannot be read at all.
func Read(name string, folder fs.FS) (*Dispute, []protocol.Finding, error) {
	r := reader{folder: folder}
	data, err := r.file(headerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, protocol.Errorf(protocol.NotFound, "there is no dispute %q", protocol.Shorten(name, 60))
	}
	d := &Dispute{Name: name, SHA256: hashOf(data)}
	if err == nil {
		err = decode(data, &d.Header)
	}
	if err != nil {
		return nil, nil, protocol.Errorf(protocol.InvalidInput, "%s/%s cannot be read: %s", name, headerFile, plainly(err))
	}
	if known, err := r.file(knownFile); err == nil {
		d.Known = string(known)
	} else {
		r.fault(knownFile, "the page is missing that says what was known when")
	}
	r.sources(d)
	d.sealed, d.flipped = r.seals(sealedDir), r.seals(flippedDir)
	r.strangers()
	c := check{Dispute: d}
	c.all()
	return d, append(r.findings, c.findings...), nil
}

// reader reads the files of a dispute, and says which are not what they should be.
type reader struct {
	folder   fs.FS
	findings []protocol.Finding
}

func (r *reader) fault(file, format string, args ...any) {
	r.findings = append(r.findings, fault(file, format, args...))
}

// fault is a finding about a place in a dispute.
func fault(place, format string, args ...any) protocol.Finding {
	return protocol.NewFinding(protocol.InvalidField, format, args...).In(place).As(protocol.SeverityError)
}

func (r *reader) file(name string) ([]byte, error) {
	info, err := fs.Stat(r.folder, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, protocol.Errorf(protocol.InvalidInput, "it is no plain file of at most %d KiB", maxFile>>10)
	}
	return fs.ReadFile(r.folder, name)
}

// sources reads the reading notes, in the order of their numbers.
func (r *reader) sources(d *Dispute) {
	for n, id := range r.numbered(sourcesDir, sourceName()) {
		place := path.Join(sourcesDir, id+".md")
		source := Source{ID: id}
		data, err := r.file(place)
		if err == nil {
			head, text, found := cutFrontMatter(string(data))
			if !found {
				err = errors.New("it does not begin with lines between --- and ---")
			} else {
				source.Text = strings.TrimSpace(text) + "\n"
				err = decode([]byte(head), &source)
			}
		}
		if err != nil {
			r.fault(place, "%s", plainly(err))
			continue
		}
		if id != "S"+strconv.Itoa(n+1) {
			r.fault(place, "sources are numbered from S1 without gaps")
		}
		d.Sources = append(d.Sources, source)
	}
}

// seals reads the results of an arm, by their tests.
func (r *reader) seals(dir string) map[string]Seal {
	seals := map[string]Seal{}
	for _, id := range r.numbered(dir, sealName()) {
		place := path.Join(dir, id+".yaml")
		var s Seal
		data, err := r.file(place)
		if err == nil {
			err = decode(data, &s)
		}
		if err != nil {
			r.fault(place, "%s", plainly(err))
			continue
		}
		s.data = data
		if s.Test != id {
			r.fault(place, "test is %s, not %q: the file has its name", id, s.Test)
		}
		seals[id] = s
	}
	return seals
}

// numbered lists what the files of a folder are called, by number.
func (r *reader) numbered(dir string, name interface{ FindStringSubmatch(string) []string }) []string {
	entries, err := fs.ReadDir(r.folder, dir)
	if err != nil {
		r.fault(dir, "the folder is missing")
	}
	var ids []string
	for _, e := range entries {
		if found := name.FindStringSubmatch(e.Name()); found != nil {
			ids = append(ids, found[1])
		} else {
			r.fault(path.Join(dir, e.Name()), "the name says nothing here")
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return ids
}

// strangers tells of files that nothing reads: what looks like a part of the dispute and is none.
func (r *reader) strangers() {
	entries, _ := fs.ReadDir(r.folder, ".")
	for _, e := range entries {
		if !slices.Contains([]string{headerFile, knownFile, sourcesDir, sealedDir, flippedDir}, e.Name()) {
			r.fault(e.Name(), "nothing of a dispute is called so")
		}
	}
}

func cutFrontMatter(text string) (head, body string, found bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "\n---\n")
}

// decode reads YAML into a value, and knows every key.
func decode(data []byte, into any) error {
	text, err := yamltext.ToJSON(data)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// plainly takes the words of the libraries off an error.
func plainly(err error) string {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "json: "), "yaml: ")
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wrong.Field + ": " + wrong.Value + " does not belong here"
	}
	return strings.Replace(text, "unknown field", "nobody knows the key", 1)
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
