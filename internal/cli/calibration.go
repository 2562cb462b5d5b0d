package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"brenner/internal/science"
	"brenner/internal/usecase"
)

func newCalibration(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "calibration",
		Short: "Show how well agents foresaw the results of tests",
		Long: `Show how well agents foresaw the results of tests: the mean Brier score and the mean number of bits of
surprise, each beside those of a forecaster that finds everything equally likely. Less is better. The
skill is how much of that forecaster's Brier score was saved, with its 90 % interval; fewer than ten
forecasts, or an interval that holds 0, cannot tell. Of quantities it counts how many values lay in
the middle nine tenths of what was foreseen. Exploratory results are not scored, nor are results that
an agent recorded itself. By model and by family the forecasts of one result are averaged first.`,
		Example: "  brenner calibration\n  brenner calibration --thread RS-20260110-cells-turn --by family",
		Args:    exactly(),
	}, usecase.Calibration, func(answer usecase.CalibrationAnswer) report { return calibrationReport{answer} })
}

type calibrationReport struct{ usecase.CalibrationAnswer }

func (r calibrationReport) show(p *printer) {
	if len(r.Rows) == 0 {
		p.note("no forecast has met its outcome yet")
		p.next("brenner", "session", "list")
		return
	}
	var rows [][]string
	for _, c := range r.Rows {
		rows = append(rows, []string{
			c.By, formatInt(int64(c.N)), number(c.Brier), number(c.BaselineBrier), skill(c), string(c.Verdict), number(c.LogBits),
			number(c.BaselineLogBits),
			fmt.Sprintf("%d of %d", c.Inside90.N, c.Inside90.Of), formatInt(int64(c.Self)),
		})
	}
	p.table(columns("By", "N", "Brier", "by chance", "Skill", "Verdict", "Bits?", "by chance?", "Inside 90 %?", "Self?"), rows)
	p.next("brenner", "session", "list")
}

// number shows a number that may be missing.
func number(x *float64) string {
	if x == nil {
		return "-"
	}
	if text := fmt.Sprintf("%.3f", *x); text != "-0.000" {
		return text
	}
	return "0.000"
}

// skill shows how much better than chance somebody is, with the interval.
func skill(c science.CalibrationRow) string {
	if c.Interval == nil {
		return number(c.Skill)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", *c.Skill, c.Interval[0], c.Interval[1])
}
