package merge_test

import (
	"sync"
	"testing"

	"pgregory.net/rapid"

	"brenner/internal/artifact/markdown"
	"brenner/internal/artifact/merge"
	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/message"
)

// shown is everything that a reader can see of a state.
func shown(s *merge.State) string {
	return string(s.Save()) + "\n" + markdown.Render(s.Document())
}

// Forks of one state that are folded on in turns are each what folding its own messages alone gives, and a
// fork that is not folded stays as it was.
func TestFork(t *testing.T) {
	check(t, func(t *rapid.T) {
		thread := mergetest.Messages(mergetest.Thread(t, 30))
		cut := rapid.IntRange(0, len(thread)).Draw(t, "cut")
		state := merge.New(mergetest.ThreadID)
		var messages [3][]message.Message // of each branch
		for _, m := range thread[:cut] {
			state.Fold(m)
		}
		branches := [3]*merge.State{state, state.Fork(), state.Fork()}
		for i := range messages {
			messages[i] = append(messages[i], thread[:cut]...)
		}
		snapshot := state.Fork()
		before := shown(snapshot)
		type past struct {
			state *merge.State
			text  string
		}
		var snapshots []past
		for _, m := range thread[cut:] {
			i := rapid.IntRange(0, 2).Draw(t, "branch")
			branches[i].Fold(m)
			messages[i] = append(messages[i], m)
			if rapid.Bool().Draw(t, "look") {
				fork := branches[i].Fork()
				snapshots = append(snapshots, past{fork, shown(fork)})
			}
		}
		for i, branch := range branches {
			alone := merge.New(mergetest.ThreadID)
			for _, m := range messages[i] {
				alone.Fold(m)
			}
			if shown(branch) != shown(alone) {
				t.Fatalf("branch %d of three is not the fold of its messages", i)
			}
		}
		if shown(snapshot) != before {
			t.Fatal("a snapshot changed when its origin was folded on")
		}
		for _, s := range snapshots {
			if shown(s.state) != s.text {
				t.Fatal("a later snapshot changed")
			}
		}
	})
}

// Readers of a snapshot, those who fold forks of it and the fold of its origin do not disturb each other: run with -race.
func TestForkIsReadWhileItsOriginIsFolded(t *testing.T) {
	thread := mergetest.Messages(rapid.Custom(func(t *rapid.T) []mergetest.Message { return mergetest.Thread(t, 60) }).Example(7))
	state := merge.New(mergetest.ThreadID)
	var readers sync.WaitGroup
	for i, m := range thread {
		state.Fold(m)
		fork := state.Fork()
		for range 2 {
			readers.Go(func() {
				fork.Window()
				shown(fork)
				further := fork.Fork()
				for _, m := range thread[i+1:] {
					further.Fold(m)
				}
			})
		}
	}
	readers.Wait()
}
