package merge

import (
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// Document returns the artifact with its front matter, both from the log alone (PROTOCOL 8).
// Version, compile time and compiler are those of the latest COMPILED message: the compiler of
// the next version fills in its own. The artifact is shared, as with Artifact.
func (s *State) Document() artifact.Document {
	doc := artifact.Document{Metadata: s.Metadata(), Artifact: s.Artifact()}
	if hash, err := doc.Artifact.Hash(); err == nil {
		doc.Metadata.ArtifactHash = hash.String()
	}
	return doc
}

// Metadata is the front matter of Document without the artifact's hash, which takes most of the time.
func (s *State) Metadata() artifact.Metadata {
	latest := s.latest()
	meta := artifact.Metadata{
		SessionID:          s.thread,
		Version:            latest.Number,
		Status:             s.status(),
		CreatedAt:          s.created,
		UpdatedAt:          s.updated,
		CompiledAt:         latest.At,
		CompiledBy:         latest.By,
		Contributors:       append([]string{}, s.shorthands...),
		ContributorDetails: s.details(),
	}
	if roster, ok := s.Roster(); ok {
		roster = roster.WithDefaults()
		meta.Roster = &roster
	}
	return meta
}

func (s *State) status() string {
	switch {
	case s.closed:
		return artifact.StatusClosed
	case len(s.versions) == 0:
		return artifact.StatusDraft
	}
	return artifact.StatusActive
}

// Contributors returns who had blocks accepted, in the order in which they first had: the contributor
// details of Document, without the work of the rest.
func (s *State) Contributors() []artifact.ContributorDetail { return s.details() }

// UpdatedAt is the time of the last message folded.
func (s *State) UpdatedAt() time.Time { return s.updated }

// details says who is behind the shorthands; role, program and model are the roster's.
func (s *State) details() []artifact.ContributorDetail {
	details := make([]artifact.ContributorDetail, 0, len(s.contributors))
	for _, c := range s.contributors {
		d := artifact.ContributorDetail{Agent: c.agent, Shorthand: c.shorthand, Deltas: c.deltas}
		if i := s.seats.rank(strings.ToLower(c.agent)); i >= 0 {
			e := s.seats.roster.Entries[i]
			d.Role, d.Program, d.Model = string(e.Role), e.Program, e.Model
		} else if s.seats.roster.Mode == protocol.ModeHeuristic {
			role, _ := protocol.Roster{Mode: protocol.ModeHeuristic}.RoleOf(c.agent)
			d.Role = string(role)
		}
		details = append(details, d)
	}
	return details
}
