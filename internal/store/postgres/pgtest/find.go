package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
)

// binaries finds the folder with the server's programs, the newest if there are several.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return release(b) - release(a) })
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			found = append([]string{path}, found...)
		}
	}
	for _, path := range found {
		folder := filepath.Dir(path)
		if _, err := os.Stat(filepath.Join(folder, "pg_ctl")); err == nil {
			return folder, nil
		}
	}
	return "", errors.New("pgtest: there is no PostgreSQL server to test with: neither initdb in PATH nor /usr/lib/postgresql/*/bin; " +
		"install it (Debian: apt-get install postgresql; macOS: brew install postgresql), or run make deps")
}

// release is the number in /usr/lib/postgresql/15/bin/initdb.
func release(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

// asOrdinaryUser returns the command that runs a shell as a user that may run a server. Root
// may not, and hands the folder or file over to another user.
func asOrdinaryUser(dir string) (name string, args []string, err error) {
	if os.Geteuid() != 0 {
		return "sh", nil, nil
	}
	for _, candidate := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(candidate)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			return "", nil, fmt.Errorf("pgtest: giving %s to %s: %w", dir, candidate, err)
		}
		return "setpriv", []string{"--reuid", u.Uid, "--regid", u.Gid, "--clear-groups", "sh"}, nil
	}
	return "", nil, errors.New("pgtest: a PostgreSQL server does not run as root, and there is neither a user postgres nor nobody")
}
