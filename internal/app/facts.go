package app

import (
	"sync"

	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/protocol"
)

// library returns a function that tells what can be cited in the project. Most commands cite nothing: the
// transcript is read by the first that does, and of the evidence only names and index are. The same value
// comes back until the pack changes.
func (a *App) library() func() (*evidence.Library, error) {
	a.Evidence = evidencepack.At(a.Project.Root)
	if err := a.Evidence.Usable(); err != nil {
		f := protocol.NewFinding(protocol.CodeOf(err), "the evidence folder is not used: %v", err)
		a.Findings = append(a.Findings, f.As(protocol.SeverityWarning).WithFix("make evidence a folder of the project"))
	}
	transcript := sync.OnceValue(a.transcript)
	sections := sync.OnceValue(func() *evidence.Sections { return evidence.NewSections(transcript()) })
	var mu sync.Mutex
	var last *evidence.Library
	return func() (*evidence.Library, error) {
		pack, err := a.Evidence.Load()
		if err != nil && protocol.CodeOf(err) == protocol.InvalidEvidenceIndex {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		if last == nil || last.Pack != pack {
			last = &evidence.Library{Pack: pack, Sections: sections}
			if t := transcript(); t != nil && t.Len() > 0 {
				last.Transcript = t
			}
		}
		return last, nil
	}
}
