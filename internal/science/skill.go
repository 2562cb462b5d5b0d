package science

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"brenner/internal/artifact"
)

// CalibrationRow is how well somebody foresaw results on average, beside a forecaster that finds everything equally likely
// (SCIENCE 7). Numbers that nothing was found for are null.
type CalibrationRow struct {
	By              string      `json:"by"`
	N               int         `json:"n"`    // labelled forecasts
	Self            int         `json:"self"` // results it recorded itself, which are not scored
	Brier           *float64    `json:"brier"`
	LogBits         *float64    `json:"log_bits"` // over quantities too
	BaselineBrier   *float64    `json:"baseline_brier"`
	BaselineLogBits *float64    `json:"baseline_log_bits"`
	Skill           *float64    `json:"skill"`
	Interval        *[2]float64 `json:"interval"` // of the skill, 90 %
	Inside90        Inside      `json:"inside_90"`
	Verdict         Skilled     `json:"verdict"`
}

// Inside counts the quantities whose value lay in the middle nine tenths of what was foreseen.
type Inside struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// Skilled says whether somebody foresees better than chance.
type Skilled string

// The verdicts on a forecaster (SCIENCE 7).
const (
	Better     Skilled = "better"
	Worse      Skilled = "worse"
	CannotTell Skilled = "cannot tell"
)

// fewestForecasts is how many labelled forecasts a verdict needs.
const fewestForecasts = 10

// Scored is a score under the name that it is taken together by: an agent, a model or a family.
type Scored struct {
	By     string
	Thread string
	Score
}

// Calibrate makes a row for each name, in the order of the names, which are compared ignoring case. The forecasts that one name
// has of one result are averaged first, so that many agents of a model weigh no more than one (SCIENCE 7).
func Calibrate(scores []Scored) []CalibrationRow {
	groups, rows := map[string]*group{}, []CalibrationRow{}
	for _, s := range scores {
		key := strings.ToLower(s.By)
		if groups[key] == nil {
			groups[key] = &group{by: s.By, of: map[forecastKey]int{}}
		}
		groups[key].add(s)
	}
	for _, g := range groups {
		rows = append(rows, g.row())
	}
	slices.SortFunc(rows, func(a, b CalibrationRow) int { return cmp.Compare(a.By, b.By) })
	return rows
}

// group is what one name foresaw.
type group struct {
	by        string
	self      int
	forecasts [][]Foresight // of each result
	of        map[forecastKey]int
}

type forecastKey struct {
	thread string
	test   artifact.ItemID
}

func (g *group) add(s Scored) {
	if s.Self {
		g.self++
		return
	}
	key := forecastKey{s.Thread, s.Test}
	at, known := g.of[key]
	if !known {
		at = len(g.forecasts)
		g.of[key], g.forecasts = at, append(g.forecasts, nil)
	}
	g.forecasts[at] = append(g.forecasts[at], s.Foresight)
}

func (g *group) row() CalibrationRow {
	r := CalibrationRow{By: g.by, Self: g.self, Verdict: CannotTell}
	var briers, baselines, bits, chance []float64
	for _, list := range g.forecasts {
		f := average(list)
		bits, chance = append(bits, f.LogBits()), append(chance, f.BaselineLogBits())
		if !f.numeric() {
			briers, baselines = append(briers, f.Brier()), append(baselines, f.BaselineBrier())
			continue
		}
		r.Inside90.Of++
		if f.inside90() {
			r.Inside90.N++
		}
	}
	r.N = len(briers)
	r.Brier, r.BaselineBrier, r.LogBits, r.BaselineLogBits = meanOf(briers), meanOf(baselines), meanOf(bits), meanOf(chance)
	r.judge(briers, baselines)
	return r
}

// judge says how much better than chance the forecasts were: the mean of the single differences over the mean of the baseline,
// with its 90 % interval, and whether that says anything (SCIENCE 7, skill and verdict).
func (r *CalibrationRow) judge(briers, baselines []float64) {
	if r.N == 0 {
		return
	}
	gains := make([]float64, r.N)
	for i := range gains {
		gains[i] = baselines[i] - briers[i]
	}
	gain, base := *meanOf(gains), *r.BaselineBrier
	skill := gain / base
	r.Skill = &skill
	if r.N < 2 {
		return
	}
	half := 1.645 * deviation(gains, gain) / math.Sqrt(float64(r.N))
	r.Interval = &[2]float64{(gain - half) / base, (gain + half) / base}
	switch {
	case r.N < fewestForecasts:
	case r.Interval[0] > 0:
		r.Verdict = Better
	case r.Interval[1] < 0:
		r.Verdict = Worse
	}
}

// meanOf is nil where there is nothing to average.
func meanOf(list []float64) *float64 {
	if len(list) == 0 {
		return nil
	}
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	sum /= float64(len(list))
	return &sum
}

// deviation is the standard deviation of a sample (n − 1).
func deviation(list []float64, mean float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(list)-1))
}
