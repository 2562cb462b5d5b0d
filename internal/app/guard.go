package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"brenner/internal/projectfs"
	"brenner/internal/protocol"
)

// worldWritable is the bit that lets all users of the machine change a file.
const worldWritable = 0o002

// checkStoreFile refuses a store of a project's own whose files are links out of the project, or no
// files at all (PROTOCOL 16). What a person names may lie anywhere else.
func checkStoreFile(path string) error {
	dir, base := filepath.Split(path)
	if filepath.Base(dir) != storeFolder {
		return nil
	}
	folder := projectfs.At(filepath.Dir(filepath.Clean(dir)))
	for _, suffix := range []string{"", "-wal", "-shm", "-search"} {
		name := storeFolder + "/" + base + suffix
		info, err := folder.Stat(name)
		if err == nil && !info.Mode().IsRegular() {
			err = protocol.Errorf(protocol.NotAllowed, "%s is not a regular file", name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f := protocol.NewFinding(protocol.CodeOf(err), "the project's own store is not used: %v", err).
				WithFix("name another store, or remove %s", name).Doing(protocol.Given("store"))
			return protocol.Errorf(f.Code, "%s", f.Message).WithFindings([]protocol.Finding{f})
		}
	}
	return nil
}

// exposedStore says so if all users can write the file of a store: then it proves nothing.
func exposedStore(dsn string) []protocol.Finding {
	path, ok := strings.CutPrefix(dsn, "sqlite:")
	path = filepath.FromSlash(path)
	info, err := os.Stat(path)
	if !ok || err != nil || info.Mode().Perm()&worldWritable == 0 {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.StoreExposed, "all users of this machine can change %s (mode %04o)", path,
		info.Mode().Perm()).
		WithFix("chmod 600 %s", path)}
}

// closeStore takes the rights of others away from a store that all users could write.
func closeStore(dsn string, findings []protocol.Finding) []protocol.Finding {
	path := filepath.FromSlash(strings.TrimPrefix(dsn, "sqlite:"))
	if len(findings) == 0 || os.Chmod(path, 0o600) != nil {
		return findings // another user's: only its owner can
	}
	findings[0].Message += fmt.Sprintf("; it is %04o from now on", 0o600)
	findings[0] = findings[0].WithFix("check the threads").Doing(protocol.Operation("verify"))
	return findings
}
