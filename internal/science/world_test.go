package science_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/science"
)

// lab is a small thread that a test plays into the registers, with everything that happened written
// down for the reference.
type lab struct {
	artifact *artifact.Artifact
	state    science.State
	log      []event // by place, from 1; log[0] is before the first message
	open     *event  // the message being written
	body     string
	deltas   []delta.Delta // of the message being written
	family   func(agent string) string
}

// event is the state of a thread after a message, and what the message stated.
type event struct {
	hypotheses map[int]bool // number → active
	tests      map[int]labTest
	from       string
	credences  map[string]float64
	stated     bool
	tables     map[int]labTable // by test
	touched    []merge.Touch
	changes    []merge.Change
}

type labTest struct {
	killed    bool
	cells     map[int]string
	score     map[string]float64
	measure   *labMeasure // nil: its outcomes are labels
	runs      []labRun
	withdrawn map[int]int // place of a result → place of its withdrawal
}

// labMeasure is what a test measures.
type labMeasure struct {
	lo, hi float64
	log    bool
	sd     float64 // 0: not said
}

// labRun is a result that a message gave.
type labRun struct {
	place       int
	outcome     string
	value       *labValue
	unforeseen  bool
	exploratory bool
	replicates  bool
	impotent    bool // its control failed
	replaced    bool // a result that nobody recorded stands in its place
	started     int  // it began right behind the message at this place; 0: not said
	evidence    []string
}

type labValue struct{ x, plus, minus float64 }

type labTable struct {
	labels []string
	rows   map[string][]float64
	cells  map[string]string // of a table without labels
}

func newLab() *lab {
	return &lab{artifact: artifact.New(), family: familyOfAgent, log: []event{{hypotheses: map[int]bool{}, tests: map[int]labTest{}}}}
}

// begin opens a message.
func (l *lab) begin(from string) {
	last := l.log[len(l.log)-1]
	next := event{hypotheses: map[int]bool{}, tests: map[int]labTest{}, from: from, tables: map[int]labTable{}}
	maps.Copy(next.hypotheses, last.hypotheses)
	maps.Copy(next.tests, last.tests)
	l.open, l.body, l.deltas = &next, "", nil
}

// end sends it to the registers.
func (l *lab) end() {
	place := len(l.log)
	l.log = append(l.log, *l.open)
	m := message.Message{ID: int64(100 + place), From: l.open.from, Subject: "INFO: x", Body: l.body, CreatedAt: time.Unix(int64(place), 0).
		UTC()}
	report := merge.MessageReport{MessageID: m.ID, From: m.From, Items: l.open.touched, Changes: l.open.changes}
	if len(l.deltas) > 0 {
		report.Text, report.Receipt = &message.Report{Deltas: l.deltas}, &delta.Receipt{}
		for _, d := range l.deltas {
			report.Receipt.Blocks = append(report.Receipt.Blocks, delta.Block{Index: d.Block, Status: delta.Accepted, ItemID: d.Target})
		}
	}
	l.state.Advance(&m, &report, l.artifact)
}

func (l *lab) touch(it *artifact.Item) {
	l.open.touched = append(l.open.touched, merge.Touch{Item: it.ID, Kind: merge.KindEdited})
}

func (l *lab) addHypothesis() {
	n := len(l.artifact.Items(artifact.HypothesisSlate)) + 1
	it := artifact.NewItem(artifact.NewItemID(artifact.HypothesisSlate, n), artifact.HypothesisSlate)
	it.Set(artifact.Name, artifact.Text(fmt.Sprintf("hypothesis %d", n)))
	l.artifact.Add(it)
	l.touch(it)
	l.open.hypotheses[n] = true
}

func (l *lab) killHypothesis(n int) {
	it := l.artifact.Item(artifact.NewItemID(artifact.HypothesisSlate, n))
	it.Killed = &artifact.Kill{}
	l.touch(it)
	l.deltas = append(l.deltas, delta.Delta{Block: len(l.deltas) + 1, Operation: delta.Kill, Section: artifact.HypothesisSlate,
		Target: string(it.ID)})
	l.open.hypotheses[n] = false
}

