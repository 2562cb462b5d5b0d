package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/commandline"
	"brenner/internal/figure"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
	"brenner/internal/study"
)

// studyView is the science of a session as its page shows it.
type studyView struct {
	*study.Study
	Sentence standing
	Register register
	Slate    []slateRow
	More     int // hypotheses that are folded away
	Waits    []waiting
	Think    []template.HTML
	Large    study.Panel // the curve that is shown large
	Small    []study.Panel
	Pair     string // the pair that the matrix is filtered by; empty: all rows
	Letters  bool   // the matrix shows letters, and words in its cards
	Tables   []matrixTable
	MoreRows int      // of the matrix, that the artifact has
	Signs    []string // the vital signs, in words
}

// matrixTable is a part of the matrix: all of it, or where it has letters only, its tests and its predictions
// beside each other, so that both are on one screen.
type matrixTable struct {
	Label string
	Rows  []matrixLine
	Sums  bool // its foot sums up what was found
}

// standing is the sentence about current belief, in its parts.
type standing struct {
	Leader, Runner *study.Hypothesis
	Review         string
	Equal          bool // no agent has stated a belief
	Closed         int  // the version at which the session was completed
}

// register is the line of the predictions with a square for each.
type register struct {
	Line     string
	Coverage string // how much of what is quoted was checked; empty: not known
	Squares  []string
	Bar      template.HTML // instead of more squares than a reader would count
}

// slateRow is a hypothesis with what is shown beside it.
type slateRow struct {
	study.Hypothesis
	Review    mark
	Support   mark
	Claim     template.HTML
	Reason    template.HTML // of a killed one
	Dispute   []string      // fields that two agents set at the same instant
	Open      int
	Grave     bool
	Answered  int
	BarLabel  string
	Curve     template.HTML
	Bar       template.HTML
	ThirdOne  bool
	KilledRef string
	Tally     *testTally // of so many tests that they are counted, not listed
}

// testTally counts the tests that tell a hypothesis apart.
type testTally struct{ Right, Wrong, Late, Silent, Open int }

// maxTestMarks is how many tests are shown beside a hypothesis one by one.
const maxTestMarks = 6

func tallyOf(tests []study.TestMark) *testTally {
	if len(tests) <= maxTestMarks {
		return nil
	}
	t := &testTally{}
	for _, m := range tests {
		switch m.Verdict {
		case figure.AsExpected:
			t.Right++
		case figure.Contradicted:
			t.Wrong++
		case figure.PostHoc:
			t.Late++
		case figure.Silent:
			t.Silent++
		default:
			t.Open++
		}
	}
	return t
}

// matrixLine is a row of the matrix with its group's heading before it.
type matrixLine struct {
	study.Row
	Heading string
	Cells   []matrixCell
	Pairs   string // keys of the pairs that the row tells apart, for the filter
	Dim     bool   // it does not tell the chosen pair apart
}

type matrixCell struct {
	study.Cell
	Column study.Column
	Class  string
	Label  string // what the cell says to a reader who cannot see it
}

// maxMatrixRows is how many tests, and how many predictions, the matrix shows. More than that cannot be compared at a
// glance; the best tests come first.
const maxMatrixRows = 60

// slateRows is how many living hypotheses the slate shows unfolded.
const slateRows = 8

// maxSquares bounds the squares of the register; its sentence has the numbers.
const maxSquares = 60

// pageLinks lead from a study to the places of its session.
type pageLinks struct {
	thread  string
	latest  int                           // version; 0 before the first
	pending func(id artifact.ItemID) bool // no version has it yet
	here    bool                          // the links are on the page of the session
	before  func(version int) int         // the version before one, 0 before the first
}

func (l pageLinks) Item(id artifact.ItemID) string {
	if l.latest == 0 || l.pending != nil && l.pending(id) {
		return threadURL(l.thread) + "/draft#" + string(id)
	}
	return versionItemURL(l.thread, l.latest, string(id))
}

func (l pageLinks) Message(id int64) string {
	if l.here { // there are hundreds in a picture of a long thread
		n := strconv.FormatInt(id, 10)
		return "?at=" + n + "#m" + n
	}
	return messageURL(l.thread, id)
}

// castOf gives the members of a session their marks: roster first, then all other senders.
func castOf(members []fold.Member) study.Cast {
	var names []string
	for _, m := range members {
		names = append(names, m.Agent)
	}
	return study.NewCast(names, func(name string) bool { return protocol.SameAgent(name, mail.Operator) })
}

