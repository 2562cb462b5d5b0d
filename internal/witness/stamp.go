package witness

import (
	"context"

	"brenner/internal/journal"
	"brenner/internal/protocol"
	"brenner/internal/timestamp"
)

// Stamp takes the answer of a time-stamping authority to the kept checkpoint that it names. NOT_FOUND: there is none. Without
// the certificates of authorities nobody is trusted, and a finding says so.
func (k Keeper) Stamp(ctx context.Context, raw, authorities []byte) (Kept, []protocol.Finding, error) {
	answer, err := timestamp.Parse(raw)
	if err != nil {
		return Kept{}, nil, err
	}
	all, err := k.All(ctx)
	if err != nil {
		return Kept{}, nil, err
	}
	for i := range all {
		if !answer.Of(all[i].Note) {
			continue
		}
		findings := []protocol.Finding{}
		if authorities == nil {
			findings = append(findings, protocol.NewFinding(protocol.UnknownAuthority, "nobody named the authority of the time-stamp"))
		} else if err := answer.Trusted(authorities); err != nil {
			return Kept{}, nil, err
		}
		c, err := journal.ParseNote(all[i].Note)
		if err != nil {
			return Kept{}, nil, err
		}
		kept, err := k.keep(ctx, c, Kept{Witnessed: journal.Witnessed{Note: all[i].Note, Timestamp: raw}})
		return kept, findings, err
	}
	return Kept{}, nil, protocol.Errorf(protocol.NotFound, "no checkpoint that was kept has the hash that the time-stamp names")
}

// StampedAt is the time that the time-stamp of a checkpoint names, empty without one.
func (k *Kept) StampedAt() string {
	if answer, err := timestamp.Parse(k.Timestamp); err == nil {
		return answer.At.Format("2006-01-02T15:04:05.000000Z")
	}
	return ""
}
