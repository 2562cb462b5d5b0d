package journal

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Tree is the tree over the lines of a journal, with every hash at hand.
type Tree struct {
	size   int64
	hashes []tlog.Hash // in the order of tlog.StoredHashIndex
}

// Add appends the line of a leaf.
func (t *Tree) Add(line string) {
	added, err := tlog.StoredHashes(t.size, []byte(line), tlog.HashReaderFunc(t.read))
	if err != nil {
		panic(err) // every hash is there
	}
	t.hashes = append(t.hashes, added...)
	t.size++
}

func (t *Tree) read(indexes []int64) ([]tlog.Hash, error) {
	list := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		if at < 0 || at >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("the journal has no hash %d", at)
		}
		list[i] = t.hashes[at]
	}
	return list, nil
}

// Size is the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Root is the hash of the tree of the first size leaves, which are there.
func (t *Tree) Root(size int64) Root {
	h, err := tlog.TreeHash(size, tlog.HashReaderFunc(t.read))
	if err != nil {
		panic(err)
	}
	return Root(h)
}

// Origin names the journal by its first leaf.
func (t *Tree) Origin() string { return origin(t.hashes[0]) }

// OriginOf is the origin of a journal whose first leaf has this line.
func OriginOf(line string) string { return origin(tlog.RecordHash([]byte(line))) }

func origin(first tlog.Hash) string { return "brenner/" + hex.EncodeToString(first[:])[:16] }

// Consistency proves that the tree of the first size leaves begins with that of the first from.
func (t *Tree) Consistency(from, size int64) (Proof, error) {
	p, err := tlog.ProveTree(size, from, tlog.HashReaderFunc(t.read))
	return Proof(p), err
}

// Inclusion proves that leaf n is in the tree of the first size leaves.
func (t *Tree) Inclusion(n, size int64) (Proof, error) {
	p, err := tlog.ProveRecord(size, n, tlog.HashReaderFunc(t.read))
	return Proof(p), err
}

// Root is the root hash of a tree.
type Root tlog.Hash

// Base64 is the root as notes have it.
func (r Root) Base64() string { return base64.StdEncoding.EncodeToString(r[:]) }

// Proof is the list of hashes of an RFC 6962 proof.
type Proof []tlog.Hash

// texts are the hashes in base64, as JSON has them.
func (p Proof) texts() []string {
	list := make([]string, len(p))
	for i := range p {
		list[i] = base64.StdEncoding.EncodeToString(p[i][:])
	}
	return list
}

func parseProof(texts []string) (Proof, error) {
	p := make(Proof, len(texts))
	for i, text := range texts {
		hash, err := parseRoot(text)
		if err != nil {
			return nil, err
		}
		p[i] = tlog.Hash(hash)
	}
	return p, nil
}

func parseRoot(text string) (Root, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) != tlog.HashSize {
		return Root{}, fmt.Errorf("%q is no hash in base64", text)
	}
	return Root(data), nil
}
