package usecase

import (
	"context"
	"strings"

	"brenner/internal/session"
)

// RecordRequest says what a test came to (SCIENCE 2). At most one of outcome, value and unforeseen is given.
type RecordRequest struct {
	Thread      string   `path:"thread" json:"-"`
	Test        string   `json:"test" must:"true" about:"such as T1"`
	As          string   `json:"as" actor:"true" about:"who records it; the caller unless said"`
	Outcome     string   `json:"outcome" about:"one of the outcomes that hypotheses expect"`
	Value       string   `json:"value" about:"of a quantity, such as 73 ± 1"`
	Unforeseen  string   `json:"unforeseen" about:"what happened that nobody had foreseen"`
	Status      string   `json:"status" choices:"passed,failed,blocked,error" about:"how the run ended"`
	Evidence    []string `json:"evidence" about:"ids such as EV-003"`
	Exploratory bool     `json:"exploratory" about:"a first look"`
	Note        string   `json:"note" about:"in a sentence or two"`
	Performed   string   `json:"performed" about:"day of the experiment"`
	Potency     string   `json:"potency" about:"did the control work: passed or failed"`
	Replicates  int64    `json:"replicates" about:"message of the result it repeats"`
}

// RecordResult records what a test came to.
var RecordResult = declare(Case{
	Name: "result", Command: "result record", Path: "/sessions/{thread}/results", Page: "/t/{thread}", Effect: Acts, Core: true,
	About: "Record what a test came to, as your DELTA. It runs nothing.",
}, func(ctx context.Context, at At, in RecordRequest) (session.RecordedResult, error) {
	var replicates *int64
	if in.Replicates != 0 { // callers fill what they leave out with it
		replicates = &in.Replicates
	}
	return at.Sessions.RecordResult(ctx, session.ResultRequest{
		ThreadID: in.Thread, Test: strings.TrimSpace(in.Test), As: in.As, Outcome: in.Outcome, Value: in.Value, Unforeseen: in.Unforeseen,
		Status: strings.ToLower(strings.TrimSpace(in.Status)), Evidence: in.Evidence, Exploratory: in.Exploratory, Note: in.Note,
		Performed: in.Performed, Potency: strings.ToLower(strings.TrimSpace(in.Potency)), Replicates: replicates,
	})
})

// WithdrawRequest takes a result away.
type WithdrawRequest struct {
	Thread   string   `path:"thread" json:"-"`
	Test     string   `json:"test" must:"true" about:"such as T1"`
	As       string   `json:"as" actor:"true" about:"who withdraws it; the caller unless said"`
	Message  int64    `json:"message" must:"true" about:"number of the message that gave the result"`
	Reason   string   `json:"reason" must:"true" about:"why it is withdrawn"`
	Evidence []string `json:"evidence" about:"ids of the evidence pack that show it"`
}

// WithdrawResult withdraws a result.
var WithdrawResult = declare(Case{
	Name: "withdraw", Command: "result withdraw", Path: "/sessions/{thread}/results/withdraw", Effect: Acts,
	About: "Withdraw a result, so that it no longer stands. It stays in every list, with who withdrew it and why.",
}, func(ctx context.Context, at At, in WithdrawRequest) (session.WithdrawnResult, error) {
	return at.Sessions.WithdrawResult(ctx, session.WithdrawRequest{
		ThreadID: in.Thread, Test: strings.TrimSpace(in.Test), As: in.As, Message: in.Message, Reason: in.Reason, Evidence: in.Evidence,
	})
})

// Acting lists the declared use cases that write.
func Acting() []*Case {
	return []*Case{RecordResult.Case, WithdrawResult.Case, Compile.Case, Persist.Case, Complete.Case, AnswerCritique.Case,
		PromoteCritique.Case}
}
