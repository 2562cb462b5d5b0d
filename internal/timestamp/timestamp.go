// Package timestamp asks for and checks time-stamps of RFC 3161. Requests and answers are files: a person takes them to an authority.
package timestamp

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"time"

	"github.com/digitorus/pkcs7"
	rfc3161 "github.com/digitorus/timestamp"

	"brenner/internal/protocol"
)

// Request asks for a time-stamp of a text: its SHA-256, with the certificate and without a nonce (SCIENCE 11).
func Request(text string) ([]byte, error) {
	sum := sha256.Sum256([]byte(text))
	return (&rfc3161.Request{HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Certificates: true}).Marshal()
}

// Answer is a response that was granted.
type Answer struct {
	Raw   []byte
	At    time.Time
	token *pkcs7.PKCS7
	sum   []byte
}

// Parse reads a response and checks its signature. INVALID_INPUT: it is none, was not granted, or is signed by nobody who can be seen.
func Parse(raw []byte) (Answer, error) {
	parsed, err := rfc3161.ParseResponse(raw)
	if err != nil {
		return Answer{}, refused("it is no granted response: %w", err)
	}
	token, err := pkcs7.Parse(parsed.RawToken)
	switch {
	case err != nil:
		return Answer{}, refused("its token cannot be read: %w", err)
	case parsed.HashAlgorithm != crypto.SHA256:
		return Answer{}, refused("it is not over a SHA-256")
	case len(token.Certificates) == 0: // the library checks no signature then
		return Answer{}, refused("it carries no certificate, so that its signature cannot be checked")
	}
	if err := token.Verify(); err != nil {
		return Answer{}, refused("its signature does not match: %w", err)
	}
	return Answer{raw, parsed.Time.UTC(), token, parsed.HashedMessage}, nil
}

// By names the certificate that made the answer.
func (a *Answer) By() string {
	if signer := a.token.GetOnlySigner(); signer != nil {
		return cmp.Or(signer.Subject.CommonName, signer.Subject.String())
	}
	return ""
}

// Key tells one authority from another: the hash of its certificate.
func (a *Answer) Key() string {
	if signer := a.token.GetOnlySigner(); signer != nil {
		return fmt.Sprintf("%x", sha256.Sum256(signer.Raw))
	}
	return ""
}

// Of tells whether the answer is about a text.
func (a *Answer) Of(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return bytes.Equal(a.sum, sum[:])
}

// Trusted checks that an authority among the certificates in a PEM file made it, at the time that it names and for the purpose of
// time-stamping. INVALID_INPUT: none did.
func (a *Answer) Trusted(pem []byte) error {
	roots, err := pool(pem)
	if err != nil {
		return err
	}
	err = a.token.VerifyWithOpts(x509.VerifyOptions{Roots: roots, CurrentTime: a.At,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	if err != nil {
		return refused("no authority that was named made it: %w", err)
	}
	return nil
}

// CheckAuthorities refuses a file without a certificate in PEM: INVALID_INPUT.
func CheckAuthorities(pem []byte) error {
	_, err := pool(pem)
	return err
}

func pool(pem []byte) (*x509.CertPool, error) {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, protocol.Errorf(protocol.InvalidInput, "the file of authorities has no certificate in PEM")
	}
	return roots, nil
}

func refused(format string, args ...any) error {
	return protocol.Errorf(protocol.InvalidInput, "the time-stamp is refused: "+format, args...)
}
