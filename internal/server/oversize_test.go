package server_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
	"brenner/internal/server"
)

// head is a request to /mcp/ up to what it says about its length.
const head = "POST /mcp/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

// TestDeclaredTooLarge: whatever a client does after it has declared too large a body, it gets its answer, and at once.
func TestDeclaredTooLarge(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Limits: server.Limits{Body: 1000}})
	const size = 20 << 20
	declared := fmt.Sprintf("%sContent-Length: %d\r\n", head, size)
	for name, play := range map[string]func(c net.Conn){
		"waits for the answer":      func(c net.Conn) { send(t, c, declared+"\r\n") },
		"begins, then waits":        func(c net.Conn) { send(t, c, declared+"\r\n{") },
		"asks first":                func(c net.Conn) { send(t, c, declared+"Expect: 100-continue\r\n\r\n") },
		"wants no more":             func(c net.Conn) { send(t, c, declared+"Connection: close\r\n\r\n") },
		"sends all before it reads": func(c net.Conn) { send(t, c, declared+"\r\n"+strings.Repeat(" ", size)) },
		"on a connection in use": func(c net.Conn) {
			send(t, c, head+"Content-Length: 2\r\n\r\n{}")
			expect(t, c, http.StatusOK)
			send(t, c, declared+"\r\n{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := dial(t, h.addr, "")
			play(c)
			began := time.Now()
			if body := expect(t, c, http.StatusRequestEntityTooLarge); errorCode(t, body) != protocol.MessageTooLarge {
				t.Errorf("%s", body)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("the answer took %v", took)
			}
		})
	}
}

// TestTwoLengths: a request that declares its length twice is refused, equal or not, also on a connection in use; a body that
// looks like a header is none.
func TestTwoLengths(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{})
	const two = "Content-Length: 2\r\ncontent-length: 2\r\n\r\n{}"
	refused := func(t *testing.T, c net.Conn) {
		t.Helper()
		expect(t, c, http.StatusBadRequest)
	}
	t.Run("equal", func(t *testing.T) { refused(t, dial(t, h.addr, head+two)) })
	t.Run("different", func(t *testing.T) { refused(t, dial(t, h.addr, head+strings.Replace(two, "2", "3", 1))) })
	t.Run("one byte at a time", func(t *testing.T) {
		c := dial(t, h.addr, "")
		// The answer comes with the end of the head, and the connection ends: there is nobody to send the body to.
		for _, b := range []byte(strings.TrimSuffix(head+two, "{}")) {
			send(t, c, string(rune(b)))
		}
		refused(t, c)
	})
	t.Run("on a connection in use", func(t *testing.T) {
		c := dial(t, h.addr, "")
		for range 3 {
			body := "\r\n\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"
			send(t, c, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body))
			expect(t, c, http.StatusOK)
		}
		send(t, c, head+two)
		refused(t, c)
	})
}

// TestSendsOn: the answer does not wait for a client that never ends, and the server does not listen to it for ever.
func TestSendsOn(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{Limits: server.Limits{Body: 1000, BodyTime: time.Second}})
	c := dial(t, h.addr, head+"Content-Length: 1099511627776\r\n\r\n")
	ended := make(chan error, 1)
	go func() {
		for piece := bytes.Repeat([]byte(" "), 64<<10); ; {
			if _, err := c.Write(piece); err != nil {
				ended <- err
				return
			}
		}
	}()
	expect(t, c, http.StatusRequestEntityTooLarge)
	if err := <-ended; errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the server goes on reading")
	}
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatalf("cut off while sending: %v", err)
	}
}

// expect reads one answer.
func expect(t *testing.T, c net.Conn, status int) string {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		t.Fatalf("%d %s, %v; want %d", res.StatusCode, body, err, status)
	}
	return string(body)
}
