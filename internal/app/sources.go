package app

import (
	"context"
	"path"
	"slices"
	"time"

	"brenner/internal/api"
	"brenner/internal/evidence"
	"brenner/internal/evidencepack"
	"brenner/internal/literature"
	"brenner/internal/protocol"
)

// packOf changes the evidence pack for those who may.
type packOf struct {
	pack *evidencepack.Pack
	now  func() time.Time // nil: the clock
}

func (p packOf) time() time.Time {
	if p.now == nil {
		return time.Now()
	}
	return p.now()
}

// AddSource implements api.Sources.
func (p packOf) AddSource(ctx context.Context, f api.SourceFile, data []byte) (api.SourceState, error) {
	addition := evidencepack.Addition{Name: path.Base(f.Name), Data: data, Title: f.Title, Source: f.Source, By: f.As, At: p.time()}
	if f.Text != "" {
		addition.Text = []byte(f.Text)
	}
	if f.Cite != "" {
		entry, err := literature.ParseOne([]byte(f.Cite))
		if err != nil {
			return api.SourceState{}, err
		}
		addition.Cite = &entry.Item
	}
	added, err := p.pack.Add(ctx, addition)
	if err != nil {
		return api.SourceState{}, err
	}
	state := stateOf(added.Source)
	state.New, state.Findings = added.New, protocol.NonNil(added.Doubts())
	return state, nil
}

// MarkSource implements api.Sources.
func (p packOf) MarkSource(_ context.Context, m api.SourceMark) (api.SourceState, error) {
	status := evidence.Status(m.Status)
	if !slices.Contains(evidence.Statuses, status) {
		return api.SourceState{}, protocol.Errorf(protocol.Usage,
			"a source is current, corrected, retracted or superseded, not %.40q", m.Status)
	}
	s, err := p.pack.Mark(m.ID, evidencepack.Mark{Status: status, By: m.By, Note: m.Note})
	if err != nil {
		return api.SourceState{}, err
	}
	return stateOf(s), nil
}

func stateOf(s *evidence.Source) api.SourceState {
	return api.SourceState{
		ID: s.ID, Title: s.Title, Status: string(s.Standing()), StatusBy: protocol.OrNull(s.StatusBy),
		StatusNote: protocol.OrNull(s.StatusNote), Findings: []protocol.Finding{},
	}
}
