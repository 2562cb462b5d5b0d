//go:build !unix

package evidencepack

import (
	"os"

	"brenner/internal/protocol"
)

// lockFolder cannot keep other processes out here; a change that another one made meanwhile is refused
// when the staged files are put in place.
func lockFolder(folder *os.File) error {
	if folder == nil {
		return protocol.Errorf(protocol.Unwritable, "the evidence folder cannot be opened")
	}
	return nil
}
