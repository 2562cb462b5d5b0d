package mail

import (
	"context"
	"crypto/sha256"
	"fmt"

	"brenner/internal/protocol"
)

// ProjectionKind names a family of derived data, such as folded states.
type ProjectionKind string

// Projection is data derived from the log up to a message, kept to save work. It may vanish
// at any time; its reader can make it again.
type Projection struct {
	Kind    ProjectionKind
	Key     string // such as a thread id
	Through int64  // id of the last message it was made from
	Data    []byte
}

// checksum covers everything of a projection, so that neither its data nor its place can change.
func (p *Projection) checksum() [sha256.Size]byte {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d:%s%d:%s%d:", len(p.Kind), p.Kind, len(p.Key), p.Key, p.Through)
	sum.Write(p.Data)
	var h [sha256.Size]byte
	sum.Sum(h[:0])
	return h
}

// Keep keeps derived data, with a checksum before it.
func Keep(ctx context.Context, store Projections, project ProjectID, p Projection) error {
	sum := p.checksum()
	p.Data = append(sum[:], p.Data...)
	return store.PutProjection(ctx, project, p)
}

// Kept returns what Keep kept. NOT_FOUND: nothing; KEPT_MISMATCH: it was changed since.
func Kept(ctx context.Context, store Projections, project ProjectID, kind ProjectionKind, key string) (Projection, error) {
	p, err := store.Projection(ctx, project, kind, key)
	if err != nil {
		return Projection{}, err
	}
	if len(p.Data) >= sha256.Size {
		sum := [sha256.Size]byte(p.Data[:sha256.Size])
		p.Data = p.Data[sha256.Size:]
		if sum == p.checksum() {
			return p, nil
		}
	}
	return Projection{}, protocol.Errorf(protocol.KeptMismatch, "what is kept as %s of %s was changed", kind, key)
}

// Keep keeps derived data of the project.
func (s *Service) Keep(ctx context.Context, p Projection) error {
	return Keep(ctx, s.store, s.project.ID, p)
}

// Kept returns what Keep kept.
func (s *Service) Kept(ctx context.Context, kind ProjectionKind, key string) (Projection, error) {
	return Kept(ctx, s.store, s.project.ID, kind, key)
}