// study arranges the science of a session for its page.
func (w *Web) study(r *http.Request, of *session.Session, detail session.Detail) (*studyView, error) {
	known, err := checksOf(of)
	if err != nil {
		return nil, err
	}
	rd := w.readerOf(of.View, onTimeline)
	rd.places.here = true
	v := &studyView{Study: session.Arranged(of, func() *study.Study { return study.New(sourceOfStudy(of.View, known, rd)) })}
	v.Register = registerOf(v.Study)
	if coverage, err := known.Coverage(); err == nil {
		v.Register.Coverage = coverage.Line()
	}
	if signs, err := of.Signs(); err == nil {
		v.Signs = signs.Lines()
	}
	v.slate(detail, known, rd)
	v.sentence(detail)
	v.waits(detail.ThreadID, known.first, rd)
	v.think(rd)
	v.belief(r.URL.Query().Get("h"))
	v.matrix(r.URL.Query())
	return v, nil
}

func sourceOfStudy(v *fold.View, known checks, rd *reader) study.Source {
	return study.Source{Artifact: v.Fold.Artifact(), Science: v.Science, Account: known.Account(), Ranking: known.Ranking(), Cast: rd.cast,
		Links: rd.places, Attacks: known.attacks()}
}

func registerOf(s *study.Study) register {
	c := s.Counts
	r := register{Line: c.String()}
	var shares []figure.Share
	for _, part := range []struct {
		class string
		n     int
	}{{"revealed", c.Locked}, {"late", c.AfterLook + c.PostHoc}, {"exploratory", c.Exploratory},
		{"open", c.Stated - c.Revealed - c.Exploratory}} {
		shares = append(shares, figure.Share{Value: float64(part.n), Class: part.class})
		for range part.n {
			if c.Stated <= maxSquares {
				r.Squares = append(r.Squares, part.class)
			}
		}
	}
	if c.Stated > maxSquares {
		r.Bar = picture(figure.Proportions(shares))
	}
	return r
}

func (v *studyView) slate(detail session.Detail, known checks, rd *reader) {
	top := v.SparkTop()
	for i, h := range v.Hypotheses {
		row := slateRow{
			Hypothesis: h, ThirdOne: h.Item.IsThirdAlternative(), Claim: rd.text(short(160, h.Item.Text(artifact.Claim))),
			Dispute: h.Item.Conflicts,
			Review:  known.reviewMark(h.Item.ID, rd.links), Support: known.supportMark(h.Item.ID, rd.links),
		}
		end := 0
		if h.Killed != nil {
			end, row.KilledRef, row.Reason = h.Killed.Place, messageURL(detail.ThreadID, h.Killed.MessageID),
				rd.text(short(240, h.Killed.Reason))
		} else if i >= slateRows {
			v.More++
		}
		for _, a := range h.Attacks {
			switch a.State {
			case science.AttackOpen:
				row.Open++
				row.Grave = row.Grave || a.Severity == study.Critical
			case science.AttackAnswered:
				row.Answered++
			}
		}
		row.Tally = tallyOf(h.Tests)
		row.BarLabel = barLabel(h.World)
		row.Bar = picture(figure.Bar(row.BarLabel, h.Pooled, h.Agents))
		row.Curve = picture(figure.Spark(h.Pool, v.Lifelines.Messages, v.Lifelines.Versions, top, end))
		v.Slate = append(v.Slate, row)
	}
}

// barLabel says what a bar shows.
func barLabel(w study.World) string {
	parts := []string{"Pool " + figure.Percent(w.Pooled)}
	for _, a := range w.Agents {
		parts = append(parts, a.By.Name+" "+figure.Percent(a.Points[len(a.Points)-1].Value))
	}
	return strings.Join(parts, ", ")
}

// picture marks a picture as markup: figure escapes every text in it.
func picture(svg string) template.HTML { return template.HTML(svg) } //nolint:gosec // see above

func (v *studyView) sentence(detail session.Detail) {
	alive := v.Alive()
	v.Sentence.Equal = len(v.Voices) == 0
	if len(alive) > 0 {
		v.Sentence.Leader = &alive[0]
		v.Sentence.Review = v.Slate[0].Review.State
	}
	if len(alive) > 1 {
		v.Sentence.Runner = &alive[1]
	}
	if detail.Phase == fold.PhaseComplete && detail.Latest != nil {
		v.Sentence.Closed = detail.Latest.Version
	}
}

// waiting is something that waits for a person.
type waiting struct {
	session.ToDo
	Text        template.HTML
	Link, Verb  string
	Glyph, Tone string
}

