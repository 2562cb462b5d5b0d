package crate

import (
	"strings"
	"time"

	"github.com/hiddeco/sshsig"

	"brenner/internal/protocol"
)

// noteNamespace keeps a signature of a checkpoint from being taken for one of a crate (SCIENCE 11).
const noteNamespace = "brenner-checkpoint"

// SignNote signs the note of a checkpoint.
func (s *Signer) SignNote(note string) (string, error) { return s.sign(note, noteNamespace) }

// CheckNote checks a signature of a note. A signer whom nobody named is known by the fingerprint of its key. INVALID_INPUT: it is no
// signature of this note.
func CheckNote(note, armored string, trusted Signers, now time.Time) (Signature, error) {
	signature, err := unarmor([]byte(armored))
	if err == nil {
		err = sshsig.Verify(strings.NewReader(note), signature, signature.PublicKey, signature.HashAlgorithm, noteNamespace)
	}
	if err != nil {
		return Signature{State: Unsigned}, protocol.Errorf(protocol.InvalidInput, "this is no signature of the checkpoint for %q: %w",
			noteNamespace, err)
	}
	if name, known := trusted.Find(signature.PublicKey, noteNamespace, now); known {
		return Signature{Valid, name}, nil
	}
	return Signature{Unknown, fingerprintOf(signature)}, nil
}
