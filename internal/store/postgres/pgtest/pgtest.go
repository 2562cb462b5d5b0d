// Package pgtest gives tests a PostgreSQL server of their own: a real one, in a temporary
// folder, run by an ordinary user, and gone when the tests are. Where the server is not installed
// tests that need it are skipped, or fail if REQUIRE_ALL is set.
package pgtest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"brenner/internal/needs"
)

// shared is the server of this process, started by the first test that asks for it. It ends
// with the process: see serve.sh.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// DSN returns the address of an empty schema on a server that all tests of this process
// share. That server does not sync to disk; for crashes and figures take Start.
func DSN(t testing.TB) string {
	t.Helper()
	installed(t)
	shared.once.Do(func() { shared.server, shared.err = launch(Fast) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.server.DSN()
}

// Start starts a server for one test, which may stop it and start it again.
func Start(t testing.TB, durability Durability) *Server {
	t.Helper()
	installed(t)
	s, err := launch(durability)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.end)
	return s
}

// Installed tells whether there is a server to start.
func Installed() bool {
	_, err := binaries()
	return err == nil
}

func installed(t testing.TB) {
	t.Helper()
	if _, err := binaries(); err != nil {
		needs.Missing(t, "PostgreSQL", err)
	}
}

var schemas atomic.Int64

// DSN returns the address of a schema that was never used.
func (s *Server) DSN() string {
	return fmt.Sprintf("%s?sslmode=disable&schema=test_%d", s.Address(), schemas.Add(1))
}

// Address returns the server's database, without a schema.
func (s *Server) Address() string {
	return fmt.Sprintf("postgres://brenner@127.0.0.1:%d/postgres", s.port)
}
