package mcpserver

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// ticket is what the id of a session says: it is the session, as far as one needs to be kept. Its seal shows
// that a server of this store gave it, so that every one of them can serve it, also after a restart.
type ticket struct {
	issued time.Time
	nonce  [12]byte
	bearer [8]byte // of the token that opened it; zero: it was opened without one
}

// The parts of a ticket as bytes: a form, the time in milliseconds, nonce, bearer, and the seal.
const (
	ticketForm = 1
	sealStart  = 1 + 8 + 12 + 8
	ticketSize = sealStart + 16
)

// secretSize is that of the key that seals.
const secretSize = 32

func newTicket(now time.Time, bearer string) ticket {
	t := ticket{issued: now.Truncate(time.Millisecond).UTC(), bearer: bearerMark(bearer)}
	rand.Read(t.nonce[:]) // it never fails
	return t
}

// bearerMark identifies who opened a session.
func bearerMark(bearer string) (mark [8]byte) {
	if bearer != "" {
		sum := sha256.Sum256([]byte("bearer\n" + bearer))
		copy(mark[:], sum[:])
	}
	return mark
}

// of tells whether a bearer may use a session: any may use one that was opened without a token.
func (t *ticket) of(bearer string) bool {
	return t.bearer == [8]byte{} || t.bearer == bearerMark(bearer)
}

// key is the name of the session among the notes of the store.
func (t *ticket) key() string { return hex.EncodeToString(t.nonce[:]) }

// seal writes the ticket.
func (t *ticket) seal(secret []byte) string {
	b := make([]byte, 0, ticketSize)
	b = append(b, ticketForm)
	b = binary.BigEndian.AppendUint64(b, uint64(t.issued.UnixMilli()))
	b = append(append(b, t.nonce[:]...), t.bearer[:]...)
	return base64.RawURLEncoding.EncodeToString(append(b, sealOf(secret, b)...))
}

func sealOf(secret, b []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("mcp session\n"))
	mac.Write(b)
	return mac.Sum(nil)[:ticketSize-sealStart]
}

// readTicket reads what seal wrote. It is false for everything else.
func readTicket(id string, secret []byte) (t ticket, genuine bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(b) != ticketSize || b[0] != ticketForm || !hmac.Equal(b[sealStart:], sealOf(secret, b[:sealStart])) {
		return t, false
	}
	t.issued = time.UnixMilli(int64(binary.BigEndian.Uint64(b[1:]))).UTC()
	copy(t.nonce[:], b[9:])
	copy(t.bearer[:], b[21:])
	return t, true
}
