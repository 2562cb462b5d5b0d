package evidencepack

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"brenner/internal/evidence"
	"brenner/internal/literature"
	"brenner/internal/protocol"
	"brenner/internal/yamltext"
)

// Marked is a source that a snapshot of retractions speaks of.
type Marked struct {
	ID         string
	Status     evidence.Status
	StatusNote string
}

// Retractions is what joining a snapshot came to.
type Retractions struct {
	Marked      []Marked
	NotLookedUp []string // sources without DOI or PMID
	Findings    []protocol.Finding
}

// maxNotices is how many notices about one source are kept.
const maxNotices = 1000

// Retract joins a snapshot of retractions with the pack and marks what it finds (SCIENCE 1, where a source stands). INVALID_INPUT: the
// snapshot cannot be read; nothing was marked.
func (p *Pack) Retract(from io.Reader, at time.Time) (Retractions, error) {
	var done Retractions
	err := p.change(func() ([]put, error) {
		d, err := p.current()
		if err != nil {
			return nil, err
		}
		j := newJoin(d)
		hash := sha256.New()
		read, err := literature.ReadRetractions(io.TeeReader(from, hash), j.visit)
		if err != nil {
			return nil, err
		}
		snapshot := &evidence.Snapshot{SHA256: hex.EncodeToString(hash.Sum(nil)), Day: at.UTC().Format(time.DateOnly), Newest: read.Newest}
		next, err := d.edit(func(e *yamltext.Editor) error { return j.write(e, snapshot) })
		if read.Skipped > 0 {
			j.done.Findings = append(j.done.Findings, protocol.NewFinding(protocol.InvalidInput,
				"%s of the snapshot could not be read: they do not have the columns of its head.", protocol.Plural(read.Skipped, "row")).
				As(protocol.SeverityWarning))
		}
		done = j.done
		return []put{next}, err
	})
	return done, err
}

// join looks the sources of a pack up in a snapshot.
type join struct {
	draft   *draft
	places  map[string][]int // of entries, by DOI and PMID
	notices map[int][]literature.Notice
	looked  []string
	done    Retractions
}

func newJoin(d *draft) *join {
	j := &join{draft: d, places: map[string][]int{}, notices: map[int][]literature.Notice{}}
	for place, s := range d.entries {
		id := s.Identifiers()
		switch {
		case id.Known():
			j.looked = append(j.looked, s.ID)
		case s.Kind == evidence.KindSource:
			j.done.NotLookedUp = append(j.done.NotLookedUp, s.ID)
		}
		for _, k := range []string{key("doi", id.DOI), key("pmid", id.PMID)} {
			if k != "" {
				j.places[k] = append(j.places[k], place)
			}
		}
	}
	return j
}

func (j *join) visit(n literature.Notice) {
	seen := map[int]bool{}
	for _, k := range []string{key("doi", n.Of.DOI), key("pmid", n.Of.PMID)} {
		for _, place := range j.places[k] {
			if !seen[place] && len(j.notices[place]) < maxNotices {
				seen[place] = true
				j.notices[place] = append(j.notices[place], n)
			}
		}
	}
}

// write marks the entries and keeps the snapshot's hash and day.
func (j *join) write(e *yamltext.Editor, snapshot *evidence.Snapshot) error {
	for place, s := range j.draft.entries {
		notice, ok := literature.Judge(j.notices[place])
		if !ok {
			continue
		}
		m := j.mark(place, notice)
		j.done.Marked = append(j.done.Marked, Marked{s.ID, m.Status, m.Note})
		if m.Status == s.Standing() && m.Note == s.StatusNote && m.By == s.StatusBy {
			continue
		}
		if err := m.write(e, j.draft.at(place)); err != nil {
			return err
		}
	}
	if j.draft.where == nil { // a bare list has no place for it
		e.Wrap(indexKey)
	}
	return e.Set(snapshotKey, snapshotNode(snapshot, j.looked))
}

// mark says what a notice makes of a source. A correction does not lift a retraction, a reinstatement does; what a person has marked
// as superseded stays so until it is retracted.
func (j *join) mark(place int, n literature.Notice) Mark {
	s := j.draft.entries[place]
	m := Mark{Note: n.Note(), By: j.notice(place, n)}
	switch n.Nature {
	case literature.Retraction:
		m.Status = evidence.Retracted
	case literature.Correction, literature.Concern:
		m.Status = evidence.Corrected
		if s.Standing() == evidence.Retracted || s.Standing() == evidence.Superseded {
			return Mark{Status: s.Standing(), Note: s.StatusNote, By: s.StatusBy}
		}
	case literature.Reinstatement, literature.Unrelated:
		m.Status = evidence.Current
		if s.Standing() == evidence.Superseded {
			return Mark{Status: s.Standing(), Note: s.StatusNote, By: s.StatusBy}
		}
	}
	return m
}

// notice is the source of the pack that is the notice itself; empty: it has none.
func (j *join) notice(place int, n literature.Notice) string {
	for _, k := range []string{key("doi", n.By.DOI), key("pmid", n.By.PMID)} {
		for _, other := range j.places[k] {
			if other != place {
				return j.draft.entries[other].ID
			}
		}
	}
	return ""
}
