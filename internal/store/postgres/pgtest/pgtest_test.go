package pgtest

import (
	"net"
	"os"
	"strconv"
	"testing"
)

// listening tells whether a process answers on the server's port.
func (s *Server) listening() bool {
	conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err == nil {
		conn.Close()
	}
	return err == nil
}

func TestServerEndsWithItsOwner(t *testing.T) {
	s, err := launch(Fast)
	if err != nil {
		t.Fatal(err)
	}
	if !s.listening() {
		t.Error("the server was started and does not listen")
	}
	s.Crash(t)
	if s.listening() {
		t.Error("the server was stopped and listens")
	}
	s.Start(t)
	if !s.listening() {
		t.Error("the server was started again and does not listen")
	}
	s.orders.Close() // as when the process of the tests is killed
	_ = s.cmd.Wait()
	if s.listening() {
		t.Error("its owner is gone and the server listens")
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Errorf("its owner is gone and %s is there", s.dir)
	}
}

func TestSchemasAreFresh(t *testing.T) {
	if a, b := DSN(t), DSN(t); a == b {
		t.Errorf("two tests share %s", a)
	}
}
