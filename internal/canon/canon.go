// Package canon hashes JSON in its canonical form (RFC 8785), so that equal data has equal
// hashes whatever the order of keys or the spelling of numbers. It is the one owner of the
// library that knows the form.
package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/gowebpki/jcs"
)

// Hash is a SHA-256; it prints as hex.
type Hash [sha256.Size]byte

// String returns the hash as 64 hex digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads what String writes.
func ParseHash(text string) (Hash, bool) {
	var h Hash
	if len(text) != hex.EncodedLen(len(h)) {
		return h, false
	}
	n, err := hex.Decode(h[:], []byte(text))
	return h, err == nil && n == len(h)
}

// Sum hashes the canonical form of a JSON text, with a prefix before it.
func Sum(prefix []byte, text []byte) (Hash, error) {
	form, err := jcs.Transform(text)
	if err != nil {
		return Hash{}, err
	}
	sum := sha256.New()
	sum.Write(prefix)
	sum.Write(form)
	var h Hash
	sum.Sum(h[:0])
	return h, nil
}

// SumTexts hashes texts so that their borders count.
func SumTexts(texts ...string) Hash {
	sum := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(sum, "%d:", len(text))
		sum.Write([]byte(text))
	}
	var h Hash
	sum.Sum(h[:0])
	return h
}
