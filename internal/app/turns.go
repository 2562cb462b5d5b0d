package app

import (
	"time"

	"brenner/internal/runner"
	"brenner/internal/web"
)

// turnsIn implements web.Turns over the folders of a project's runs.
type turnsIn string

func (root turnsIn) List(thread string, round int, agent string) ([]web.Turn, error) {
	return shown(runner.TurnList(string(root), runner.TurnQuery{ThreadID: thread, Round: round, Agent: agent}))
}

func (root turnsIn) Read(thread string, round int, agent string) ([]web.Turn, error) {
	return shown(runner.Turns(string(root), runner.TurnQuery{ThreadID: thread, Round: round, Agent: agent}))
}

func (root turnsIn) Wrote(thread, agent string, at time.Time) int {
	refs, err := runner.TurnRefs(string(root), runner.TurnQuery{ThreadID: thread, Agent: agent, Message: at})
	if err != nil || len(refs) == 0 {
		return 0 // a message is shown also where its turn cannot be
	}
	return refs[0].Round
}

func (root turnsIn) Ran(thread string) bool {
	refs, err := runner.TurnRefs(string(root), runner.TurnQuery{ThreadID: thread})
	return err == nil && len(refs) > 0
}

func shown(played []runner.Played, err error) ([]web.Turn, error) {
	list := make([]web.Turn, len(played))
	for i, p := range played {
		list[i] = web.Turn{
			Round: p.Round, Attempt: p.Attempt, Agent: p.Agent, Program: p.Program, Ended: string(p.End), Begun: p.Begun,
			Called: p.Calls, Failed: p.Failed, Turn: p.Turn,
		}
	}
	return list, err
}
