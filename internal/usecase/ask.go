package usecase

import (
	"context"

	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// Why agents have no tool for what a person carries to a chat and back.
const carried = "it is for chats, which have no tools"

// AskRequest names whose turn it is.
type AskRequest struct {
	Thread string `path:"thread"`
	Agent  string `path:"agent" about:"who is asked"`
}

// AskAnswer is what an agent is asked.
type AskAnswer struct {
	ThreadID string `json:"thread_id"`
	Agent    string `json:"agent"`
	Round    int    `json:"round"`
	Kickoff  int64  `json:"kickoff"` // the message that asked for the turn
	Prompt   string `json:"prompt"`
}

// Ask writes what a chat is asked in the name of an agent.
var Ask = declare(Case{
	Name: "ask", Command: "ask", Path: "/sessions/{thread}/ask/{agent}", Page: "/t/{thread}/do/{act}", Untold: carried,
	About: "The prompt of an agent's turn, for a chat that is that agent.",
}, func(ctx context.Context, at At, in AskRequest) (AskAnswer, error) {
	t, err := at.Session.TurnOf(ctx, in.Agent)
	if err != nil {
		return AskAnswer{}, err
	}
	return AskAnswer{at.Session.ID(), t.Agent, t.Round, t.KickoffID, t.ChatText()}, nil
})

// HandInRequest brings back what a chat answered.
type HandInRequest struct {
	Thread string `path:"thread" json:"-"`
	As     string `json:"as" actor:"true" must:"true" about:"the agent that was asked"`
	Answer string `json:"answer" must:"true" without:"command" about:"the answer, as it was copied from the chat"`
	DryRun bool   `json:"dry_run" without:"command" about:"say what would become of it, and post nothing"`
}

// Dry tells whether nothing is to be posted.
func (r HandInRequest) Dry() bool { return r.DryRun }

// HandedIn is what became of an answer: of the message, and what was done to the text before.
type HandedIn struct {
	Sent
	LeftOut []string           `json:"left_out"` // lines of the chat's page
	Repairs []protocol.Finding `json:"repairs"`
	Mend    string             `json:"mend"` // what to ask the chat for a better answer; empty: this one will do

	Body string `json:"-"`
}

// Blocks is the receipt of its delta blocks.
func (h HandedIn) Blocks() *delta.Receipt { return h.Receipt }

// HandIn posts what a chat answered.
var HandIn = declare(Case{
	Name: "hand_in", Command: "ask", Path: "/sessions/{thread}/ask", Page: "/t/{thread}/do/{act}", Untold: carried, Effect: Acts,
	About: "Post what a chat answered, in the name of the agent that was asked: repaired, with thread, subject and recipients chosen.",
}, func(ctx context.Context, at At, in HandInRequest) (HandedIn, error) {
	done, err := at.Sessions.HandIn(ctx, session.ChatReply{ThreadID: in.Thread, Agent: in.As, Text: in.Answer, DryRun: in.DryRun})
	if in.DryRun && protocol.CodeOf(err) == protocol.ValidationFailed { // that is the answer
		err = nil
	}
	return HandedIn{Sent: NewSent(done.Verdict), LeftOut: protocol.NonNil(done.LeftOut), Repairs: protocol.NonNil(done.Repairs),
		Mend: done.Mend, Body: done.Body}, err
})

// Asking lists the declared use cases of a person who carries prompts to a chat and answers back.
func Asking() []*Case { return []*Case{Ask.Case, HandIn.Case} }
