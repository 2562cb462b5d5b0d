package pgtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"brenner/internal/needs"
)

// Pooler starts a PgBouncer in transaction mode in front of the server and returns its port. Clients are trusted to be the users that
// they say they are.
func (s *Server) Pooler(t testing.TB, users ...string) int {
	t.Helper()
	program := "pgbouncer"
	if _, err := exec.LookPath(program); err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	needs.Program(t, program)
	dir, err := os.MkdirTemp("", "brenner-pool-") //nolint:usetesting // an ordinary user must be able to reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for _, user := range users {
		fmt.Fprintf(&list, "%q \"\"\n", user)
	}
	config := fmt.Sprintf("[databases]\n* = host=127.0.0.1 port=%d\n[pgbouncer]\npool_mode = transaction\nauth_type = trust\nauth_file = "+
		"%s/users\n"+
		"listen_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\nlogfile = %s/log\npidfile = %s/pid\ndefault_pool_size = "+
		"25\nmax_client_conn = 500\n",
		s.port, dir, port, dir, dir)
	for name, text := range map[string]string{"users": list.String(), "pool.ini": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	name, args, err := asOrdinaryUser(dir)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, append(args, "-c", "exec "+program+" "+dir+"/pool.ini")...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
	})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			conn.Close()
			return port
		}
		if time.Now().After(end) {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Fatalf("pgtest: pgbouncer does not listen: %v\n%s", err, log)
		}
	}
}
