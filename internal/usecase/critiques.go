package usecase

import (
	"context"

	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// Sent is what became of a message that a use case posted.
type Sent struct {
	MessageID int64                `json:"message_id"`
	ThreadID  *string              `json:"thread_id"`
	CreatedAt string               `json:"created_ts"`
	Type      protocol.MessageType `json:"type"`
	Subject   string               `json:"subject"`
	To        []string             `json:"to"`
	Receipt   *delta.Receipt       `json:"receipt"`
	Findings  []protocol.Finding   `json:"findings"`
	More      int                  `json:"more"` // findings that are counted only

	Verdict mail.Verdict `json:"-"` // what the door said, also of a message that it refused
}

// Blocks is the receipt of its delta blocks.
func (s Sent) Blocks() *delta.Receipt { return s.Receipt }

// NewSent tells of a message that was sent, or that the door refused.
func NewSent(v mail.Verdict) Sent {
	m := &v.Message
	s := Sent{
		MessageID: m.ID, Type: v.Type, Subject: m.Subject, To: protocol.NonNil(m.To), Receipt: v.Receipt,
		Findings: protocol.NonNil(v.Findings), More: v.More, ThreadID: protocol.OrNull(m.ThreadID), Verdict: v,
	}
	if m.ID != 0 {
		s.CreatedAt = mail.FormatTime(m.CreatedAt)
	}
	return s
}

// CritiquesAnswer is the review queue of a session.
type CritiquesAnswer struct {
	ThreadID  string            `json:"thread_id"`
	Critiques []fold.QueueEntry `json:"critiques"`
}

const critiquesTool = "brenner_critiques"

// Critiques lists the review queue of a session.
var Critiques = declare(Case{
	Name: "critiques", Command: "critique list", Page: "/t/{thread}", Within: critiquesTool,
	About: "The review queue of a session.",
}, func(_ context.Context, at At, _ OfThread) (CritiquesAnswer, error) {
	return CritiquesAnswer{at.Session.ID(), at.Session.View.Queue()}, nil
})

// CritiqueRequest names a critique by its message.
type CritiqueRequest struct {
	ID int64 `path:"id"`
}

// Critique shows a critique.
var Critique = declare(Case{
	Name: "critique", Command: "critique show", Path: "/critiques/{id}", Page: "/m/{id}", Within: critiquesTool,
	About: "One critique with its text and its answers.",
}, func(ctx context.Context, at At, in CritiqueRequest) (fold.QueueEntry, error) {
	return at.Sessions.CritiqueShow(ctx, in.ID)
})

// Queue lists the declared reads of the review queue.
func Queue() []*Case { return []*Case{Critiques.Case, Critique.Case} }

// AnswerRequest says why a critique does not hold, or what follows from it. Deltas do the latter for agents and at a terminal.
type AnswerRequest struct {
	ID   int64  `path:"id" json:"-"`
	As   string `json:"as" actor:"true" about:"who answers; the caller unless said"`
	Body string `json:"body_md" flag:"body" about:"why the critique does not hold, or what follows from it"`

	Change *session.ItemChange   `json:"change" without:"tool,command" about:"it is right in part: what a field says from now on"`
	Test   *session.ProposedTest `json:"test" without:"tool,command" about:"a test that decides it"`
	GiveUp bool                  `json:"give_up" without:"tool,command" about:"it is right: the item is given up"`
}

// AnswerCritique answers a critique: with a rebuttal, or with what follows from it.
var AnswerCritique = declare(Case{
	Name: "answer", Command: "critique answer", Path: "/critiques/{id}/answer", Page: "/m/{id}, /t/{thread}/do/{act}",
	Within: critiquesTool, Effect: Acts,
	About: "Answer a critique: say why it does not hold, or do what follows from it.",
}, func(ctx context.Context, at At, in AnswerRequest) (Sent, error) {
	v, err := at.Sessions.ReplyToCritique(ctx, session.CritiqueReply{
		ID: in.ID, As: in.As, Text: in.Body, Change: in.Change, Test: in.Test, GiveUp: in.GiveUp,
	})
	return NewSent(v), err
})

// PromoteRequest names a critique that is to become an item.
type PromoteRequest struct {
	ID int64  `path:"id" json:"-"`
	As string `json:"as" actor:"true" about:"who promotes; the caller unless said"`
}

// PromoteCritique makes a critique an item of the artifact.
var PromoteCritique = declare(Case{
	Name: "promote", Command: "critique promote", Path: "/critiques/{id}/promote", Page: "/m/{id}", Effect: Governs, Untold: decides,
	About: "Make a critique an item of the artifact.",
}, func(ctx context.Context, at At, in PromoteRequest) (Sent, error) {
	v, err := at.Sessions.CritiquePromote(ctx, in.ID, in.As)
	return NewSent(v), err
})
