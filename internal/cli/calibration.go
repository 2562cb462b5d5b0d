package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/session"
)

var calibrations = []session.CalibrationBy{session.ByAgent, session.ByModel, session.ByFamily}

func newCalibration(a *app) *cobra.Command {
	var thread, by string
	cmd := &cobra.Command{
		Use:   "calibration",
		Short: "Show how well agents foresaw the outcomes of tests",
		Long: `Show how well agents foresaw the outcomes of tests: the mean Brier score and the mean number of bits of
surprise, each beside those of a forecaster that finds all labels equally likely. Less is better.
Exploratory results are not scored.`,
		Example: "  brenner calibration\n  brenner calibration --thread RS-20260110-cells-turn --by family",
		Args:    exactly(),
	}
	cmd.Flags().StringVar(&thread, "thread", "", "only thread `T` (default: the whole project)")
	cmd.Flags().StringVar(&by, "by", string(session.ByAgent), "take scores together by `WHOM`: agent, model or family")
	completeFlag(cmd, "by", fixed(calibrations))
	completeFlag(cmd, "thread", a.completeThreadFlag)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if !slices.Contains(calibrations, session.CalibrationBy(by)) {
			return nil, usageFor(cmd, "--by is agent, model or family, not %q", by)
		}
		return a.inProject(func(ctx context.Context, p *project.App, _ []string) (report, error) {
			if thread == "" {
				rows, err := p.Sessions.Calibration(ctx, session.CalibrationBy(by))
				return calibrationReport{rows}, err
			}
			s, err := p.Sessions.Session(ctx, thread)
			if err != nil {
				return nil, err
			}
			return calibrationReport{s.Calibration(session.CalibrationBy(by))}, nil
		})(ctx, args)
	})
}

type calibrationReport struct {
	Rows []session.CalibrationRow `json:"rows"`
}

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
