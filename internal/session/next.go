package session

import (
	"fmt"

	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// Next is what to do next in a session: what a person would do before any test, then the tests
// by what they would teach (SCIENCE 5).
type Next struct {
	Tests       []science.Advice   `json:"tests"`
	Unseparated [][2]string        `json:"unseparated"`
	First       []ToDo             `json:"first"`
	Findings    []protocol.Finding `json:"findings"`
}

// Next ranks the tests and lists what comes before them. An error says why the library of evidence cannot be read, which lint asks.
func (s *Session) Next(order science.Order) (Next, error) {
	first, err := s.First()
	if err != nil {
		return Next{}, err
	}
	ranking := s.Ranking()
	if order != science.ByBitsPerEffort {
		ranking = s.Account().Next(order)
	}
	return Next{ranking.Tests, ranking.Unseparated, first, s.Beliefs().Findings}, nil
}

// waits is what waits for a person, or why that cannot be told.
type waits struct {
	list []ToDo
	err  error
}

// First is what a person would do before any test: open Critical critiques, what the operator was
// asked and has neither acknowledged nor replied to, pending deltas, lint errors. A complete
// session asks for nothing. An error says why the library of evidence cannot be read, which lint asks.
func (s *Session) First() ([]ToDo, error) {
	known := s.first.get(func() waits {
		list, err := s.waits()
		return waits{list, err}
	})
	return known.list, known.err
}

func (s *Session) waits() ([]ToDo, error) {
	list, id, v := []ToDo{}, s.ID(), s.View
	if v.Phase() == fold.PhaseComplete {
		return list, nil
	}
	list = append(list, criticals(v)...)
	for _, a := range unheard(openAsks(v), s.heard) {
		list = append(list, s.of.replyTo(id, a))
	}
	list = append(list, compiles(id, v.Fold.Pending().Applied)...)
	errors, err := s.lintErrors()
	return append(list, mends(id, errors)...), err
}

// lintErrors counts what lint finds wrong with the artifact of now. Before the first contribution there is nothing to mend.
func (s *Session) lintErrors() (int, error) {
	if s.View.Phase() == fold.PhaseKickoff {
		return 0, nil
	}
	judged, err := s.judge(s.View, s.View.Unhashed(), s.graph)
	if err != nil {
		return 0, err
	}
	return judged.errors().errors, nil
}

// compiles asks for a version, if deltas are pending.
func compiles(id string, pending int) []ToDo {
	if pending == 0 {
		return nil
	}
	return []ToDo{{
		Kind: ToDoCompile, ThreadID: id, What: fmt.Sprintf("Compile %s", protocol.Plural(pending, "pending delta")),
		Command: protocol.Action{Do: "compile", With: protocol.Arguments{Thread: id}},
	}}
}

// mends asks for what lint finds wrong to be mended.
func mends(id string, errors int) []ToDo {
	if errors == 0 {
		return nil
	}
	return []ToDo{{
		Kind: ToDoMend, ThreadID: id, What: fmt.Sprintf("Mend %s", protocol.Plural(errors, "lint error")),
		Command: protocol.Action{Do: "lint", With: protocol.Arguments{Thread: id}},
	}}
}
