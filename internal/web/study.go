package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"

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
	Known    knownView
	Ledger   ledgerView
	Why      *whyView // nil: nothing was found
	Register register
	Slate    []slateRow
	None     noneRow
	Top      string     // end of the axis of the slate, in percent
	Since    string     // the day on which its curves begin
	CurveTop string     // where they end, in per cent
	Frame    []frameHit // attacks on the whole question
	More     int        // hypotheses that are folded away
	Waits    []waiting
	Think    []template.HTML
	Large    study.Panel // the curve that is shown large
	Small    []study.Panel
	Pair     string // the pair that the matrix is filtered by; empty: all rows
	Advice   []adviceLine
	Letters  bool // the matrix shows letters, and words in its cards
	Tables   []matrixTable
	Expected *expectedView // nil: letters are shown instead
	MoreRows int           // of the matrix, that the artifact has
	Signs    []string      // the vital signs, in words
	Proved   []string      // what the record proves
	Claimed  []string      // what rests on somebody\'s word
}

// matrixTable is a part of the matrix: all of it, or where it has letters only, its tests and its predictions
// beside each other, so that both are on one screen.
type matrixTable struct {
	Label string
	Rows  []matrixLine
	Sums  bool // its foot sums up what was found
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
	Percent   string
	Review    mark
	Support   mark
	Claim     template.HTML
	Reason    template.HTML // of a killed one
	Dispute   []string      // fields that two agents set at the same instant
	Open      int
	Grave     bool
	Answered  int
	Spread    template.HTML
	Curve     template.HTML
	ThirdOne  bool
	KilledRef string
	Right     int // results that came as it expected
	Of        int // results that it had expected something of
	Failed    []study.TestMark
	MoreFails int
	Late      int
}

// noneRow is none of these, a world like the others.
type noneRow struct {
	Percent string
	Spread  template.HTML
	Curve   template.HTML
	Moved   template.HTML // what moved it last
}

// frameHit is an attack on the whole question.
type frameHit struct{ Title, From, Href, State string }

