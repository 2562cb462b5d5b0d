package atomicfile

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// createTemp makes a locked temporary file beside name. A sweep may take it away between making and
// locking; then another one is made.
func createTemp(root *os.Root, name string) (string, *os.File, error) {
	for {
		temp := tempName(name, rand.Uint32())
		f, err := root.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		lock(f)
		if same(root, temp, f) {
			return temp, f, nil
		}
		f.Close()
	}
}

func tempName(name string, number uint32) string {
	dir, base := filepath.Split(name)
	return dir + "." + base + "." + strconv.FormatUint(uint64(number), 10) + ".tmp"
}

// isTempOf tells whether a file's name is one that tempName gives a file of the name base.
func isTempOf(base, name string) bool {
	number, before := strings.CutPrefix(name, "."+base+".")
	number, after := strings.CutSuffix(number, ".tmp")
	_, err := strconv.ParseUint(number, 10, 32)
	return before && after && err == nil
}

func same(root *os.Root, name string, f *os.File) bool {
	named, err := root.Lstat(name)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(named, open)
}

// sweep removes the temporary files of name whose writers are gone: no process holds a lock on them. It
// is a courtesy; what cannot be removed stays.
func sweep(root *os.Root, name string) {
	dir, base := filepath.Split(name)
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(filepath.Clean(dir)))
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Type().IsRegular() && isTempOf(base, e.Name()) {
			removeAbandoned(root, dir+e.Name())
		}
	}
}

func removeAbandoned(root *os.Root, temp string) {
	f, err := root.Open(temp)
	if err != nil {
		return
	}
	defer f.Close()
	if tryLock(f) && same(root, temp, f) {
		_ = root.Remove(temp)
	}
}
