package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The folder and the file are for their owner alone: mail is private.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// projectFolder is the folder of a project's own store. It ignores itself in git.
const projectFolder = ".brenner"

// create makes the file, and its folder, if they are not there. SQLite gives
// its side files the mode of the file.
func create(path string) error {
	folder := filepath.Dir(path)
	_, err := os.Stat(folder)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		if err := os.MkdirAll(folder, folderMode); err != nil {
			return err
		}
	}
	if fresh || filepath.Base(folder) == projectFolder {
		if err := ignoreItself(folder); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if errors.Is(err, fs.ErrPermission) {
		return nil // it may still be readable; SQLite will tell
	}
	if err != nil {
		return err
	}
	return f.Close()
}

func ignoreItself(folder string) error {
	f, err := os.OpenFile(filepath.Join(folder, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// alignSideFiles gives the side files the mode of the file. SQLite makes them with the mode that
// it has at the time; made while it was read-only they would keep it so afterwards.
func alignSideFiles(path string, mode os.FileMode) {
	for _, suffix := range []string{"-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err == nil && info.Mode() != mode {
			_ = os.Chmod(path+suffix, mode.Perm()) // if it fails SQLite will say so
		}
	}
}