// maxFailed is how many tests are named that came out otherwise than an explanation expected.
const maxFailed = 4

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
	v := &studyView{Study: arranged(of, known, rd)}
	v.Register = registerOf(v.Study)
	if coverage, err := known.Coverage(); err == nil {
		v.Register.Coverage = coverage.Line()
	}
	if signs, err := of.Signs(); err == nil {
		v.Signs = signs.Lines()
	}
	v.Proved = study.Proved(of.View.Messages, v.Counts.Locked, v.Register.Coverage)
	v.Claimed = study.OnlyClaimed(len(v.Voices))
	src := sourceOfStudy(of, known, rd)
	v.Known = w.knownOf(of, detail, v.Study, src)
	v.Ledger = ledgerOf(v.Study, cardMaker{detail.ThreadID, w.sourceNamed})
	v.Why = whyOf(of, v.Study, src)
	v.slate(detail, known, rd)
	v.Since = dayOf(of.Asked(), w.options.Now())
	v.frame(detail)
	v.waits(detail, known.first, rd, w.options.Now())
	v.advice(src)
	v.think(rd)
	v.belief(r.URL.Query().Get("h"))
	v.matrix(r.URL.Query())
	query := r.URL.Query()
	v.Expected = v.expected(detail.ThreadID, query.Get("matrix"), query.Get("cell"))
	if v.Expected != nil && query.Has("cell") {
		if v.Expected.Panel, err = w.panel(r.Context(), of, v.Study, query.Get("cell")); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// studied is the study of a session, made once for all who hold the same revision.
func (w *Web) studied(of *session.Session) (*study.Study, error) {
	known, err := checksOf(of)
	if err != nil {
		return nil, err
	}
	rd := w.readerOf(of.View, onTimeline)
	rd.places.here = true
	return arranged(of, known, rd), nil
}

func arranged(of *session.Session, known checks, rd *reader) *study.Study {
	return session.Arranged(of, func() *study.Study { return study.New(sourceOfStudy(of, known, rd)) })
}

func sourceOfStudy(of *session.Session, known checks, rd *reader) study.Source {
	return study.Source{Artifact: of.View.Fold.Artifact(), Science: of.View.Science, Account: known.Account(), Ranking: known.Ranking(),
		Register: of.Predictions(), Cast: rd.cast, Links: rd.places, Attacks: known.attacks()}
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
	curveTop, top := v.SparkTop(), v.SpreadTop()
	v.Top, v.CurveTop = strings.TrimSuffix(figure.Percent(top), " %"), strings.TrimSuffix(figure.Percent(curveTop), " %")
	percents := map[string]string{}
	for _, s := range v.Known.Shares {
		percents[s.ID] = s.Percent
	}
	for i, h := range v.Hypotheses {
		row := slateRow{
			Hypothesis: h, ThirdOne: h.Item.IsThirdAlternative(), Claim: rd.text(short(160,
				h.Item.Text(artifact.Claim))), Dispute: h.Item.Conflicts,
			Review: known.reviewMark(h.Item.ID, rd.links), Support: known.supportMark(h.Item.ID, rd.links), Percent: percents[h.ID],
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
		if row.Open > 0 {
			row.Review.Why = "" // how many are open says more than which
		}
		row.tally(&v.Matrix, i)
		row.Spread = picture(figure.Spread(barLabel(h.World), h.ID, h.Pooled, top, h.Agents))
		row.Curve = picture(figure.Spark(h.Pool, v.Lifelines.Messages, v.Lifelines.Versions, curveTop, end))
		v.Slate = append(v.Slate, row)
	}
	v.None = noneRow{
		Percent: percents[noneMark], Spread: picture(figure.Spread(barLabel(v.Study.None), v.Study.None.ID, v.Study.None.Pooled, top,
			v.Study.None.Agents)),
		Curve: picture(figure.Spark(v.Study.None.Pool, v.Lifelines.Messages, v.Lifelines.Versions, curveTop,
			0)), Moved: noneMoved(v.LastOfNone),
	}
}

// tally counts the results that came as an explanation expected, and names those that did not.
func (row *slateRow) tally(m *study.Matrix, column int) {
	c := m.Columns[column]
	row.Right, row.Of, row.Late = c.Right, c.Right+c.Wrong, c.Late
	for _, t := range m.Tests {
		if t.Cells[column].Verdict != figure.Contradicted {
			continue
		}
		if len(row.Failed) == maxFailed {
			row.MoreFails++
			continue
		}
		row.Failed = append(row.Failed, study.TestMark{ID: t.ID, Name: t.Name, Href: t.Href})
	}
}

// noneMoved says what moved none of these last.
func noneMoved(m *study.Shift) template.HTML {
	if m == nil {
		return ""
	}
	verb := "Rose"
	if m.To < m.From {
		verb = "Fell"
	}
	name := string(m.Test)
	if name == "" {
		name = fmt.Sprintf("#%d", m.MessageID)
	}
	return new(phrase).say("%s from %s to %s with ", verb, figure.Percent(m.From),
		figure.Percent(m.To)).put(itemLink(name, m.Href)).say(".").html()
}

// maxFrame is how many attacks on the whole question are named.
const maxFrame = 3

// frame lists the attacks that name no item: they are on the question itself.
func (v *studyView) frame(detail session.Detail) {
	for _, c := range detail.Critiques {
		if c.OnQuestion() && len(v.Frame) < maxFrame {
			v.Frame = append(v.Frame, frameHit{short(120, c.Title), c.From, messageURL(c.ThreadID, c.MessageID), c.State})
		}
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

// waiting is something that waits for a person.
type waiting struct {
	session.ToDo
	Strong     template.HTML
	Small      string
	Link, Verb string
	Mark, Tone string
	Drawer     string // the address of what opens in place; empty: only the link
}

func (v *studyView) waits(detail session.Detail, list []session.ToDo, rd *reader, now time.Time) {
	for _, t := range list {
		t.Command = t.Command.Worded(commandline.Of(t.Command))
		w := waiting{ToDo: t, Strong: rd.text(short(160, t.What)), Link: todoLink(detail.ThreadID, t)}
		switch t.Kind {
		case session.ToDoAnswer:
			w.Verb, w.Mark, w.Tone = "Answer", "dia", "bad"
			w.attack(detail, now)
		case session.ToDoReply:
			w.Verb, w.Mark, w.Tone, w.Drawer = "Reply", "q", "warn", actOn(&t)
			w.Strong, w.Small = new(phrase).say("%s asks", short(40, t.Agent)).html(), askedOf(t)
		case session.ToDoCompile:
			w.Verb, w.Mark, w.Tone, w.Drawer = "Look", "merge", "calm", actOn(&t)
			w.Strong, w.Small = new(phrase).say("%s to take in", protocol.Plural(detail.Pending.Applied,
				"change")).html(), "they make the next version"
		default:
			_, _, _, _, w.Verb = waitWords(&t)
			w.Mark, w.Tone = "bang", "warn"
			if t.Kind == session.ToDoMend {
				w.Mark, w.Strong, w.Small = "pen", "The draft has gaps", "a version needs them closed"
			}
		}
		v.Waits = append(v.Waits, w)
	}
}

// askedOf is what a question asks, without the words around it.
func askedOf(t session.ToDo) string {
	_, what, _ := strings.Cut(t.What, ": ")
	for _, kind := range []protocol.MessageType{protocol.TypeQuestion, protocol.TypeBlocked} {
		what = strings.TrimSpace(strings.TrimPrefix(what, string(kind)+":"))
	}
	return short(100, what)
}

// attack says what a grave attack is on, and by whom.
func (w *waiting) attack(detail session.Detail, now time.Time) {
	for _, c := range detail.Critiques {
		if c.MessageID != w.MessageID || c.MessageID == 0 {
			continue
		}
		p := new(phrase).say("Critical attack on ")
		switch first := c.FirstTarget(); {
		case first == "":
			p.say("the question")
		case strings.HasPrefix(first, "H"):
			p.put(pill(first))
		default:
			p.say("%s", first)
		}
		w.Strong, w.Small = p.html(), short(120, c.From+": "+c.Title)
		if at, ok := timeOf(c.CreatedTS); ok {
			w.Small += " · " + ago(at, now)
		}
		if c.Item == nil {
			w.Drawer = actOn(&w.ToDo)
		}
	}
}

// adviceLine is an open test with what it would teach.
type adviceLine struct {
	science.Advice
	Href string
}

// maxAdvice is how many open tests are listed.
const maxAdvice = 6

func (v *studyView) advice(src study.Source) {
	for _, a := range src.Ranking.Tests[:min(len(src.Ranking.Tests), maxAdvice)] {
		v.Advice = append(v.Advice, adviceLine{a, src.Links.Item(a.Test)})
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
	for i, p := range v.Panels {
		if i != large && !p.Killed {
			v.Small = append(v.Small, p)
		}
	}
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
	case !v.Letters && len(tests.Rows) > 0: // tests have a table of their own
		if len(predictions.Rows) > 0 {
			predictions.Sums = false
			v.Tables = []matrixTable{predictions}
		}
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
