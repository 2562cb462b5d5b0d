package pgtest

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

//go:embed serve.sh
var serve string

// Durability says whether a server waits for the disk.
type Durability string

// Fast does not, and loses data in a crash; Durable does, and has the memory of a small server
// for figures to mean something: the default is that of a toy.
const (
	Fast    Durability = "-c fsync=off -c full_page_writes=off"
	Durable Durability = "-c fsync=on -c shared_buffers=1GB -c max_wal_size=4GB"
)

// settings has a server that crashed come back in a fifth of the time where that is possible
// (Linux; PostgreSQL 14, the oldest that is still maintained, has it).
func (d Durability) settings() string {
	if d == Durable && runtime.GOOS == "linux" {
		return string(d) + " -c recovery_init_sync_method=syncfs"
	}
	return string(d)
}

// Server is a PostgreSQL server in a temporary folder.
type Server struct {
	dir    string
	port   int
	mu     sync.Mutex // one command at a time
	cmd    *exec.Cmd
	orders io.WriteCloser
	codes  *bufio.Reader
}

// launch makes a server and starts it.
func launch(durability Durability) (*Server, error) { return launchFrom(durability, "init") }

// launchFrom makes a server whose data an order brings.
func launchFrom(durability Durability, data string) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if s.dir, err = os.MkdirTemp("", "brenner-pg-"); err != nil {
		return nil, err
	}
	options := fmt.Sprintf("-k %s -c listen_addresses=127.0.0.1 -c max_connections=200 %s", s.dir, durability.settings())
	if err = s.supervise(bin, options); err == nil {
		err = s.order("%s", data)
	}
	for try := 0; err == nil; try++ { // another process may take the port first
		if s.port, err = freePort(); err != nil {
			break
		}
		startErr := s.order("start %d", s.port)
		if startErr == nil {
			return s, nil
		}
		if try == 2 {
			err = startErr
		}
	}
	s.end()
	return nil, err
}

// supervise starts the script that owns the server.
func (s *Server) supervise(bin, options string) error {
	name, args, err := asOrdinaryUser(s.dir)
	if err != nil {
		return err
	}
	s.cmd = exec.Command(name, append(args, "-c", serve, "serve.sh", bin, s.dir, options)...)
	s.cmd.Dir = s.dir
	orders, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	answers, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.orders, s.codes = orders, bufio.NewReader(answers)
	return s.cmd.Start()
}

// order has the script do something, and waits until it is done.
func (s *Server) order(format string, args ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := fmt.Sprintf(format, args...)
	_, err := fmt.Fprintln(s.orders, line)
	if err == nil {
		var code string
		if code, err = s.codes.ReadString('\n'); err == nil && code != "0\n" {
			err = errors.New("exit code " + strings.TrimSpace(code))
		}
	}
	if err != nil {
		return fmt.Errorf("pgtest: %s: %w\n%s", line, err, s.logs())
	}
	return nil
}

// logs returns what the server and its tools had to say, to explain a failure.
func (s *Server) logs() string {
	var all strings.Builder
	for _, name := range []string{"control.log", "server.log"} {
		text, _ := os.ReadFile(filepath.Join(s.dir, name))
		all.Write(text[max(0, len(text)-4000):])
	}
	return all.String()
}

// end stops the server for good and removes its folder.
func (s *Server) end() {
	if s.orders != nil {
		s.orders.Close()
	}
	if s.cmd != nil && s.cmd.Process != nil {
		_ = s.cmd.Wait()
	}
	os.RemoveAll(s.dir)
}

// Start starts the server again.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.order("start %d", s.port); err != nil {
		t.Fatal(err)
	}
}

// Recover starts the server again in recovery, where it stays until Promote: it can be read, not written.
func (s *Server) Recover(t testing.TB) {
	t.Helper()
	s.Stop(t)
	if err := s.order("standby"); err != nil {
		t.Fatal(err)
	}
	s.Start(t)
}

// Standby starts a server that follows this one as a streaming standby. From then on a commit waits until it is there
// too, as long as it runs.
func (s *Server) Standby(t testing.TB, durability Durability) *Server {
	t.Helper()
	standby, err := launchFrom(durability, fmt.Sprintf("copy %d", s.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.end)
	s.sql(t, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	return standby
}

// Port is where the server listens.
func (s *Server) Port() int { return s.port }

// sql runs statements as the server's owner.
func (s *Server) sql(t testing.TB, statements ...string) {
	t.Helper()
	var args []string
	for _, statement := range statements {
		args = append(args, "-c", statement)
	}
	s.Psql(t, "postgres", args...)
}

// Psql runs psql in a database as the server's owner.
func (s *Server) Psql(t testing.TB, database string, args ...string) {
	t.Helper()
	bin, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "brenner", "-d", database, "-q", "-v", "ON_ERROR_STOP=1"},
		args...)
	if out, err := exec.Command(filepath.Join(bin, "psql"), args...).CombinedOutput(); err != nil {
		t.Fatalf("pgtest: psql %q: %v\n%s", args, err, out)
	}
}

// Sever ends all connections to the server but its standby's, as a network that fails does.
func (s *Server) Sever(t testing.TB) {
	t.Helper()
	s.sql(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
}

// Promote ends the recovery.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	if err := s.order("promote"); err != nil {
		t.Fatal(err)
	}
}

// Stop stops the server in an orderly way; clients are thrown out.
func (s *Server) Stop(t testing.TB) { s.stop(t, "fast") }

// Crash stops the server at once, as a kill would: it recovers from its log when it starts
// again.
func (s *Server) Crash(t testing.TB) { s.stop(t, "immediate") }

func (s *Server) stop(t testing.TB, mode string) {
	t.Helper()
	if err := s.order("stop %s", mode); err != nil {
		t.Fatal(err)
	}
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Configure starts the server again with a file of settings; what the test needs otherwise stays.
func (s *Server) Configure(t testing.TB, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, "data", "postgresql.conf"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Stop(t)
	s.Start(t)
}

// Ask returns the result of a query as text, one line for each row.
func (s *Server) Ask(t testing.TB, query string) string {
	t.Helper()
	bin, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(bin, "psql"), "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "brenner", "-d", "postgres",
		"-At", "-c", query).CombinedOutput()
	if err != nil {
		t.Fatalf("pgtest: %s: %v\n%s", query, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Running is a server that another process started: for figures that take hours to prepare. Its owner is brenner.
func Running(port int) *Server { return &Server{port: port} }
