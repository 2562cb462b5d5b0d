package science_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// writer writes random studies. It knows what is there, so that its blocks are accepted, and nothing of what they mean.
type writer struct {
	*rand.Rand
	study
	hypotheses []bool // active
	tests      []written
	rows       []writtenRow
	names      []string
	open       letter
	piloted    int  // the test that somebody looked at last without a result that counts; 0 if there is none
	imports    bool // some letters are imported
	numbers    bool // some tests are quantities
}

type written struct {
	killed   bool
	cells    map[string]string
	quantity *ruler
}

type writtenRow struct {
	killed bool
	named  bool // it names a test
	cells  map[string]string
}

var everybody = []string{"BlueLake", "RedSky", "GreenHill", "Operator", "OldOak", "NewMoon", "GrayFox", "SlowRiver", "WarmStone"}

func newWriter(seed uint64) *writer {
	rnd := rand.New(rand.NewPCG(seed, 26))
	w := &writer{Rand: rnd, names: everybody[:1+rnd.IntN(8)]}
	w.imports = w.IntN(2) == 0
	return w
}

func (w *writer) one(in int) bool { return w.IntN(in) == 0 }

func pick[T any](w *writer, list ...T) T { return list[w.IntN(len(list))] }

// begin opens a letter, some seconds or days after the last one.
func (w *writer) begin() {
	n := int64(len(w.letters) + 1)
	at := dawn
	if n > 1 {
		at = w.letters[n-2].at.Add(pick(w, 7*time.Second, time.Minute, 26*time.Hour))
	}
	w.open = letter{id: 10 * n, origin: 10 * n, from: pick(w, w.names...), at: at}
	if w.imports && w.one(2) {
		w.open.lenient, w.open.origin = true, 5000+(n*7919)%4001 // they need not ascend
	}
}

func (w *writer) end() {
	w.letters = append(w.letters, w.open)
}

func (w *writer) add(a act) { w.open.acts = append(w.open.acts, a) }

func (w *writer) addHypothesis() {
	active := 0
	for _, there := range w.hypotheses {
		if there {
			active++
		}
	}
	if active < 6 {
		w.hypotheses = append(w.hypotheses, true)
		w.add(act{op: "ADD", kind: 'H', number: len(w.hypotheses)})
	}
}

func (w *writer) killHypothesis() {
	if n := w.IntN(len(w.hypotheses)); w.hypotheses[n] {
		w.hypotheses[n] = false
		w.add(act{op: "KILL", kind: 'H', number: n + 1})
	}
}

func (w *writer) editHypothesis() {
	if n := w.IntN(len(w.hypotheses)); w.hypotheses[n] {
		w.add(act{op: "EDIT", kind: 'H', number: n + 1, claim: fmt.Sprintf("claim %d", w.IntN(3))})
	}
}

// condition lets a hypothesis say what would kill it.
func (w *writer) condition() {
	if n := w.IntN(len(w.hypotheses)); w.hypotheses[n] {
		w.add(act{op: "EDIT", kind: 'H', number: n + 1, killedIf: w.conditions()})
	}
}

