package witness

import (
	"slices"
	"sync"

	"brenner/internal/atomicfile"
	"brenner/internal/crate"
	"brenner/internal/journal"
	"brenner/internal/protocol"
)

// Cosigner signs checkpoints of others in the name of one person, who remembers what was signed last.
type Cosigner struct {
	Signer  *crate.Signer
	Origins []string // of journals; nil: every one
}

// signing lets this process sign one at a time where the system has no locks.
var signing sync.Mutex

// Cosign holds the checkpoint in a file against the last one of its journal that this person signed, and adds a signature to the
// file. What is signed is remembered before the signature leaves. NOT_CONSISTENT: it does not continue that one. NOT_ALLOWED: nobody
// said that this journal is witnessed here.
func (c Cosigner) Cosign(f *File) error {
	at, err := journal.ParseNote(f.Note)
	if err != nil {
		return err
	}
	if c.Origins != nil && !slices.Contains(c.Origins, at.Origin) {
		return protocol.Errorf(protocol.NotAllowed, "%s is not witnessed here", at.Origin)
	}
	path, err := seenFile()
	if err != nil {
		return err
	}
	signing.Lock()
	defer signing.Unlock()
	// Two of the same size must not both be the first.
	return atomicfile.Locked(path+".lock", func() error { return c.sign(f, at) })
}

func (c Cosigner) sign(f *File, at journal.Checkpoint) error {
	seen, err := lastSeen()
	if err != nil {
		return err
	}
	var last *Seen
	if found, ok := seen[at.Origin]; ok {
		last = &found
	}
	signed := *f
	if seen[at.Origin], err = signed.Cosign(at, last, c.Signer); err != nil {
		return err
	}
	if err := remember(seen); err != nil {
		return err
	}
	*f = signed
	return nil
}