func (v *studyView) waits(thread string, list []session.ToDo, rd *reader) {
	for _, t := range list {
		t.Command = t.Command.Worded(commandline.Of(t.Command))
		w := waiting{ToDo: t, Text: rd.text(short(160, t.What)), Link: todoLink(thread, t)}
		switch t.Kind {
		case session.ToDoAnswer:
			w.Verb, w.Glyph, w.Tone = "Answer", "◆", "bad"
		case session.ToDoReply:
			w.Verb, w.Glyph, w.Tone = "Reply", "?", "warn"
		case session.ToDoCompile:
			w.Verb, w.Glyph, w.Tone = "Compile", "+", "calm"
		default:
			w.Verb, w.Glyph, w.Tone = "Look", "!", "warn"
		}
		v.Waits = append(v.Waits, w)
	}
}

// think lists what to think about once nothing waits: nothing here holds anything up.
func (v *studyView) think(rd *reader) {
	for _, pair := range v.Apart {
		if len(v.Think) < 3 {
			v.Think = append(v.Think, rd.text(fmt.Sprintf("%s and %s: no open test tells them apart", pair[0], pair[1])))
		}
	}
	for _, h := range v.Alive() {
		if len(h.Attacks) == 0 {
			v.Think = append(v.Think, rd.text(h.ID+": never attacked"))
		}
	}
}

// belief chooses the curve that is shown large: the one asked for, else the leader's.
func (v *studyView) belief(asked string) {
	if len(v.Panels) == 0 {
		return
	}
	large := 0
	for i, p := range v.Panels {
		if p.ID == asked {
			large = i
		}
	}
	v.Large = v.Panels[large]
	v.Small = append(append([]study.Panel{}, v.Panels[:large]...), v.Panels[large+1:]...)
}

func (v *studyView) matrix(query map[string][]string) {
	get := func(key string) string {
		if values := query[key]; len(values) > 0 {
			return values[0]
		}
		return ""
	}
	if _, ok := v.Matrix.Pair(get("pair")); ok {
		v.Pair = get("pair")
	}
	v.Letters = v.Matrix.LettersOnly() && get("matrix") != "words" || get("matrix") == "letters"
	tests := matrixTable{"Tests", matrixLines("Tests", v.Matrix.Tests, v.Matrix.Columns, v.Pair), true}
	predictions := matrixTable{"Predictions", matrixLines("Predictions", v.Matrix.Predictions, v.Matrix.Columns, v.Pair), false}
	var more int
	for _, t := range []*matrixTable{&tests, &predictions} {
		t.Rows, more = cutRows(t.Rows, maxMatrixRows)
		v.MoreRows += more
	}
	switch {
	case len(predictions.Rows) == 0 && len(tests.Rows) == 0:
	case v.Letters && len(predictions.Rows) > 0 && len(tests.Rows) > 0:
		v.Tables = []matrixTable{tests, predictions}
	default:
		v.Tables = []matrixTable{{"Tests and predictions", append(tests.Rows, predictions.Rows...), true}}
	}
}

func matrixLines(heading string, rows []study.Row, columns []study.Column, pair string) []matrixLine {
	var lines []matrixLine
	for i, row := range rows {
		line := matrixLine{Row: row, Dim: pair != "" && !row.Apart[pair]}
		if i == 0 {
			line.Heading = heading
		}
		for j, cell := range row.Cells {
			line.Cells = append(line.Cells, cellOf(cell, columns[j]))
		}
		lines = append(lines, line)
	}
	return lines
}

// cellOf gives a cell its class: what was found counts before what is expected.
func cellOf(cell study.Cell, column study.Column) matrixCell {
	c := matrixCell{Cell: cell, Column: column, Label: column.ID + ": nothing expected"}
	if cell.Text != "" {
		c.Label = column.ID + ": " + cell.Letter + ", " + cell.Text
	}
	switch {
	case cell.Verdict != "":
		c.Class = string(cell.Verdict)
		c.Label += "; " + cell.Verdict.Words()
		if cell.Registered != "" {
			c.Label += "; rewritten after a look, registered: " + cell.Registered
		}
	case cell.Letter != "":
		c.Class = "t-" + strings.ToLower(string("ABCD"[int(cell.Letter[0]-'A')%4]))
	}
	if column.Killed {
		c.Class += " x"
	}
	return c
}

// todoLink leads to the place where something that waits is dealt with.
func todoLink(thread string, t session.ToDo) string {
	switch t.Kind {
	case session.ToDoAnswer:
		return threadURL(thread) + "#critiques"
	case session.ToDoReply:
		return messageURL(thread, t.MessageID)
	case session.ToDoCompile:
		return threadURL(thread) + "#compile"
	}
	return threadURL(thread) + "/draft"
}

// stackOf draws shares as one bar.
func stackOf(shares []figure.Share) template.HTML {
	var parts []string
	for _, s := range shares {
		parts = append(parts, s.Label+" "+figure.Percent(s.Value))
	}
	return picture(figure.Stack(strings.Join(parts, ", "), 300, shares))
}
