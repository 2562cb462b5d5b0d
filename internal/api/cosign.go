package api

import (
	"context"

	"brenner/internal/protocol"
)

// CheckpointFile is a checkpoint as it travels between colleagues (SCIENCE 11).
type CheckpointFile struct {
	Note       string            `json:"note"`
	Signatures []string          `json:"signatures"`
	Timestamp  *string           `json:"timestamp"` // base64; null: none
	Proofs     []CheckpointProof `json:"proofs"`
}

// CheckpointProof is a consistency proof from an earlier checkpoint.
type CheckpointProof struct {
	From   int64    `json:"from"`
	Hashes []string `json:"hashes"`
}

// cosign adds the signature of who serves to a colleague's checkpoint. It changes nothing of the project.
func (a *API) cosign(_ context.Context, _ Caller, in CheckpointFile) (CheckpointFile, error) {
	if a.deps.Cosign == nil {
		return in, protocol.Errorf(protocol.NotAllowed, "this server witnesses nothing: it was started without a key")
	}
	return a.deps.Cosign(in)
}
