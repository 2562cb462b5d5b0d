package play_test

import (
	"testing"

	"brenner/internal/dispute"
	"brenner/internal/dispute/play"
)

// TestTable sums up by agent and arm, and takes what was recalled from the disputes that were played in both arms.
func TestTable(t *testing.T) {
	score := func(model, name string, arm dispute.Arm, gains ...float64) play.Score {
		return play.Score{Model: model, Dispute: name, Arm: arm, Gains: gains, Forecast: play.MeasureOf(gains), Quotes: 1, Rewritten: 2}
	}
	rows, recalled := play.Table([]play.Score{
		score("a", "opera", dispute.Named, 2, 4), score("a", "opera", dispute.Flipped, -1), score("a", "polywater", dispute.Named, 1),
		score("b", "opera", dispute.Named, 1),
	})
	if len(rows) != 3 || rows[0].Plays != 2 || rows[0].Gain.N != 3 || rows[0].Rewritten != 4 || rows[1].Arm != dispute.Flipped {
		t.Errorf("%+v", rows)
	}
	if recalled[0].Gain.N != 1 || *recalled[0].Gain.Mean != 4 || recalled[1].Gain.N != 0 {
		t.Errorf("%+v", recalled)
	}
}