func (l *lab) addTest(cells map[int]string, score map[string]float64) int {
	n := len(l.artifact.Items(artifact.DiscriminativeTests)) + 1
	it := artifact.NewItem(artifact.NewItemID(artifact.DiscriminativeTests, n), artifact.DiscriminativeTests)
	var parts []artifact.Part
	for name, number := range score {
		parts = append(parts, artifact.Part{Name: name, Number: strconv.FormatFloat(number, 'g', -1, 64)})
	}
	it.Set(artifact.Name, artifact.Text("test"))
	it.Set(artifact.ScoreField, artifact.NewScore(parts...))
	l.artifact.Add(it)
	l.open.tests[n] = labTest{score: score}
	l.setCells(n, cells)
	return n
}

func (l *lab) testItem(n int) *artifact.Item {
	return l.artifact.Item(artifact.NewItemID(artifact.DiscriminativeTests, n))
}

func (l *lab) setCells(n int, cells map[int]string) {
	var pairs []artifact.Pair
	for h, text := range cells {
		pairs = append(pairs, artifact.Pair{Key: fmt.Sprintf("H%d", h), Text: text})
	}
	it := l.testItem(n)
	it.Set(artifact.ExpectedOutcomes, artifact.NewMap(pairs...))
	l.touch(it)
	t := l.open.tests[n]
	t.cells = cells
	l.open.tests[n] = t
}

func (l *lab) killTest(n int) {
	it := l.testItem(n)
	it.Killed = &artifact.Kill{}
	l.touch(it)
	t := l.open.tests[n]
	t.killed = true
	l.open.tests[n] = t
}

func (l *lab) record(n int, outcome string, exploratory bool) {
	l.run(n, labRun{outcome: outcome, exploratory: exploratory})
}

// run gives a test a result.
func (l *lab) run(n int, run labRun) {
	object := map[string]any{"exploratory": run.exploratory}
	switch {
	case run.unforeseen:
		object["unforeseen"] = "smoke"
	case run.value != nil:
		object["value"] = map[string]float64{"x": run.value.x, "plus": run.value.plus, "minus": run.value.minus}
	default:
		object["outcome"] = run.outcome
	}
	if run.replicates {
		object["replicates"] = 1
	}
	if run.impotent {
		object["potency"] = "failed"
	}
	if run.started > 0 {
		object["started"] = time.Unix(int64(run.started), 5e8).UTC().Format(time.RFC3339Nano)
	}
	if run.evidence != nil {
		object["evidence"] = run.evidence
	}
	l.lastRun(n, object, artifact.Text("passed"))
	t := l.open.tests[n]
	run.place = len(l.log)
	t.runs = append(slices.Clip(t.runs), run)
	l.open.tests[n] = t
}

// withdraw takes the result of a place away.
func (l *lab) withdraw(n, place int) {
	l.lastRun(n, map[string]any{"withdraws": 100 + place, "reason": "r"}, nil)
	t := l.open.tests[n]
	gone := maps.Clone(t.withdrawn)
	if gone == nil {
		gone = map[int]int{}
	}
	if _, before := gone[place]; !before {
		gone[place] = len(l.log)
	}
	t.withdrawn = gone
	l.open.tests[n] = t
}

func (l *lab) lastRun(n int, object map[string]any, status artifact.Value) {
	it := l.testItem(n)
	run, _ := json.Marshal(object)
	it.Set(artifact.LastRun, artifact.JSON(run))
	d := delta.Delta{
		Block: len(l.deltas) + 1, Operation: delta.Edit, Section: artifact.DiscriminativeTests, Target: string(it.ID),
		Fields: []delta.Field{{Name: artifact.LastRun, Value: artifact.JSON(run)}},
	}
	if status != nil {
		it.Set(artifact.Status, status)
		d.Fields = append(d.Fields, delta.Field{Name: artifact.Status, Value: status})
	}
	l.touch(it)
	l.open.changes = append(l.open.changes, merge.Change{Item: it.ID, Field: artifact.LastRun})
	l.deltas = append(l.deltas, d)
}

// measures makes a test one of a quantity.
func (l *lab) measures(n int, m labMeasure) {
	object := map[string]any{"range": []float64{m.lo, m.hi}, "unit": "km"}
	if m.log {
		object["scale"] = "log"
	}
	if m.sd > 0 {
		object["sd"] = m.sd
	}
	raw, _ := json.Marshal(object)
	it := l.testItem(n)
	it.SetExtra(artifact.Quantity, artifact.JSON(raw))
	l.touch(it)
	t := l.open.tests[n]
	t.measure = &m
	l.open.tests[n] = t
}

