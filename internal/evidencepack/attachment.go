package evidencepack

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// attachment is a local file of an imported entry.
type attachment struct {
	name string // of the file, for its extension
	data []byte
}

// attached reads the first attachment that is there; nil: there is none. The findings say why others were not taken.
func (i *importer) attached(files []string) (*attachment, []protocol.Finding) {
	var missing []protocol.Finding
	for _, name := range files {
		a, err := i.read(name)
		if err == nil {
			return a, missing // of several the first that is there
		}
		missing = append(missing, protocol.NewFinding(protocol.AttachmentMissing, "the attachment %s was not taken: %v.",
			protocol.Shorten(name, 200), err).In(name))
	}
	return nil, missing
}

// read opens an attachment: a plain file below the folder of the imported file or the project, reached by no link.
func (i *importer) read(name string) (*attachment, error) {
	name, err := localPath(name)
	if err != nil {
		return nil, err
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(i.folder.Path(), filepath.FromSlash(name))
	}
	f, err := i.open(full)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := projectfs.ReadAll(f, path.Base(name), MaxFile)
	if err == nil {
		err = checkSize("the file", data)
	}
	if err != nil {
		return nil, err
	}
	return &attachment{path.Base(filepath.ToSlash(name)), data}, nil
}

// open opens a file below one of the two folders.
func (i *importer) open(full string) (*os.File, error) {
	for _, folder := range []projectfs.Folder{i.folder, i.pack.folder} {
		if local, err := folder.Name(full); err == nil {
			f, err := folder.OpenPlain(local)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, errors.New("it is not there")
			}
			return f, err
		}
	}
	return nil, errors.New("it is outside of the file's folder and of the project")
}

// localPath turns what an entry names into a path: file addresses and backslashes, too.
func localPath(name string) (string, error) {
	if rest, ok := strings.CutPrefix(name, "file:"); ok {
		u, err := url.Parse("file:" + rest)
		if err != nil || u.Host != "" && u.Host != "localhost" || u.Path == "" {
			return "", errors.New("it is no address of a file")
		}
		return u.Path, nil
	}
	if strings.Contains(name, "://") {
		return "", errors.New("it is no file")
	}
	if !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	return name, nil
}
