package api

import (
	"context"
	"encoding/base64"

	"brenner/internal/protocol"
)

// maxUpload is the largest request that brings a source: a file of 24 MiB, as base64. What is larger is added on the machine itself.
const maxUpload = 32 << 20

// SourceFile is a file that becomes a source of the evidence pack.
type SourceFile struct {
	As     string `json:"as" about:"who adds it; the caller unless said"`
	Name   string `json:"name" about:"of the file, with its ending"`
	Data   string `json:"data" about:"the file, in base64"`
	Title  string `json:"title" about:"the file's name unless said"`
	Source string `json:"source" about:"where it comes from: an address, a DOI or words"`
	Text   string `json:"text" about:"its text, where that cannot be taken from the file"`
	Cite   string `json:"cite" about:"its bibliographic entry: BibTeX, RIS, CSL-JSON or nbib"`
}

func (SourceFile) limit() int64 { return maxUpload }

// SourceMark says where a source stands (SCIENCE 1).
type SourceMark struct {
	ID     string `path:"id" json:"-"`
	Status string `json:"status" about:"current, corrected, retracted or superseded"`
	By     string `json:"by" about:"the source that corrects, retracts or replaces it"`
	Note   string `json:"note" about:"why"`
}

// SourceState is a source as the index of the pack now has it.
type SourceState struct {
	ID         string             `json:"id"`
	Title      string             `json:"title"`
	Status     string             `json:"status"`
	StatusBy   *string            `json:"status_by"`
	StatusNote *string            `json:"status_note"`
	New        bool               `json:"new"` // its bytes were not there before
	Findings   []protocol.Finding `json:"findings"`
}

// Sources changes the evidence pack of the project.
type Sources interface {
	AddSource(ctx context.Context, f SourceFile, data []byte) (SourceState, error)
	MarkSource(ctx context.Context, m SourceMark) (SourceState, error)
}

func (a *API) addSource(ctx context.Context, who Caller, in SourceFile) (SourceState, error) {
	if a.deps.Sources == nil {
		return SourceState{}, noSources()
	}
	var err error
	if in.As, err = a.actor(ctx, who, in.As); err != nil {
		return SourceState{}, err
	}
	data, err := base64.StdEncoding.DecodeString(in.Data)
	if err != nil {
		return SourceState{}, protocol.Errorf(protocol.Usage, "data is no base64: %v", err)
	}
	if protocol.Blank(in.Name) {
		return SourceState{}, protocol.Errorf(protocol.Usage, "name is missing: a file has one, with its ending")
	}
	return a.deps.Sources.AddSource(ctx, in, data)
}

func (a *API) markSource(ctx context.Context, _ Caller, in SourceMark) (SourceState, error) {
	if a.deps.Sources == nil {
		return SourceState{}, noSources()
	}
	return a.deps.Sources.MarkSource(ctx, in)
}

func noSources() error {
	return protocol.Errorf(protocol.NotAllowed, "this server has no evidence pack to change")
}