// believe states credences; nil withdraws them.
func (l *lab) believe(credences map[string]float64) {
	l.open.credences, l.open.stated = credences, true
	l.block(map[string]any{"credences": credences})
}

func (l *lab) foresee(test int, table labTable) {
	l.open.tables[test] = table
	object := map[string]any{}
	if table.labels != nil {
		object["labels"] = table.labels
	}
	for w, row := range table.rows {
		object[w] = row
	}
	for w, cell := range table.cells {
		object[w] = cell
	}
	l.block(map[string]any{"likelihoods": map[string]any{fmt.Sprintf("T%d", test): object}})
}

func (l *lab) block(object map[string]any) {
	data, _ := json.Marshal(object)
	l.body += "```belief\n" + string(data) + "\n```\n\n"
}

// --- random threads ---

var (
	someLabels = []string{"kept", "Lost.", "moved", "n/a"}
	agentNames = []string{"BlueLake", "RedSky", "GreenHill", "GreyOwl"}
	someCells  = []string{"3 ± 1", "3 +/- 0.5 km", "5 +2 -1", "2–7", "< 4", "> 6 km", "8", "about 5", "3 ± 1 m", "9.5..20"}
)

// familyOfAgent makes two agents one family, and two of no known one.
func familyOfAgent(name string) string {
	return map[string]string{"BlueLake": "lakes", "RedSky": "lakes", "GreenHill": "unknown", "GreyOwl": "owls"}[name]
}

// account works out what the agents of a lab believe.
func (l *lab) account() *science.Account {
	return l.state.Account(l.state.People(nil, func(a science.Agent) string { return l.family(a.Name) }))
}

func randomLab(rnd *rand.Rand, messages int) *lab {
	l := newLab()
	l.begin("BlueLake")
	for range 1 + rnd.IntN(3) {
		l.addHypothesis()
	}
	for range 1 + rnd.IntN(2) {
		l.randomTest(rnd)
	}
	l.end()
	for range messages {
		l.begin(agentNames[rnd.IntN(len(agentNames))])
		for range 1 + rnd.IntN(2) {
			l.randomAct(rnd)
		}
		l.end()
	}
	return l
}

func (l *lab) randomAct(rnd *rand.Rand) {
	n := 1 + rnd.IntN(len(l.open.tests))
	switch rnd.IntN(11) {
	case 0:
		if active := l.active(); len(active) < 4 {
			l.addHypothesis()
		} else {
			l.killHypothesis(active[rnd.IntN(len(active))])
		}
	case 1:
		if active := l.active(); len(active) > 0 && rnd.IntN(2) == 0 {
			l.killHypothesis(active[rnd.IntN(len(active))])
		}
	case 2:
		l.randomTest(rnd)
	case 3:
		if t := l.open.tests[n]; !t.killed && t.measure == nil {
			l.setCells(n, randomCells(rnd, l))
		} else if !t.killed {
			l.setCells(n, randomSpreads(rnd, l))
		}
	case 4, 5:
		if t := l.open.tests[n]; !t.killed {
			run := randomRun(rnd, t.measure)
			run.started = l.randomStart(rnd, n)
			l.run(n, run)
		}
	case 10:
		if t := l.open.tests[n]; len(t.runs) > 0 && rnd.IntN(2) == 0 {
			if place := t.runs[rnd.IntN(len(t.runs))].place; place < len(l.log) {
				l.withdraw(n, place)
			}
		}
	case 6:
		if rnd.IntN(8) == 0 && !l.open.tests[n].killed {
			l.killTest(n)
		}
	case 7, 8:
		l.believe(randomCredences(rnd, l))
	case 9:
		l.foresee(n, randomTable(rnd, l, l.open.tests[n].measure != nil))
	}
}

// randomStart is behind which message a run of a test began, which was there then; mostly nobody says.
func (l *lab) randomStart(rnd *rand.Rand, test int) int {
	start := len(l.log) - 1 - rnd.IntN(3)
	if rnd.IntN(4) > 0 || start < 1 || l.log[start].tests[test].score == nil {
		return 0
	}
	return start
}

func (l *lab) active() []int {
	var list []int
	for n := 1; n <= len(l.open.hypotheses); n++ {
		if l.open.hypotheses[n] {
			list = append(list, n)
		}
	}
	return list
}

func randomCells(rnd *rand.Rand, l *lab) map[int]string {
	cells := map[int]string{}
	for n := 1; n <= len(l.open.hypotheses); n++ {
		if rnd.IntN(5) > 0 {
			cells[n] = someLabels[rnd.IntN(len(someLabels))]
		}
	}
	return cells
}

