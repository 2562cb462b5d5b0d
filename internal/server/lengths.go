package server

import (
	"net"
	"net/http"
)

// lengthHeader is the name whose second mention in one request is refused.
const lengthHeader = "content-length:"

// headReader is a connection that refuses requests with two lengths. net/http takes two equal ones for one, where another
// program on the way may take them for two requests. A second length is made unreadable before net/http sees it, which
// then answers 400 as it does for two that differ.
type headReader struct {
	net.Conn // another goroutine may close it meanwhile
	head
}

// head is how far the header of a request was read.
type head struct {
	inHead  bool // it is being read
	column  int  // in its line
	named   bool // the line begins like lengthHeader so far
	spoils  bool // the line is a second length
	lengths int  // lines that are one
}

// begin waits for the header of the next request.
func (h *headReader) begin() { h.head = head{inHead: true, named: true} }

func (h *headReader) Read(p []byte) (int, error) {
	n, err := h.Conn.Read(p)
	for i := 0; i < n && h.inHead; i++ {
		p[i] = h.look(p[i])
	}
	return n, err
}

// look follows the header by one byte, and returns what net/http is to see.
func (h *head) look(b byte) byte {
	switch {
	case b == '\r':
		return b
	case b == '\n':
		h.inHead = h.column > 0 // an empty line ends the header
		h.column, h.named, h.spoils = 0, true, false
		return b
	case h.named && h.column < len(lengthHeader):
		h.named = lower(b) == lengthHeader[h.column]
		if h.named && h.column == len(lengthHeader)-1 {
			h.lengths++
			h.spoils = h.lengths > 1
		}
	case h.spoils:
		b = '?'
	}
	h.column++
	return b
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// followRequests tells a connection when the next request begins.
func followRequests(c net.Conn, state http.ConnState) {
	if placed, ok := c.(*placed); ok && state == http.StateIdle {
		placed.head.begin()
	}
}
