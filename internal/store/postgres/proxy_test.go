package postgres_test

import (
	"bytes"
	"net"
	"strings"
	"sync"
	"testing"
)

// proxy stands between a store and its server, and can cut the line at a chosen moment.
type proxy struct {
	listener net.Listener
	server   string
	running  sync.WaitGroup

	mu    sync.Mutex
	cut   moment
	lines map[net.Conn]bool
	down  bool // no new lines
}

// moment is when the line is cut.
type moment int

const (
	never moment = iota
	// beforeCommit cuts when the transaction has begun, before its rows and its commit get
	// through.
	beforeCommit
	// afterCommit cuts when the server has committed, before its answer gets through.
	afterCommit
)

// What the server ends its answers with: inside a transaction, and outside.
var (
	inTransaction = []byte{'Z', 0, 0, 0, 5, 'T'}
	idle          = []byte{'Z', 0, 0, 0, 5, 'I'}
)

// newProxy returns a proxy, and the address that leads through it.
func newProxy(t testing.TB, dsn string) (*proxy, string) {
	t.Helper()
	_, rest, _ := strings.Cut(dsn, "@")
	server, _, _ := strings.Cut(rest, "/")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, server: server, lines: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.hangUp()
		p.running.Wait()
	})
	return p, strings.Replace(dsn, server, listener.Addr().String(), 1)
}

// arm has the next transaction cut.
func (p *proxy) arm(m moment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = m
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil || !p.add(client, server) {
			client.Close()
			continue
		}
		l := &line{proxy: p}
		p.running.Go(func() { p.pass(client, server, l.order) })
		p.running.Go(func() { p.pass(server, client, l.answer) })
	}
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return false
	}
	for _, c := range conns {
		p.lines[c] = true
	}
	return true
}

// pass copies one way until told not to, then ends both.
func (p *proxy) pass(from, to net.Conn, allowed func(data []byte) bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 1<<20)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !allowed(buffer[:n]) {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// line is one connection through the proxy.
type line struct {
	*proxy
	inside bool // a transaction has begun
}

// answer looks at what the server says, and tells whether it may pass.
func (l *line) answer(data []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inside && l.cut == afterCommit && bytes.HasSuffix(data, idle) {
		l.cut = never
		return false
	}
	l.inside = bytes.HasSuffix(data, inTransaction) || l.inside && !bytes.HasSuffix(data, idle)
	return true
}

// order looks at what the client says.
func (l *line) order([]byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inside && l.cut == beforeCommit {
		l.cut = never
		return false
	}
	return true
}

// hangUp ends all lines; with no new ones the server is out of reach.
func (p *proxy) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
	for c := range p.lines {
		c.Close()
	}
}