func randomScore(rnd *rand.Rand) map[string]float64 {
	score := map[string]float64{}
	for _, part := range artifact.ScoreParts {
		if rnd.IntN(3) > 0 {
			score[part] = float64(rnd.IntN(10))/2 - 0.5 // also outside 0–3
		}
	}
	return score
}

func randomCredences(rnd *rand.Rand, l *lab) map[string]float64 {
	if rnd.IntN(8) == 0 {
		return nil
	}
	credences, left := map[string]float64{}, 1.0
	for n := 1; n <= len(l.open.hypotheses)+1; n++ { // one that does not exist too
		if rnd.IntN(4) > 0 {
			credences[fmt.Sprintf("H%d", n)] = take(rnd, &left)
		}
	}
	if rnd.IntN(2) == 0 {
		credences["none"] = take(rnd, &left)
	}
	return credences
}

func take(rnd *rand.Rand, left *float64) float64 {
	p := 0.0
	if rnd.IntN(4) > 0 {
		p = *left * float64(rnd.IntN(5)) / 4
	}
	*left -= p
	return p
}

// randomTest adds a test; one in three measures a quantity.
func (l *lab) randomTest(rnd *rand.Rand) {
	if rnd.IntN(3) > 0 {
		l.addTest(randomCells(rnd, l), randomScore(rnd))
		return
	}
	n := l.addTest(randomSpreads(rnd, l), randomScore(rnd))
	l.measures(n, labMeasure{lo: 1, hi: 20, log: rnd.IntN(2) == 0, sd: []float64{0, 0.01, 0.5}[rnd.IntN(3)]})
}

func randomSpreads(rnd *rand.Rand, l *lab) map[int]string {
	cells := map[int]string{}
	for n := 1; n <= len(l.open.hypotheses); n++ {
		if rnd.IntN(5) > 0 {
			cells[n] = someCells[rnd.IntN(len(someCells))]
		}
	}
	return cells
}

func randomRun(rnd *rand.Rand, measure *labMeasure) labRun {
	run := labRun{
		outcome: []string{"kept", "KEPT!", "lost", "moved", "who knows"}[rnd.IntN(5)], exploratory: rnd.IntN(3) == 0,
		unforeseen: rnd.IntN(6) == 0, replicates: rnd.IntN(3) == 0, impotent: rnd.IntN(8) == 0,
	}
	if rnd.IntN(4) > 0 {
		sources := []string{"EV-001", "EV-002", "EV-003"}
		run.evidence = append(run.evidence, sources[rnd.IntN(3)])
		if second := sources[rnd.IntN(3)]; second != run.evidence[0] && rnd.IntN(2) == 0 {
			run.evidence = append(run.evidence, second)
		}
	}
	if measure != nil && rnd.IntN(8) > 0 {
		run.value = &labValue{1 + rnd.Float64()*12, 0.2 + rnd.Float64(), 0.2 + rnd.Float64()}
	}
	return run
}

// randomTable states rows for a test; now and then of the other kind than the test has.
func randomTable(rnd *rand.Rand, l *lab, numeric bool) labTable {
	if numeric != (rnd.IntN(6) == 0) {
		t := labTable{cells: map[string]string{}}
		for n := 0; n <= len(l.open.hypotheses)+1; n++ {
			if rnd.IntN(3) > 0 {
				t.cells[worldName(n)] = someCells[rnd.IntN(len(someCells))]
			}
		}
		return t
	}
	labels := slices.Clone([]string{"kept", "lost", "moved", "burst"}[:2+rnd.IntN(3)])
	rnd.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	t := labTable{labels: labels, rows: map[string][]float64{}}
	for n := 0; n <= len(l.open.hypotheses)+1; n++ {
		if rnd.IntN(3) > 0 {
			t.rows[worldName(n)] = randomRow(rnd, len(labels))
		}
	}
	return t
}

func worldName(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("H%d", n)
}

func randomRow(rnd *rand.Rand, n int) []float64 {
	row, sum := make([]float64, n), 0.0
	for i := range row {
		row[i] = float64(rnd.IntN(4))
		sum += row[i]
	}
	if sum == 0 {
		row[0], sum = 1, 1
	}
	for i := range row {
		row[i] /= sum
	}
	return row
}
