package web

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"brenner/internal/figure"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
)

// whyView is why belief is what it is.
type whyView struct {
	Worlds []shareLine
	Rows   []whyRow
	Kills  []study.WhyKill
	Sums   []string
	Course []string // belief before any result and now, by world
	Ifs    []ifView
	// MoreIfs leave the leader as it is, and would make the list longer than the table beside it.
	MoreIfs []ifView
	Shared  string
}

// fewIfs is how many suppositions that leave the leader as it is are shown beside the shortest table.
const fewIfs = 3

// whyRow is what one result did to each world.
type whyRow struct {
	study.WhyRow
	Cells       []weightCell
	Likelihoods []string // as Weights
	Note        string   // why it does not count, or that it repeats another
}

// weightCell is a weight in bits, with a bar from the middle.
type weightCell struct {
	Text string
	Bar  template.HTML
}

// ifView is what would be believed if something were otherwise.
type ifView struct {
	Name    string
	Leader  string
	Percent string
	Changes bool
	Bar     shareBar
}

// whyOf arranges reasons; nil: nothing was found.
func whyOf(of *session.Session, s *study.Study, src study.Source) *whyView {
	reasons := of.Reasons()
	if len(reasons.Results) == 0 {
		return nil
	}
	w := study.NewWhy(s, src, &reasons)
	v := &whyView{Kills: w.Kills}
	now := make([]float64, len(w.Worlds))
	for i, world := range w.Worlds {
		id := world.ID
		if id == science.None.ID() {
			id = noneMark
		}
		v.Worlds = append(v.Worlds, shareLine{ID: id, Name: world.Name})
		v.Sums = append(v.Sums, bitsText(w.Sums[i]))
		now[i] = world.Pooled
	}
	for i, p := range study.Percents(now) {
		was := ""
		if w.Before != nil {
			was = strings.TrimSuffix(figure.Percent(w.Before[i]), " %") + " → "
		}
		v.Course = append(v.Course, was+p+" %")
	}
	for _, row := range w.Rows {
		v.Rows = append(v.Rows, whyRowOf(row))
	}
	for _, i := range w.Ifs {
		if one := ifOf(i); one.Changes {
			v.Ifs = append(v.Ifs, one)
		} else {
			v.MoreIfs = append(v.MoreIfs, one)
		}
	}
	// What changes the leader comes first. One is half as high again as a row of the table.
	more := min(len(v.MoreIfs), max(fewIfs, 2*len(v.Rows)/3-len(v.Ifs)))
	v.Ifs, v.MoreIfs = append(v.Ifs, v.MoreIfs[:more]...), v.MoreIfs[more:]
	if len(w.Shared) > 0 {
		v.Shared = fmt.Sprintf("%s and %s rest on one source", w.Shared[0][0], w.Shared[0][1])
	}
	return v
}

func whyRowOf(row study.WhyRow) whyRow {
	r := whyRow{WhyRow: row}
	switch {
	case row.Uncounted != "":
		r.Note = "not counted: " + row.Uncounted
	case row.Standing == science.Replication:
		r.Note = "replication"
	}
	for _, weight := range row.Weights {
		cell := weightCell{Text: "–"}
		if weight != nil {
			cell = weightCell{bitsText(*weight), picture(figure.Weight(*weight))}
		}
		r.Cells = append(r.Cells, cell)
	}
	for _, p := range row.Likely {
		r.Likelihoods = append(r.Likelihoods, study.Likelihood(p))
	}
	return r
}

// bitsText writes bits with their sign.
func bitsText(bits float64) string {
	if math.Abs(bits) < 0.005 {
		return "0"
	}
	return minus(fmt.Sprintf("%+.2f", bits))
}

// which names the message of a result beside its test, where the test has several.
func which(message int64) string {
	if message == 0 {
		return ""
	}
	return fmt.Sprintf(" #%d", message)
}

func ifOf(i study.Supposed) ifView {
	v := ifView{Name: study.Supposition(i.Name), Leader: i.Leader, Percent: figure.Percent(i.Pooled[i.Leader]), Changes: i.ChangesLeader,
		Bar: barOf(inMargin, shareList(i.Shares))}
	if i.TestName != "" {
		v.Name = fmt.Sprintf("without %s%s %s", i.Test, which(i.Also), short(40, i.TestName))
	}
	return v
}
