package session

import (
	"context"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// VerifiedThread is what the proof of one thread came to.
type VerifiedThread struct {
	ThreadID string
	mail.Verification
}

// VerifiedSource is a source of the evidence, held against its index.
type VerifiedSource struct {
	ID     string  `json:"id"`
	File   string  `json:"file"`
	State  Match   `json:"state"`
	Reason *string `json:"reason"` // why it does not match; null: it does
}

// VerifiedProject is what the proof of everything in a project came to.
type VerifiedProject struct {
	Threads   []VerifiedThread
	Artifacts []VerifiedFile
	Sources   []VerifiedSource
	Journal   mail.JournalProof
	Findings  []protocol.Finding
}

// VerifyAll proves every thread, artifact and source of the project (PROTOCOL 14). told is called after each; it may be nil.
func (s *Sessions) VerifyAll(ctx context.Context, told func(done int)) (VerifiedProject, error) {
	all := VerifiedProject{Threads: []VerifiedThread{}, Artifacts: []VerifiedFile{}, Sources: []VerifiedSource{}}
	threads, err := s.mail.Threads(ctx)
	if err != nil {
		return all, err
	}
	var known []string
	for i := range threads {
		known = append(known, threads[i].ID)
		v, files, err := s.verify(ctx, threads[i].ID)
		if err != nil {
			return all, err
		}
		all.Threads = append(all.Threads, VerifiedThread{threads[i].ID, v})
		all.Artifacts = append(all.Artifacts, files...)
		for _, f := range v.Findings {
			all.Findings = append(all.Findings, f.In(threads[i].ID))
		}
		if told != nil {
			told(i + 1)
		}
	}
	stray, err := s.strays(known)
	if err != nil {
		return all, err
	}
	all.Artifacts = append(all.Artifacts, stray...)
	if all.Journal, err = s.journal(ctx, ""); err != nil {
		return all, err
	}
	all.Findings = append(all.Findings, all.Journal.Findings...)
	return all, s.verifySources(&all)
}

// verifySources holds every source against its index.
func (s *Sessions) verifySources(all *VerifiedProject) error {
	library, err := s.Library()
	if err != nil || library == nil || library.Pack == nil {
		return err
	}
	for _, source := range library.Pack.Sources {
		verified := VerifiedSource{ID: source.ID, File: source.File, State: Matches}
		for _, f := range source.Open().Wrong {
			all.Findings = append(all.Findings, f)
			if verified.Reason == nil && f.Severity == protocol.SeverityError {
				verified.State, verified.Reason = Differs, &f.Message
			}
		}
		all.Sources = append(all.Sources, verified)
	}
	return nil
}