// conditions are what would kill a hypothesis; some cannot be read.
func (w *writer) conditions() []string {
	list := []string{}
	for range w.IntN(4) {
		n := w.IntN(len(w.tests) + 1)
		if w.piloted > 0 {
			n = w.piloted - 1
		}
		text := pick(w, "= kept", "!= Lost.", "= moved", "!= moved", "would glow", "< 2")
		if n < len(w.tests) && w.tests[n].quantity != nil {
			text = pick(w, "< 60", "> 2", "> 0.5", "= kept")
		}
		text = fmt.Sprintf("T%d %s", n+1, text)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// labels are what is expected and found; some are one label, some are none.
var labels = []string{"kept", "Lost.", "moved", "KEPT", "lost  ", "ｋｅｐｔ", "both", "n/a"}

func (w *writer) cell(q *ruler) string {
	if q != nil {
		return w.spread(q)
	}
	return labels[w.IntN(len(labels)-w.IntN(5))]
}

// cells has at least one, in a few of a hypothesis that is not there (yet).
func (w *writer) cells(q *ruler) map[string]string {
	cells := map[string]string{}
	for n := range len(w.hypotheses) + 1 {
		if n < len(w.hypotheses) && !w.one(4) || n == len(w.hypotheses) && w.one(8) {
			cells[fmt.Sprintf("H%d", n+1)] = w.cell(q)
		}
	}
	if len(cells) == 0 {
		cells["H1"] = w.cell(q)
	}
	return cells
}

func (w *writer) addTest() {
	t := written{}
	if w.numbers && w.one(2) {
		t.quantity = w.ruler()
	}
	t.cells = w.cells(t.quantity)
	w.tests = append(w.tests, t)
	a := act{op: "ADD", kind: 'T', number: len(w.tests), cells: maps.Clone(t.cells), score: w.score(), quantity: t.quantity,
		potent: w.one(2), instruments: pick(w, "H1 vs H2", "everything", "H3 against the rest")}
	if w.one(12) {
		w.outcome(&a, t)
	}
	w.add(a)
}

func (w *writer) score() map[string]float64 {
	score := map[string]float64{}
	for _, part := range []string{"likelihood_ratio", "cost", "speed", "ambiguity"} {
		if !w.one(3) {
			score[part] = float64(w.IntN(10))/2 - 0.5 // also outside 0–3
		}
	}
	return score
}

// edited writes some cells of a test anew, and takes some away; one is always left.
func (w *writer) edited(now map[string]string, q *ruler) (map[string]string, []string) {
	cells, gone := w.cells(q), []string{}
	for _, h := range slices.Sorted(maps.Keys(cells)) {
		if w.one(2) {
			delete(cells, h)
		}
	}
	for _, h := range slices.Sorted(maps.Keys(now)) {
		if _, kept := cells[h]; !kept && w.one(3) {
			gone = append(gone, h)
		}
	}
	if after := without(merged(now, cells), gone); len(after) == 0 {
		gone = nil
	}
	return cells, gone
}

func (w *writer) editTest(n int) {
	t := &w.tests[n]
	a := act{op: "EDIT", kind: 'T', number: n + 1}
	a.cells, a.gone = w.edited(t.cells, t.quantity)
	if w.one(6) {
		a.score = w.score()
	}
	if len(a.cells)+len(a.gone) == 0 && len(a.score) == 0 {
		return
	}
	t.cells = without(merged(t.cells, a.cells), a.gone)
	w.add(a)
}

func (w *writer) addRow() {
	n := w.IntN(len(w.tests) + 1)
	var q *ruler
	if n < len(w.tests) {
		q = w.tests[n].quantity
	}
	cells := map[string]string{}
	for h, text := range w.cells(q) {
		if text != "n/a" { // whether that fills a cell is nowhere said
			cells[h] = text
		}
	}
	if len(cells) == 0 {
		return
	}
	row := ""
	if !w.one(6) {
		row = fmt.Sprintf("T%d", n+1)
	}
	w.rows = append(w.rows, writtenRow{named: row != "", cells: cells})
	w.add(act{op: "ADD", kind: 'P', number: len(w.rows), row: row, cells: maps.Clone(cells)})
}

func (w *writer) editRow() {
	if len(w.rows) == 0 {
		return
	}
	n := w.IntN(len(w.rows))
	r := &w.rows[n]
	switch {
	case r.killed:
	case w.one(4):
		r.killed = true
		w.add(act{op: "KILL", kind: 'P', number: n + 1})
	case w.one(3):
		w.moveRow(n)
	default:
		h := pick(w, slices.Sorted(maps.Keys(r.cells))...)
		a := act{op: "EDIT", kind: 'P', number: n + 1, cells: map[string]string{h: pick(w, "kept", "lost", "moved", "73 ± 2", "1–4")}}
		if w.one(3) && len(r.cells) > 1 {
			a.cells, a.gone = nil, []string{h}
		}
		r.cells = without(merged(r.cells, a.cells), a.gone)
		w.add(a)
	}
}

// moveRow gives a row to another test, or to none.
func (w *writer) moveRow(n int) {
	r := &w.rows[n]
	a := act{op: "EDIT", kind: 'P', number: n + 1, row: fmt.Sprintf("T%d", 1+w.IntN(len(w.tests)))}
	if r.named && w.one(2) {
		a.row = "null"
	}
	r.named = a.row != "null"
	w.add(a)
}

// outcome writes what a test gave into a block.
func (w *writer) outcome(a *act, t written) {
	a.status = pick(w, "", "", "passed", "failed")
	if w.one(10) {
		a.status = pick(w, "passed", "failed")
		if w.one(2) {
			a.status, a.actual = "", map[string]string{pick(w, "H1", "H2"): pick(w, "kept", "lost")}
		}
		return
	}
	run := &trial{}
	switch {
	case w.one(8):
		run.unforeseen = "it glowed"
	case t.quantity != nil && !w.one(12):
		run.value = w.value(t.quantity)
	default:
		run.outcome = pick(w, "kept", "KEPT!", "lost", " Lost", "moved", "both", "who knows")
	}
	run.exploratory = w.one(5)
	if w.one(4) {
		run.potency = pick(w, "passed", "failed")
	}
	if w.one(2) {
		run.sources = pick(w, []string{}, []string{"EV-001"}, []string{"EV-002"}, []string{"EV-002", "EV-003"}, []string{"EV-004"})
	}
	if w.one(3) {
		a.refs = []string{pick(w, "EV-001", "EV-004", "EV-005")}
	}
	if w.one(4) {
		run.performed = w.open.at.Add(time.Duration(-w.IntN(100)) * time.Hour).Format(time.DateOnly)
	}
	if w.one(6) {
		run.started = w.open.at.Add(-time.Duration(w.IntN(200)) * time.Second)
		if w.one(3) {
			run.started = run.started.Add(-time.Duration(w.IntN(60)) * time.Hour)
		}
	}
	if w.one(3) {
		run.replicates = w.origin()
	}
	if w.one(12) {
		run.withdraws = w.origin()
	}
	a.run = run
}

// origin names some letter, in a few cases none of the thread.
func (w *writer) origin() int64 {
	if len(w.letters) == 0 || w.one(8) {
		return 77
	}
	return pick(w, w.letters...).origin
}

func (w *writer) record(n int) {
	a := act{op: "EDIT", kind: 'T', number: n + 1}
	switch {
	case w.one(6):
		a.status = pick(w, "blocked", "error")
		a.run = &trial{note: "the pump broke"}
		if w.one(2) {
			a.run.started = w.open.at.Add(-time.Duration(w.IntN(100)) * time.Second)
		}
		if w.one(3) {
			a.run.outcome = "kept"
		}
		if w.one(3) {
			a.run.withdraws = w.origin()
		}
	case w.one(4):
		a.run = &trial{withdraws: w.origin()}
	default:
		w.outcome(&a, w.tests[n])
		if w.one(8) {
			a.cells, a.gone = w.edited(w.tests[n].cells, w.tests[n].quantity)
		}
	}
	if !w.tests[n].killed {
		w.tests[n].cells = without(merged(w.tests[n].cells, a.cells), a.gone)
	} else {
		a.cells, a.gone = nil, nil
	}
	if w.piloted = 0; a.status == "blocked" || a.status == "error" || a.run != nil && a.run.exploratory {
		w.piloted = n + 1
	}
	w.add(a)
}

// act does something at random. What would kill a hypothesis is often written after a pilot.
func (w *writer) act() {
	n := w.IntN(len(w.tests))
	if w.piloted > 0 {
		if w.one(3) {
			w.condition()
			return
		}
		n = w.piloted - 1
	}
	switch w.IntN(17) {
	case 0:
		w.addHypothesis()
	case 1:
		w.killHypothesis()
	case 2:
		w.editHypothesis()
	case 3:
		w.addTest()
	case 4, 5:
		if !w.tests[n].killed {
			w.editTest(n)
		}
	case 6:
		w.addRow()
	case 7:
		w.editRow()
	case 8:
		if w.one(2) && !w.tests[n].killed {
			w.tests[n].killed = true
			w.add(act{op: "KILL", kind: 'T', number: n + 1})
		}
	case 9:
		w.condition()
	default:
		if !w.twice(n + 1) {
			w.record(n)
		}
	}
}

// twice reports whether the letter has already said without a last_run that a test was done: which of two such blocks
// would count is nowhere said.
func (w *writer) twice(test int) bool {
	return slices.ContainsFunc(w.open.acts, func(a act) bool {
		return a.kind == 'T' && a.number == test && a.run == nil && (a.status != "" || a.actual != nil)
	})
}

// results writes a study of results and predictions.
func (w *writer) results(letters int) study {
	w.kickoff()
	w.begin()
	for range 3 + w.IntN(3) {
		w.addHypothesis()
	}
	for range 2 + w.IntN(2) {
		w.addTest()
	}
	w.condition()
	w.end()
	for range letters {
		w.begin()
		for range 1 + w.IntN(3) {
			w.act()
		}
		w.end()
	}
	return w.study
}

// kickoff is the first letter: whoever sends it convenes the thread.
func (w *writer) kickoff() {
	if w.one(4) {
		return
	}
	w.begin()
	w.open.kickoff = "# Why do cells turn?\n\n## Research Question\nWhy do cells turn?\n\n## Context\nThey do.\n"
	w.end()
}
