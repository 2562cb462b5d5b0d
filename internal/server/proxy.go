package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// The headers that a trusted proxy sets. A proxy must take away what a client sent under these names.
const (
	// PersonHeader names the person whom the proxy has signed in.
	PersonHeader = "X-Forwarded-User"
	// SecretHeader shows that it is the proxy that speaks: whoever runs a program on its machine has its address too.
	SecretHeader    = "X-Brenner-Proxy-Secret"
	forwardedFor    = "X-Forwarded-For"
	forwardedScheme = "X-Forwarded-Proto"
)

// maxPerson bounds the name of a person, in bytes.
const maxPerson = 200

// shortestSecret is the least that a proxy's secret has, in bytes.
const shortestSecret = 16

// proxies are the machines whose word about a request is taken: from where it comes and by which scheme, and, from those that show the
// secret, who asks.
type proxies struct {
	from      []netip.Prefix
	secret    string          // empty: nobody is believed about people
	operators map[string]bool // people who may act for all; others read
}

type proxiedKey struct{}

// proxied is what a trusted proxy said of a request.
type proxied struct {
	person string // empty: no one was signed in
	https  bool
}

// newProxies reads addresses and ranges such as 10.0.0.0/8. USAGE: one cannot be read.
func newProxies(from []string, secret string, operators []string) (*proxies, error) {
	p := &proxies{operators: map[string]bool{}, secret: secret}
	for _, text := range from {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			ip, err := netip.ParseAddr(text)
			if err != nil {
				return nil, protocol.Errorf(protocol.Usage, "%q is no address of a proxy; write 127.0.0.1, or a range such as 10.0.0.0/8",
					text)
			}
			prefix = netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen())
		}
		p.from = append(p.from, prefix.Masked())
	}
	for _, name := range operators {
		p.operators[name] = true
	}
	switch {
	case len(p.operators) > 0 && secret == "":
		return nil, protocol.Errorf(protocol.Usage,
			"people are known by a proxy only: an operator's person needs one that is trusted with people").
			Doing(protocol.Given("trust-people"))
	case secret != "" && len(p.from) == 0:
		return nil, protocol.Errorf(protocol.Usage, "a proxy that is trusted with people needs an address that is trusted").
			Doing(protocol.Given("trust-proxy"))
	case secret != "" && len(secret) < shortestSecret:
		return nil, protocol.Errorf(protocol.Usage, "the secret of the proxy has %d bytes; it needs %d", len(secret), shortestSecret)
	}
	return p, nil
}

func (p *proxies) trust(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, prefix := range p.from {
		if prefix.Contains(ip.Unmap().WithZone("")) {
			return true
		}
	}
	return false
}

// resolve takes what a trusted proxy says of a request. From other clients those headers mean nothing.
// NOT_ALLOWED: the proxy names several people, or an empty name.
func (p *proxies) resolve(r *http.Request) (*http.Request, error) {
	if !p.trust(r) {
		return r, nil
	}
	said := proxied{https: strings.EqualFold(r.Header.Get(forwardedScheme), "https")}
	switch people := r.Header.Values(PersonHeader); {
	case !p.speaks(r):
	case len(people) > 1:
		return nil, protocol.Errorf(protocol.NotAllowed, "the proxy names %d people in %s", len(people), PersonHeader)
	case len(people) == 1:
		if said.person = strings.TrimSpace(people[0]); said.person != "" && !validPerson(said.person) {
			return nil, protocol.Errorf(protocol.NotAllowed, "%s holds no name of a person", PersonHeader)
		}
	}
	r = r.WithContext(context.WithValue(r.Context(), proxiedKey{}, said))
	// The proxy itself appends the last address; those before it are the client's word.
	if all := r.Header.Values(forwardedFor); len(all) > 0 {
		last := all[len(all)-1]
		last = strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])
		if ip, err := netip.ParseAddr(last); err == nil {
			r.RemoteAddr = net.JoinHostPort(ip.Unmap().String(), "0")
		}
	}
	return r, nil
}

// speaks tells whether a request shows the secret of a proxy that may name people. Comparing hashes takes as long for every guess.
func (p *proxies) speaks(r *http.Request) bool {
	shown, want := sha256.Sum256([]byte(r.Header.Get(SecretHeader))), sha256.Sum256([]byte(p.secret))
	return p.secret != "" && subtle.ConstantTimeCompare(shown[:], want[:]) == 1
}

func validPerson(name string) bool {
	return len(name) <= maxPerson && utf8.ValidString(name) &&
		strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// person is who a trusted proxy says asks. false: it said nothing.
func (p *proxies) person(r *http.Request) (Identity, bool) {
	said, _ := r.Context().Value(proxiedKey{}).(proxied)
	if p.operators[said.person] {
		return Identity{Name: said.person, Agent: mail.Operator, Operator: true}, true
	}
	return Identity{Name: said.person, Reader: true}, said.person != ""
}

// secure tells whether the browser reached us over TLS.
func secure(r *http.Request) bool {
	said, _ := r.Context().Value(proxiedKey{}).(proxied)
	return r.TLS != nil || said.https
}
