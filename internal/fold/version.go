package fold

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
)

// Version is one published version of a thread's artifact.
type Version struct {
	Version      int           `json:"version"`
	MessageID    int64         `json:"message_id"`
	CompiledAt   string        `json:"compiled_at"`
	CompiledBy   string        `json:"compiled_by"`
	Subject      string        `json:"subject"`
	ArtifactHash *string       `json:"artifact_hash"` // null for one of a foreign server that names none
	Changes      merge.Changes `json:"changes"`
	Latest       bool          `json:"-"`
}

// Versions lists the versions that the thread had published when it was folded, oldest first. Their
// hashes are known to the store alone.
func (v *View) Versions() []Version {
	list, latest := []Version{}, v.Publication()
	for _, version := range v.Fold.Versions() {
		list = append(list, Version{
			Version: version.Number, MessageID: version.MessageID, CompiledAt: artifact.FormatTime(version.At),
			CompiledBy: version.By, Subject: version.Subject, Changes: version.Changes, Latest: version.MessageID == latest,
		})
	}
	return list
}
