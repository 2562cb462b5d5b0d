package play

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"brenner/internal/app"
	"brenner/internal/dispute"
	"brenner/internal/protocol"
)

// Baselines plays disputes in every arm by every baseline, each dispute in a project of its own below a folder, and scores the baselines.
// What was played there before is taken as it is.
func Baselines(ctx context.Context, dir string, disputes []*dispute.Dispute, tell func(name string)) ([]Score, error) {
	var scores []Score
	for _, d := range disputes {
		if tell != nil {
			tell(d.Name)
		}
		err := InFolder(ctx, filepath.Join(dir, d.Name), func(a *app.App) error {
			for _, arm := range dispute.Arms() {
				for _, b := range dispute.Baselines() {
					score, err := byBaseline(ctx, a, d.Stage(arm), b)
					if err != nil {
						return err
					}
					scores = append(scores, score)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// InFolder opens a project in a folder, which is made if it is not there.
func InFolder(ctx context.Context, dir string, do func(*app.App) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return protocol.Errorf(protocol.Unwritable, "no folder for a play: %w", err)
	}
	a, err := app.Open(ctx, app.Options{Project: app.Project{Root: dir, WorkDir: dir}})
	if err != nil {
		return err
	}
	return errors.Join(do(a), a.Close())
}

// playedOn is the day of the plays of baselines: any day, but always the same, so that what was played is found again.
var playedOn = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// BaselineThread is the thread in which a baseline plays.
func BaselineThread(s *dispute.Staged, b dispute.Baseline) string {
	return ThreadID(s, playedOn) + "-" + string(b)
}

// byBaseline plays a staged dispute by a baseline.
func byBaseline(ctx context.Context, a *app.App, s *dispute.Staged, b dispute.Baseline) (Score, error) {
	thread := BaselineThread(s, b)
	if _, err := Play(ctx, Options{App: a, Staged: s, Cast: Panel(b), Thread: thread}); err != nil {
		return Score{}, err
	}
	scores, err := Scores(ctx, a, thread)
	if err != nil {
		return Score{}, err
	}
	for _, score := range scores {
		if score.Agent == Name(b) {
			return score, nil
		}
	}
	return Score{}, protocol.Errorf(protocol.Internal, "%s has no score in %s", Name(b), thread)
}
