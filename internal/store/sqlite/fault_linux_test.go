package sqlite_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/sqlite"
)

// inNamespace runs the rest of a test where it may mount: here as root, else in a user
// namespace of its own. It is false in the parent, which has then seen the outcome.
func inNamespace(t *testing.T) bool {
	t.Helper()
	const mark = "BRENNER_TEST_NAMESPACE"
	if os.Geteuid() == 0 {
		return true
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), mark+"=1")
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

// smallDisk mounts a file system of a few megabytes.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestDiskFull fills the disk under an open store, then makes room: a clear error, nothing
// half-written, and the same store goes on.
func TestDiskFull(t *testing.T) {
	if !inNamespace(t) {
		return
	}
	folder := smallDisk(t, 3)
	l := newLab(t, filepath.Join(folder, "brenner.db"), sqlite.Options{})
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	for err == nil {
		err = l.send(20_000)
	}
	wantCode(t, err, protocol.StoreUnavailable)
	if !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("the error does not say why: %v", err)
	}
	if l.sent == 0 {
		t.Fatal("nothing was sent before the disk was full")
	}
	for range 5 { // small ones may still fit; whatever happens is told as it is
		_ = l.send(10)
		_ = l.send(20_000)
	}
	if all := l.read(); len(all) != l.sent {
		t.Fatalf("%d messages are there, %d were accepted", len(all), l.sent)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	l.whole()
}

// asOrdinaryUser runs a function without root's right to write everywhere.
func asOrdinaryUser(t *testing.T, folder string, run func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		run()
		return
	}
	const nobody = 65534
	if err := os.Chown(folder, nobody, -1); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setresuid(-1, nobody, -1); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setresuid(-1, 0, -1); err != nil {
			panic(err) // nothing after it could be trusted
		}
	}()
	run()
}

// TestReadOnlyFile: a database that cannot be written says so, and is written again as soon as
// it can be.
func TestReadOnlyFile(t *testing.T) {
	folder := t.TempDir()
	asOrdinaryUser(t, folder, func() {
		path := filepath.Join(folder, "brenner.db")
		l := newLab(t, path, sqlite.Options{})
		l.whole()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o400); err != nil {
			t.Fatal(err)
		}
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			t.Fatalf("a database that can be read cannot be opened: %v", err)
		}
		defer s.Close()
		l.Store = s
		err = l.send(10)
		wantCode(t, err, protocol.StoreUnavailable)
		if !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("the error does not say why: %v", err)
		}
		if all := l.read(); len(all) != l.sent {
			t.Errorf("%d messages can be read, want %d", len(all), l.sent)
		}
		received, err := mail.NewService(s, mail.Project{ID: l.project}, mail.Options{}).
			Fetch(t.Context(), mail.InboxQuery{Agent: "RedSky"})
		if err != nil || len(received) != l.sent {
			t.Errorf("an inbox that can only be read: %d messages, %v", len(received), err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		l.whole()
	})
}

// TestFolderOfAnother: a folder that may not be written.
func TestFolderOfAnother(t *testing.T) {
	folder := t.TempDir()
	asOrdinaryUser(t, folder, func() {
		if err := os.Chmod(folder, 0o500); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chmod(folder, 0o700) }()
		_, err := sqlite.Open(t.Context(), filepath.Join(folder, "sub", "brenner.db"), sqlite.Options{})
		wantCode(t, err, protocol.StoreUnavailable)
	})
}
