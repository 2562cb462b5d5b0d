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
	never        moment = iota
	beforeCommit        // the rows, and the commit behind them, do not get through
	afterCommit         // the server has committed, and its answer does not get through
)

// What the moments are known by: the text of a message, and the server's word for a commit.
var (
	theRows   = []byte("body of")
	theCommit = []byte("COMMIT\x00")
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
		p.running.Go(func() { p.pass(client, server, p.order) })
		p.running.Go(func() { p.pass(server, client, p.answer) })
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

// order looks at what the client says, and tells whether it may pass.
func (p *proxy) order(data []byte) bool { return p.passes(data, beforeCommit, theRows) }

// answer looks at what the server says.
func (p *proxy) answer(data []byte) bool { return p.passes(data, afterCommit, theCommit) }

func (p *proxy) passes(data []byte, when moment, sign []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut != when || !bytes.Contains(data, sign) {
		return true
	}
	p.cut = never
	return false
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
