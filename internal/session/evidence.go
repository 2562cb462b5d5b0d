package session

import (
	"strings"

	"brenner/internal/evidence"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Library returns the transcript and the evidence pack of the project; nil if it has neither.
// INVALID_EVIDENCE_INDEX: the pack cannot be read.
func (s *Sessions) Library() (*evidence.Library, error) {
	if s.settings.Library == nil {
		return nil, nil
	}
	return s.settings.Library()
}

// Library returns the transcript and the evidence pack as they were when the session was taken; nil if there is neither. An error says why
// the pack cannot be read.
func (s *Session) Library() (*evidence.Library, error) { return s.library, s.broken }

// Pack returns the evidence pack; NOT_FOUND: the project has none.
func (s *Sessions) Pack() (*evidence.Pack, error) {
	library, err := s.Library()
	if err == nil && (library == nil || library.Pack == nil) {
		err = protocol.Errorf(protocol.NotFound, "the project has no evidence pack yet: adding a file makes one").
			Doing(protocol.Operation("evidence.add").Giving("file"))
	}
	if err != nil {
		return nil, err
	}
	return library.Pack, nil
}

// Source returns a source of the pack, NOT_FOUND if there is none.
func (s *Sessions) Source(id string) (*evidence.Source, error) {
	pack, err := s.Pack()
	if err != nil {
		return nil, err
	}
	if source := pack.Source(id); source != nil {
		return source, nil
	}
	return nil, protocol.Errorf(protocol.NotFound, "the evidence pack has no %s", id)
}

// shown tells whether what a result cites is in the pack: a source, or a passage of one. NOT_FOUND: it is not.
func (s *Sessions) shown(cited string) error {
	id, excerpt, passage := strings.Cut(cited, "#")
	source, err := s.Source(id)
	if err != nil || !passage {
		return err
	}
	if _, ok := source.Excerpt(excerpt); !ok {
		return protocol.Errorf(protocol.NotFound, "the evidence pack has no %s", cited)
	}
	return nil
}

// evidence lists the sources that a version cites, with their hashes (SCIENCE 1, under the chain). Nil:
// the project has no pack.
func (o *Outcome) evidence() []message.EvidenceHash {
	if o.library == nil || o.library.Pack == nil {
		return nil
	}
	list := []message.EvidenceHash{}
	for _, id := range o.Lint.Evidence.Cited {
		if source := o.library.Pack.Source(id); source != nil {
			list = append(list, message.EvidenceHash{ID: id, SHA256: source.Hash()})
		}
	}
	return list
}
