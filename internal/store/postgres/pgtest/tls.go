package pgtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority signs certificates of servers.
type Authority struct {
	File string // its own certificate, for sslrootcert
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority makes an authority that lasts as long as the test.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{File: filepath.Join(t.TempDir(), "ca.crt"), key: newKey(t), cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "pgtest"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().
				Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	keep(t, a.File, "CERTIFICATE", a.sign(t, a.cert, &a.key.PublicKey))
	return a
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (a *Authority) sign(t testing.TB, cert *x509.Certificate, public *ecdsa.PublicKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, public, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func keep(t testing.TB, file, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Encrypt has the server take encrypted connections, with a certificate for 127.0.0.1 that an authority signs.
func (s *Server) Encrypt(t testing.TB, by *Authority) {
	t.Helper()
	key := newKey(t)
	cert := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(s.dir, "data")
	s.own(t, filepath.Join(data, "server.crt"), "CERTIFICATE", by.sign(t, cert, &key.PublicKey))
	s.own(t, filepath.Join(data, "server.key"), "EC PRIVATE KEY", secret)
	s.sql(t, "ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()")
}

// own keeps a file for the server's user, who alone may read it.
func (s *Server) own(t testing.TB, file, kind string, der []byte) {
	t.Helper()
	keep(t, file, kind, der)
	if _, _, err := asOrdinaryUser(file); err != nil {
		t.Fatal(err)
	}
}
