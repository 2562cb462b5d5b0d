package api

import (
	"context"
	"strings"

	"brenner/internal/session"
)

type resultRequest struct {
	Thread      string `path:"thread" json:"-"`
	As          string `json:"as" about:"who records it; the caller unless said"`
	Test        string `json:"test" about:"such as T1"`
	Outcome     string `json:"outcome" about:"one of the outcomes that hypotheses expect"`
	Status      string `json:"status" about:"passed, failed, blocked or error; passed unless said"`
	Evidence    string `json:"evidence" about:"ids of the evidence pack, separated by commas"`
	Exploratory bool   `json:"exploratory" about:"a first look: no prediction is held against it"`
	Note        string `json:"note"`
}

func (a *API) recordResult(ctx context.Context, who Caller, in resultRequest) (session.RecordedResult, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return session.RecordedResult{}, err
	}
	evidence := strings.FieldsFunc(in.Evidence, func(r rune) bool { return r == ',' || r == ' ' })
	return a.deps.Sessions.RecordResult(ctx, session.ResultRequest{
		ThreadID: in.Thread, Test: strings.TrimSpace(in.Test), As: as, Outcome: in.Outcome, Status: in.Status,
		Evidence: evidence, Exploratory: in.Exploratory, Note: in.Note,
	})
}
