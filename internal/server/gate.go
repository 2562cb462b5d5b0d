package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"brenner/internal/protocol"
)

// gate decides by Host and Origin whether a request is meant for this server. A page of a foreign
// site may make a browser send requests here: its Origin gives it away, or, if it made its own
// name point to this machine, its Host.
type gate struct {
	loopback bool // listens on this machine only
	wildcard bool // listens on every address
	names    map[string]bool
}

func newGate(addr string, hosts []string) (gate, error) {
	host, port, err := net.SplitHostPort(addr)
	if _, named := net.LookupPort("tcp", port); err == nil {
		err = named
	}
	if err != nil {
		return gate{}, protocol.Errorf(protocol.Usage, "%q is no address; write host:port, such as 127.0.0.1:8765", addr)
	}
	g := gate{loopback: isLoopback(host), names: map[string]bool{}}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		g.wildcard = true
	} else {
		g.names[normalHost(host)] = true
	}
	for _, name := range hosts {
		g.names[normalHost(name)] = true
	}
	return g, nil
}

// Loopback tells whether only this machine can reach an address. One that cannot be read is not.
func Loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopback(host)
}

// isLoopback tells whether a host name or address is this machine and nothing else.
func isLoopback(host string) bool {
	host = normalHost(host)
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func normalHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// check refuses what is not meant for this server.
func (g *gate) check(r *http.Request) error {
	if !g.knows(r, hostOf(r.Host)) {
		return protocol.Errorf(protocol.NotAllowed, "this server is not reached under the name %q", r.Host)
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !g.knows(r, normalHost(u.Hostname())) {
			return protocol.Errorf(protocol.NotAllowed, "pages of %q have no access to this server", origin)
		}
	}
	return nil
}

// checkSite refuses what a page of another site made a browser send. Only browsers say where a request comes
// from, and no page but the server's own has business with MCP. The API has the same rule of its own.
func checkSite(r *http.Request) error {
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
		return nil
	default:
		return protocol.Errorf(protocol.NotAllowed, "a page of another site sent this request (Sec-Fetch-Site: %.40q)", site)
	}
}

// knows tells whether a host is this server. Behind a wildcard address any number of that
// machine's own addresses may be asked for, never a name that is not configured: an address cannot be
// made to point elsewhere.
func (g *gate) knows(r *http.Request, host string) bool {
	if host == "" {
		return false
	}
	if isLoopback(host) || g.names[host] {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	ip, err := netip.ParseAddr(host)
	return g.wildcard && ok && err == nil && local.AddrPort().Addr().Unmap() == ip.Unmap()
}

// hostOf takes the port off a Host header.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return normalHost(host)
	}
	return normalHost(header)
}
