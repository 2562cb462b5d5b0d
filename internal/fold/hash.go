package fold

import (
	"sync"

	"brenner/internal/artifact"
	"brenner/internal/canon"
)

// artifactSum is the hash of an artifact that no longer changes, made when it is first needed.
// Views that show one artifact share it.
type artifactSum struct {
	of   *artifact.Artifact
	hash func() (canon.Hash, error)
}

// hash returns the sum of the view's artifact, known or to be made.
func (v *View) hash() *artifactSum {
	a := v.Fold.Artifact()
	if v.sum != nil && v.sum.of == a {
		return v.sum
	}
	return &artifactSum{a, sync.OnceValues(a.Hash)}
}

// HashOnce makes a view that nobody else has yet, and that is folded no further, hash its artifact once.
func (v *View) HashOnce() { v.sum = v.hash() }

// Hash returns the artifact hash (PROTOCOL 14).
func (v *View) Hash() (canon.Hash, error) { return v.hash().hash() }

// Unhashed is Document without the hash, which takes time to make.
func (v *View) Unhashed() artifact.Document {
	return artifact.Document{Metadata: v.Fold.Metadata(), Artifact: v.Fold.Artifact()}
}

// Document returns the artifact with its front matter, as merge.State.Document does.
func (v *View) Document() artifact.Document {
	doc := v.Unhashed()
	if hash, err := v.Hash(); err == nil {
		doc.Metadata.ArtifactHash = hash.String()
	}
	return doc
}
