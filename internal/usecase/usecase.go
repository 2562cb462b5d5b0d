package usecase

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// Effect is what a use case does to the project.
type Effect uint8

// The effects, and who may ask for them.
const (
	Reads   Effect = iota // shows what is there, to everybody who may read the thread
	Acts                  // writes what an agent may write under its own name
	Governs               // writes what belongs to a convener
)

// Who says who may ask.
func (e Effect) Who() string {
	return [...]string{"who may read the thread", "an agent, as itself", "a convener"}[e]
}

// Case is the declaration of a use case.
type Case struct {
	Name    string // of the tool (brenner_NAME) and of the route
	Command string // that does the same, without the program's name
	Page    string // where a person sees it; empty: nowhere
	About   string // in a sentence
	Path    string // of its route below /api/v1; empty: NAME below the session
	Within  string // the tool that does this and more, which is written by hand; empty: it has a tool of its own
	Untold  string // why there is no tool; empty: there is one
	Effect  Effect
	Core    bool // offered under the small set of tools
	Anyhow  bool // works on the whole project if the request names no thread
	Itself  bool // takes the session itself: the log need not have it, or is folded anew

	Request, Answer reflect.Type
	do              func(ctx context.Context, at At, request any) (any, error)
}

// At is what a use case works on.
type At struct {
	Sessions *session.Sessions
	Session  *session.Session // nil: the request names no thread
	Readable mail.ThreadSet   // the threads that the caller may read
}

// Do checks a request and answers it. The request is of the type Request, the answer of the type Answer.
func (c *Case) Do(ctx context.Context, at At, request any) (any, error) {
	if at.Session == nil && !c.Anyhow && c.takesSession() {
		return nil, protocol.Errorf(protocol.Usage, "thread is missing")
	}
	if err := c.check(reflect.ValueOf(request)); err != nil {
		return nil, err
	}
	return c.do(ctx, at, request)
}

// Typed is a use case whose request and answer are known to the compiler.
type Typed[Request, Answer any] struct{ *Case }

// At takes what a request works on: the session of the thread that it names. What acts takes the session itself.
func (c *Case) At(ctx context.Context, all *session.Sessions, thread string) (at At, err error) {
	at.Sessions = all
	if c.takesSession() && (thread != "" || !c.Anyhow) {
		at.Session, err = all.Session(ctx, thread)
	}
	return at, err
}

func (c *Case) takesSession() bool { return c.Effect == Reads && c.OfThread() && !c.Itself }

// Do is Case.Do with types.
func (t Typed[Request, Answer]) Do(ctx context.Context, at At, request Request) (Answer, error) {
	answer, err := t.Case.Do(ctx, at, request)
	typed, _ := answer.(Answer) // none where the request was refused
	return typed, err
}

// Trial is a request that may ask only what something would come to. Then nothing is written, and nobody acts.
type Trial interface{ Dry() bool }

// IsTrial tells whether a request only asks what it would come to.
func IsTrial(request any) bool {
	trial, ok := request.(Trial)
	return ok && trial.Dry()
}

// Judged is an answer that may have a receipt, also where what was asked is refused.
type Judged interface{ Blocks() *delta.Receipt }

// ReceiptOf is the receipt of an answer; nil: it has none.
func ReceiptOf(answer any) *delta.Receipt {
	if judged, ok := answer.(Judged); ok {
		return judged.Blocks()
	}
	return nil
}

// declare completes a declaration with what does it.
func declare[Request, Answer any](c Case, do func(ctx context.Context, at At, request Request) (Answer, error)) Typed[Request, Answer] {
	c.Request, c.Answer = reflect.TypeFor[Request](), reflect.TypeFor[Answer]()
	c.do = func(ctx context.Context, at At, request any) (any, error) { return do(ctx, at, request.(Request)) }
	return Typed[Request, Answer]{&c}
}

// Route is its address below /api/v1.
func (c *Case) Route() string { return cmp.Or(c.Path, "/sessions/{thread}/"+c.Name) }

// Tool is the name of the tool that does it over MCP; empty: none does.
func (c *Case) Tool() string {
	if c.Untold != "" {
		return ""
	}
	return cmp.Or(c.Within, "brenner_"+c.Name)
}

// HasTool tells whether it has a tool of its own, which is made from the declaration.
func (c *Case) HasTool() bool { return c.Untold == "" && c.Within == "" }

// OfThread tells whether its request names a session.
func (c *Case) OfThread() bool {
	return slices.ContainsFunc(c.Fields(), func(f Field) bool { return f.Thread })
}

// All lists every declared use case.
func All() []*Case { return slices.Concat(Science(), Reading(), Queue(), Acting(), Asking()) }
