// Package app puts the parts together: it finds the project and its settings, opens the store
// that a DSN names, and gives surfaces the sessions on top. It is the only place that knows more
// than one adapter.
package app

import (
	"context"
	"os"
	"path/filepath"

	"brenner/internal/config"
	"brenner/internal/gitrepo"
	"brenner/internal/protocol"
)

// Project is the folder that everything belongs to. Finding it opens nothing.
type Project struct {
	Root     string // absolute
	WorkDir  string // where the search for a project file begins
	override string // --config
}

// FindProject resolves --project: the folder named, else the git root, else the nearest folder
// above that holds a store, else the working directory.
func FindProject(ctx context.Context, named, configFile string) (Project, error) {
	dir, err := os.Getwd()
	if err != nil {
		return Project{}, protocol.Errorf(protocol.NotFound, "the working directory is gone: %w", err)
	}
	if named == "" {
		p := Project{Root: dir, WorkDir: dir, override: configFile}
		if repo, ok := gitrepo.Open(ctx, dir); ok {
			p.Root = repo.Root
		} else if parent, ok := storeAbove(dir); ok {
			p.Root = parent
		}
		return p, nil
	}
	root, err := filepath.Abs(named)
	if err != nil {
		return Project{}, protocol.Errorf(protocol.NotFound, "there is no folder %s: %w", named, err)
	}
	info, err := os.Stat(root)
	switch {
	case err != nil:
		return Project{}, protocol.Errorf(protocol.NotFound, "there is no folder %s", named)
	case !info.IsDir():
		return Project{}, protocol.Errorf(protocol.NotFound, "%s is a file; a project is a folder", named)
	}
	return Project{Root: root, WorkDir: root, override: configFile}, nil
}

// Config reads the project file and the person's own defaults.
func (p Project) Config() (config.Config, []protocol.Finding, error) {
	file := p.override
	var near []protocol.Finding
	if file == "" {
		near = config.NearMisses(p.WorkDir, p.Root)
		found, err := config.Find(p.WorkDir, p.Root)
		if err != nil {
			return config.Config{}, nil, err
		}
		file = found
	} else if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	user, ok := config.UserFile()
	if !ok {
		user = ""
	}
	c, findings, err := config.Load(p.Root, file, user)
	findings = append(near, findings...)
	if err == nil {
		findings, err = checkPrograms(c, findings)
	}
	return c, findings, err
}

// storeFolder holds the store of a project that names none.
const storeFolder = ".brenner"

// DefaultStore is the store of a project that names none.
func (p Project) DefaultStore() string {
	return "sqlite:" + filepath.Join(p.Root, storeFolder, "brenner.db")
}

// storeAbove finds the project of a folder outside of git: the nearest folder, from this one up, with a store of its
// own. It looks neither at the home folder, which is above everything a person has, nor at folders in which any user
// could have put one; unless a command is run in that folder itself.
func storeAbove(dir string) (string, bool) {
	home, _ := os.UserHomeDir() // without one nothing is above everything
	for folder := dir; ; folder = filepath.Dir(folder) {
		if folder != dir && folder == home {
			return "", false
		}
		info, err := os.Stat(folder)
		trusted := err == nil && (folder == dir || info.Mode().Perm()&worldWritable == 0)
		if trusted && StoreExists(Project{Root: folder}.DefaultStore()) {
			return folder, true
		}
		if folder == filepath.Dir(folder) {
			return "", false
		}
	}
}
