package web

import (
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// turnAct carries the turn of an agent to a chat and its answer back.
type turnAct struct {
	Agent  string
	Round  int
	Size   string // of the prompt
	Prompt string
	Answer string // where it goes
}

func (b *actBuilder) turn() error {
	asked, err := usecase.Ask.Do(b.request.Context(), usecase.At{Sessions: b.web.deps.Sessions, Session: b.of},
		usecase.AskRequest{Thread: b.of.ID(), Agent: b.name})
	if err != nil {
		return err
	}
	p := &b.page
	p.Title = "Ask " + short(40, asked.Agent) + " in a chat"
	p.Actor = asked.Agent
	p.Turn = &turnAct{Agent: asked.Agent, Round: asked.Round, Size: protocol.Plural(len(asked.Prompt), "byte"), Prompt: asked.Prompt,
		Answer: p.API + "/ask"}
	return nil
}
