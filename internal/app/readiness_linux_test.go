package app_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/app"
)

// mayMount runs the rest of a test where it may mount: here as root, else in a user namespace of
// its own. It is false in the parent, which has then seen the outcome.
func mayMount(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() == 0 {
		return true
	}
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
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

// mount puts a small file system, or a folder, in the place of a folder.
func mount(t *testing.T, source, folder string, flags uintptr, data string) (unmount func()) {
	t.Helper()
	if err := syscall.Mount(source, folder, "tmpfs", flags, data); err != nil {
		t.Fatal(err)
	}
	done := false
	unmount = func() {
		if !done {
			done = true
			if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(unmount)
	return unmount
}

// turns waits until readiness answers with a status, which it has to within seconds.
func (s *served) turns(t *testing.T, want int, saying string) {
	t.Helper()
	began := time.Now()
	for {
		status, body := s.do(t, http.MethodGet, "/health/readiness", "", nil)
		if status == want && strings.Contains(body, saying) {
			return
		}
		if time.Since(began) > 5*time.Second {
			t.Fatalf("still %d %s, want %d %s", status, body, want, saying)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestReadinessOfFullDisk: a server whose disk is full says that it is not ready, still shows its mail,
// and is ready again when there is room.
func TestReadinessOfFullDisk(t *testing.T) {
	if !mayMount(t) {
		return
	}
	dir := t.TempDir()
	mount(t, "tmpfs", dir, 0, "size=6m")
	s := serveIn(t, dir, app.ServeOptions{})
	s.turns(t, http.StatusOK, `"status":"ready"`)
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	_ = filler.Close()
	s.turns(t, http.StatusServiceUnavailable, "the disk is full")
	if status, body := s.do(t, http.MethodGet, "/health/liveness", "", nil); status != http.StatusOK {
		t.Errorf("liveness: %d %s", status, body)
	}
	if status, body := s.do(t, http.MethodPost, "/mcp/", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil); status != http.StatusOK {
		t.Errorf("tools/list: %d %s", status, body)
	}
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	s.turns(t, http.StatusOK, `"status":"ready"`)
}

// TestReadinessOfReadOnlyStore: the file is replaced by one on a file system that cannot be written, as a
// failing disk is mounted again; then the old one is back.
func TestReadinessOfReadOnlyStore(t *testing.T) {
	if !mayMount(t) {
		return
	}
	s := serve(t, app.ServeOptions{})
	s.turns(t, http.StatusOK, `"status":"ready"`)
	status, err := s.app.Store.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	disk := t.TempDir()
	mount(t, "tmpfs", disk, 0, "size=32m")
	copyFile(t, status.Location, filepath.Join(disk, filepath.Base(status.Location)))
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	unmount := mount(t, disk, filepath.Dir(status.Location), syscall.MS_BIND, "")
	s.turns(t, http.StatusServiceUnavailable, "STORE_UNAVAILABLE")
	unmount()
	s.turns(t, http.StatusOK, `"status":"ready"`)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
