package evidence

import (
	"slices"

	"brenner/internal/literature"
	"brenner/internal/protocol"
)

// TextBy says where the text of a source comes from.
type TextBy string

// The two ways.
const (
	TextSupplied  TextBy = "supplied"  // given by hand, with --text
	TextExtracted TextBy = "extracted" // taken from the file
)

// Status says where a source stands (SCIENCE 1, where a source stands).
type Status string

// The four states.
const (
	Current    Status = "current"
	Corrected  Status = "corrected"
	Retracted  Status = "retracted"
	Superseded Status = "superseded"
)

// Statuses are all states, the best first.
var Statuses = []Status{Current, Corrected, Retracted, Superseded}

// ParseStatus reads a state.
func ParseStatus(text string) (Status, bool) {
	return Status(text), slices.Contains(Statuses, Status(text))
}

// Standing is the state of a source; one that nobody marked is current.
func (s *Source) Standing() Status {
	if s.Status == "" {
		return Current
	}
	return s.Status
}

// leastAgreement is the part of a supplied text that must stand in the file.
const leastAgreement = 0.8

// Doubts says what is doubtful about a source itself: EV-Q07, a text that is not the file's own.
func (s *Source) Doubts() []protocol.Finding {
	if s.TextBy != TextSupplied || s.TextAgrees == nil || *s.TextAgrees >= leastAgreement {
		return nil
	}
	return []protocol.Finding{protocol.NewFinding(protocol.EVQ07,
		"The text of %s was supplied, and only %.0f %% of it stands in %s.", s.ID, 100**s.TextAgrees, s.File)}
}

// Identifiers are what the work is known by: the DOI and PMID of its entry, or of where it comes from.
func (s *Source) Identifiers() literature.Identifiers { return literature.Identify(s.Cite, s.Source) }

// Reference is the bibliographic entry of a source: its own, else its title and where it comes from.
func (s *Source) Reference() literature.Reference {
	item := literature.StandIn(s.Title, s.Source)
	if s.Cite != nil {
		item = *s.Cite
		if item.Title == "" {
			item.Title = s.Title
		}
	}
	return literature.Reference{Key: s.ID, Item: item}
}

// References are the entries of the sources among ids, in their order; nil for all.
func (p *Pack) References(ids []string) []literature.Reference {
	list := []literature.Reference{}
	for _, s := range p.Sources {
		if ids == nil || slices.Contains(ids, s.ID) {
			list = append(list, s.Reference())
		}
	}
	return list
}

// Snapshot is the last list of retractions that the sources were looked up in.
type Snapshot struct {
	SHA256   string
	Day      string          // on which they were looked up
	Newest   string          // day of the newest notice in it; empty: not known
	LookedUp map[string]bool // by id
}

// LookedUp tells whether a source was looked up in the last snapshot of retractions. One without DOI or PMID was not, nor one that
// came later.
func (p *Pack) LookedUp(s *Source) bool { return p.Snapshot != nil && p.Snapshot.LookedUp[s.ID] }
