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
	Value       string `json:"value" about:"number with its error, such as 73 ± 1, of a test that measures a quantity"`
	Unforeseen  string `json:"unforeseen" about:"what happened that nobody had foreseen"`
	Evidence    string `json:"evidence" about:"ids of the evidence pack, separated by commas"`
	Exploratory bool   `json:"exploratory" about:"a first look: no prediction is held against it"`
	Note        string `json:"note"`
	Performed   string `json:"performed" about:"day of the experiment, such as 2026-01-09"`
	Potency     string `json:"potency" about:"whether the control worked: passed or failed"`
	Replicates  int64  `json:"replicates" about:"message of the result that it repeats"`
}

func (a *API) recordResult(ctx context.Context, who Caller, in resultRequest) (session.RecordedResult, error) {
	as, err := a.actor(ctx, who, in.As)
	if err != nil {
		return session.RecordedResult{}, err
	}
	evidence := strings.FieldsFunc(in.Evidence, func(r rune) bool { return r == ',' || r == ' ' })
	return a.deps.Sessions.RecordResult(ctx, session.ResultRequest{
		ThreadID: in.Thread, Test: strings.TrimSpace(in.Test), As: as, Outcome: in.Outcome, Status: in.Status,
		Evidence: evidence, Exploratory: in.Exploratory, Note: in.Note, Value: in.Value, Unforeseen: in.Unforeseen,
		Performed: in.Performed, Potency: in.Potency, Replicates: in.Replicates,
	})
}
