package usecase

import (
	"context"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/evidence"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// OfThread is a request that names a session and nothing more.
type OfThread struct {
	Thread string `path:"thread"`
}

// ResultsAnswer lists results (SCIENCE 2).
type ResultsAnswer struct {
	ThreadID string              `json:"thread_id"`
	Results  []science.ResultRow `json:"results"`
}

// Results lists every result of a thread.
var Results = declare(Case{
	Name: "results", Command: "result list", Page: "/t/{thread}", Core: true,
	About: "Every result, oldest first: outcome, who recorded it, evidence, and whether it stands.",
}, func(_ context.Context, at At, _ OfThread) (ResultsAnswer, error) {
	return ResultsAnswer{at.Session.ID(), at.Session.Results()}, nil
})

// PredictionsAnswer lists predictions (SCIENCE 3).
type PredictionsAnswer struct {
	ThreadID string `json:"thread_id"`
	science.PredictionReport
	Coverage evidence.Counts `json:"coverage"` // of what the artifact quotes (SCIENCE 1)
}

// Predictions lists every prediction of a thread.
var Predictions = declare(Case{
	Name: "predictions", Command: "predictions", Page: "/t/{thread}",
	About: "What each hypothesis expects of each test, who wrote that, and whether it was written before the result.",
}, func(_ context.Context, at At, _ OfThread) (PredictionsAnswer, error) {
	coverage, err := at.Session.Coverage()
	return PredictionsAnswer{at.Session.ID(), at.Session.Predictions(), coverage}, err
})

// BeliefsAnswer says how likely the agents hold each hypothesis (SCIENCE 4).
type BeliefsAnswer struct {
	ThreadID string `json:"thread_id"`
	science.BeliefReport
}

// Beliefs says where belief stands in a thread.
var Beliefs = declare(Case{
	Name: "beliefs", Command: "beliefs", Page: "/t/{thread}", Core: true,
	About: "How likely the agents hold each hypothesis after the results, and the likelihoods behind that.",
}, func(_ context.Context, at At, _ OfThread) (BeliefsAnswer, error) {
	return BeliefsAnswer{at.Session.ID(), at.Session.Beliefs()}, nil
})

// NextRequest asks what to do next.
type NextRequest struct {
	Thread string `path:"thread"`
	By     string `query:"by" choices:"effort,bits" word:"ORDER" about:"the ORDER of tests: by bits per effort, or by bits"`
}

// NextAnswer says what to do next (SCIENCE 5).
type NextAnswer struct {
	ThreadID string `json:"thread_id"`
	session.Next
}

// Next says what to do next in a thread.
var Next = declare(Case{
	Name: "next", Command: "next", Page: "/t/{thread}", Core: true,
	About: "What to do next: what waits for a person, open tests by what they teach, hypotheses no test tells apart.",
}, func(_ context.Context, at At, in NextRequest) (NextAnswer, error) {
	order := science.ByBitsPerEffort
	if in.By == "bits" {
		order = science.ByBits
	}
	next, err := at.Session.Next(order)
	return NextAnswer{at.Session.ID(), next}, err
})

// WhatIfRequest supposes outcomes.
type WhatIfRequest struct {
	Thread   string   `path:"thread"`
	Outcomes []string `query:"outcomes" list:"repeated" args:"TEST=OUTCOME" about:"what is supposed, each as TEST=OUTCOME, such as T1=kept"`
}

// WhatIfAnswer says what would be believed.
type WhatIfAnswer struct {
	ThreadID string `json:"thread_id"`
	session.WhatIf
}

// WhatIf says what would be believed if tests had outcomes.
var WhatIf = declare(Case{
	Name: "whatif", Command: "whatif",
	About: "What would be believed if tests had these outcomes, how many bits that would teach, and which test would come next. Nothing " +
		"is stored.",
}, func(_ context.Context, at At, in WhatIfRequest) (WhatIfAnswer, error) {
	outcomes, err := suppositions(in.Outcomes)
	if err != nil {
		return WhatIfAnswer{}, err
	}
	out, err := at.Session.WhatIf(outcomes)
	return WhatIfAnswer{at.Session.ID(), out}, err
})

// suppositions splits TEST=OUTCOME at the first =.
func suppositions(texts []string) ([]science.Supposition, error) {
	var list []science.Supposition
	for _, text := range texts {
		test, outcome, ok := strings.Cut(text, "=")
		if !ok {
			return nil, protocol.Errorf(protocol.Usage, "%q is not TEST=OUTCOME, such as T1=kept", protocol.Brief(text))
		}
		list = append(list, science.Supposition{Test: artifact.ItemID(strings.TrimSpace(test)), Outcome: outcome})
	}
	return slices.Clip(list), nil
}

// ReasonsAnswer says why belief is what it is (SCIENCE 6).
type ReasonsAnswer struct {
	ThreadID string `json:"thread_id"`
	science.Reasons
}

// Reasons says why belief is what it is in a thread, and what the answer hangs on.
var Reasons = declare(Case{
	Name: "reasons", Command: "reasons", Page: "/t/{thread}", Core: true,
	About: "Why belief is what it is: what each standing result did to it, and what would be believed without it, or its source.",
}, func(_ context.Context, at At, _ OfThread) (ReasonsAnswer, error) {
	return ReasonsAnswer{at.Session.ID(), at.Session.Reasons()}, nil
})

// CalibrationRequest asks how well outcomes were foreseen.
type CalibrationRequest struct {
	Thread string `path:"thread" word:"THREAD" about:"only this THREAD; the whole project unless said"`
	By     string `query:"by" choices:"agent,model,family" word:"WHOM" about:"take scores together by WHOM: agent, model or family"`
}

// CalibrationAnswer has a row for each forecaster (SCIENCE 7).
type CalibrationAnswer struct {
	Rows []science.CalibrationRow `json:"rows"`
}

// Calibration says how well agents foresaw outcomes.
var Calibration = declare(Case{
	Name: "calibration", Command: "calibration", Anyhow: true,
	About: "How well agents foresaw the results of tests: Brier score and bits of surprise beside those of a forecaster that finds " +
		"everything equally likely, and whether that is better than chance.",
}, func(ctx context.Context, at At, in CalibrationRequest) (CalibrationAnswer, error) {
	by := session.ByAgent
	if in.By != "" {
		by = session.CalibrationBy(in.By)
	}
	if at.Session != nil {
		return CalibrationAnswer{at.Session.Calibration(by)}, nil
	}
	rows, err := at.Sessions.Calibration(ctx, by, at.Readable)
	return CalibrationAnswer{rows}, err
})

// SignsAnswer has the vital signs of a session (SCIENCE 7).
type SignsAnswer struct {
	ThreadID string `json:"thread_id"`
	science.Signs
}

// Signs says whether agents move with the evidence.
var Signs = declare(Case{
	Name: "signs", Command: "signs", Page: "/t/{thread}",
	About: "Whether the agents of a session move with the evidence: which results they answered, how far their statements moved, what of " +
		"theirs was refuted and revised, false quotes, cells written after the result.",
}, func(_ context.Context, at At, _ OfThread) (SignsAnswer, error) {
	signs, err := at.Session.Signs()
	return SignsAnswer{at.Session.ID(), signs}, err
})

// ReviewAnswer says who has checked each hypothesis (SCIENCE 8).
type ReviewAnswer struct {
	ThreadID string `json:"thread_id"`
	science.Review
}

// Review says who has checked each hypothesis.
var Review = declare(Case{
	Name: "review", Command: "review", Page: "/t/{thread}",
	About: "Who has attacked each hypothesis of a session, who answered, and which attacks are open.",
}, func(_ context.Context, at At, _ OfThread) (ReviewAnswer, error) {
	return ReviewAnswer{at.Session.ID(), at.Session.Review()}, nil
})

// Evidence compares the quotes of a thread with their sources (SCIENCE 1).
var Evidence = declare(Case{
	Name: "evidence", Command: "evidence check", Page: "/evidence", Within: "brenner_evidence",
	About: "Every quote of a session, in items and in messages, compared with the source that it cites.",
}, func(ctx context.Context, at At, _ OfThread) (session.QuoteCheck, error) {
	return at.Session.CheckQuotes(ctx)
})

// SupportAnswer says what each active item rests on.
type SupportAnswer struct {
	ThreadID string                `json:"thread_id"`
	Items    []session.ItemSupport `json:"items"`
}

// Support says what each active item of a thread rests on (SCIENCE 1, support).
var Support = declare(Case{
	Name: "support", Command: "artifact support", Page: "/t/{thread}/v/{n}",
	About: "What each active item of a session rests on: quoted, cited, inference or bare.",
}, func(_ context.Context, at At, _ OfThread) (SupportAnswer, error) {
	items, err := at.Session.Support()
	return SupportAnswer{at.Session.ID(), items}, err
})

// Science lists the reads of the science.
func Science() []*Case {
	return []*Case{
		Results.Case, Predictions.Case, Beliefs.Case, Next.Case, WhatIf.Case, Reasons.Case, Calibration.Case, Signs.Case, Review.Case,
		Evidence.Case, Support.Case,
	}
}
