package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"brenner/internal/usecase"
)

func newCalibration(a *app) *cobra.Command {
	return asking(a, &cobra.Command{
		Use:   "calibration",
		Short: "Show how well agents foresaw the outcomes of tests",
		Long: `Show how well agents foresaw the outcomes of tests: the mean Brier score and the mean number of bits of
surprise, each beside those of a forecaster that finds all labels equally likely. Less is better.
Exploratory results are not scored.`,
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
	number := func(x float64) string { return fmt.Sprintf("%.3f", x) }
	for _, c := range r.Rows {
		rows = append(rows, []string{
			c.By, formatInt(int64(c.N)), number(c.Brier), number(c.BaselineBrier), number(c.LogBits), number(c.BaselineLogBits),
		})
	}
	p.table(columns("By", "N", "Brier", "by chance", "Bits?", "by chance?"), rows)
	p.next("brenner", "session", "list")
}
