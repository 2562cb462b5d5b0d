package science_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// reference computes SCIENCE 4 and 5 from the log of a lab, cut after a message, by brute force: nothing is kept from one question to
// the next, worlds are maps, and nothing is scaled before the end.
type reference struct {
	log []event // 0 … the last message
	otherwise
}

func (ref reference) last() int { return len(ref.log) - 1 }

func (ref reference) cut(place int) reference { return reference{ref.log[:place+1], ref.otherwise} }

func norm(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") {
		s = s[:len(s)-1]
	}
	return s
}

// worlds are the active hypotheses and 0 for none.
func (ref reference) worlds() []int {
	var list []int
	now := ref.log[ref.last()]
	for n := 1; n <= len(now.hypotheses); n++ {
		if now.hypotheses[n] {
			list = append(list, n)
		}
	}
	return append(list, 0)
}

func (ref reference) isWorld(w int) bool { return w == 0 || ref.log[ref.last()].hypotheses[w] }

func (ref reference) added(h int) int {
	for place := range ref.log {
		if _, there := ref.log[place].hypotheses[h]; there {
			return place
		}
	}
	return math.MaxInt
}

// look is the place from which on what is written comes too late: that of the first result, or the first behind the start of a run that
// somebody told of; 0 without a look.
func (ref reference) look(test int) int {
	first := 0
	for i, run := range ref.log[ref.last()].tests[test].runs {
		if i == 0 {
			first = run.place
		}
		if run.started > 0 {
			first = min(first, run.started+1)
		}
	}
	return first
}

// standing are the results that stand, by message: of the runs of each message the last, withdrawals of a message first, and none that
// only looked replaces one that did not.
func (ref reference) standing(test int) (list []labRun, main int) {
	t := ref.log[ref.last()].tests[test]
	alive := map[int]labRun{}
	for place := 1; place <= ref.last(); place++ {
		for of, at := range t.withdrawn {
			if at == place {
				delete(alive, of)
				if main == of {
					main = 0
				}
			}
		}
		var given *labRun
		for i := range t.runs {
			if t.runs[i].place == place {
				given = &t.runs[i]
			}
		}
		switch {
		case given == nil:
		case given.replicates:
			alive[place] = *given
		case main > 0 && given.exploratory && !alive[main].exploratory:
		default:
			delete(alive, main)
			alive[place], main = *given, place
		}
	}
	for place := range ref.log {
		if run, ok := alive[place]; ok && !run.replaced {
			list = append(list, run)
		}
	}
	return list, main
}

// counted are the standing results that count.
func (ref reference) counted(test int) []labRun {
	if ref.now != nil {
		return ref.left(test)
	}
	standing, _ := ref.standing(test)
	var list []labRun
	for _, run := range standing {
		own := !run.replicates
		for _, source := range run.evidence {
			others := 0
			for _, other := range standing {
				if other.place != run.place && slices.Contains(other.evidence, source) {
					others++
				}
			}
			own = own || others == 0
		}
		if own && !run.impotent && ref.table(test).sees(run) {
			list = append(list, run)
		}
	}
	return list
}

// refTable is a test as it was when its table was kept.
type refTable struct {
	then   reference
	test   int
	labels []string // normalised, the union
	first  int      // derived ones
	born   *labMeasure
}

// table is that of just before the first look, if there is one.
func (ref reference) table(test int) refTable {
	if ref.now != nil {
		t := ref.now.table(test)
		t.then.bolder = ref.bolder
		return t
	}
	if place := ref.look(test); place > 0 {
		t := ref.cut(place - 1).live(test)
		t.born = ref.born(test)
		return t
	}
	return ref.live(test)
}

func (ref reference) live(test int) refTable {
	t := refTable{then: ref, test: test}
	for _, h := range ref.worlds() {
		if text, ok := t.expects(h); ok && t.find(text) < 0 {
			t.labels = append(t.labels, text)
		}
	}
	t.first = len(t.labels)
	for at := 1; at <= ref.last(); at++ {
		agent := ref.log[at].from
		s, place := ref.statement(agent, test)
		if s == nil || place != at || s.labels == nil {
			continue
		}
		for _, label := range s.labels {
			if t.find(label) < 0 {
				t.labels = append(t.labels, norm(label))
			}
		}
	}
	return t
}

// of is the test as it was then. One that was not there yet measures what it did when it was born.
func (t refTable) of() labTest {
	if test, there := t.then.log[t.then.last()].tests[t.test]; there {
		return test
	}
	return labTest{measure: t.born}
}

func (ref reference) born(test int) *labMeasure {
	for _, e := range ref.log {
		if t, there := e.tests[test]; there {
			return t.measure
		}
	}
	return nil
}

func (t refTable) find(outcome string) int {
	for i, l := range t.labels {
		if l == norm(outcome) {
			return i
		}
	}
	return -1
}

// sees tells whether the table has a place for what a result says.
func (t refTable) sees(run labRun) bool {
	switch {
	case run.unforeseen:
		return true
	case t.of().measure != nil:
		return run.value != nil
	}
	return run.value == nil && t.find(run.outcome) >= 0
}

func (t refTable) informative() bool { return t.of().measure != nil || len(t.labels) >= 2 }

// expects is what a hypothesis expects.
func (t refTable) expects(h int) (string, bool) {
	text := norm(t.of().cells[h])
	return text, h > 0 && t.then.isWorld(h) && text != "" && text != "n/a"
}

// statement is what an agent last said about a test, and where.
func (ref reference) statement(agent string, test int) (*labTable, int) {
	for at := ref.last(); at > 0; at-- {
		e := ref.log[at]
		if table, said := e.tables[test]; said && e.from == agent && !e.tests[test].killed {
			return &table, at
		}
	}
	return nil, 0
}

func (ref reference) points(test int, part string) float64 {
	if p, ok := ref.log[ref.last()].tests[test].score[part]; ok {
		return math.Min(math.Max(p, 0), 3)
	}
	return 1.5
}

// said is what an agent states a world's likelihood of a result to be; false if it states no row that can be used.
func (t refTable) said(agent string, w int, run labRun) (float64, bool) {
	s, place := t.then.statement(agent, t.test)
	if s == nil || !t.then.cut(place).isWorld(w) || !t.then.isWorld(w) {
		return 0, false
	}
	if t.of().measure != nil {
		cell, ok := s.cells[worldName(w)]
		if s.labels != nil || !ok {
			return 0, false
		}
		return t.dense(cell, run)
	}
	row, ok := s.rows[worldName(w)]
	if s.labels == nil || !ok {
		return 0, false
	}
	if run.unforeseen {
		return 0, true
	}
	p := 0.0
	for i, label := range s.labels {
		if norm(label) == norm(run.outcome) {
			p = row[i]
		}
	}
	return 0.98*p + 0.02/float64(len(t.labels)), true
}

// likelihood is that of a result in a world for an agent: own, derived, others', uniform; false with the last.
func (t refTable) likelihood(agent string, w int, run labRun) (p float64, row bool) {
	if p, ok := t.said(agent, w, run); ok {
		return p, true
	}
	if text, ok := t.expects(w); ok {
		if t.of().measure != nil {
			if d, ok := t.dense(t.of().cells[w], run); ok {
				return d, true
			}
		} else if t.first >= 2 {
			return t.derived(text, run), true
		}
	}
	families := map[string][]float64{}
	for _, other := range agentNames {
		if p, ok := t.said(other, w, run); ok {
			families[familyOfAgent(other)] = append(families[familyOfAgent(other)], p)
		}
	}
	if len(families) > 0 {
		return familyMean(families), true
	}
	if m := t.of().measure; m != nil {
		return 1 / (m.at(m.hi) - m.at(m.lo)), false
	}
	return 1 / float64(len(t.labels)), false
}

func familyMean(families map[string][]float64) float64 {
	mean := 0.0
	for _, list := range families {
		sum := 0.0
		for _, p := range list {
			sum += p
		}
		mean += sum / float64(len(list)) / float64(len(families))
	}
	return mean
}

func (t refTable) derived(text string, run labRun) float64 {
	k := float64(t.first)
	points := t.then.points(t.test, "likelihood_ratio") + t.then.bolder
	ratio := math.Pow(10, math.Min(math.Max(points, 0), 3)/2)
	m := (3 - t.then.points(t.test, "ambiguity")) / 12
	p, at := 0.0, t.find(run.outcome)
	switch {
	case run.unforeseen:
	case t.labels[at] == text:
		p = (1-m)*ratio/(ratio+k-1) + m/k
	case at < t.first:
		p = (1-m)/(ratio+k-1) + m/k
	}
	if len(t.labels) > t.first {
		p = 0.98*p + 0.02/float64(len(t.labels))
	}
	return p
}

// in are the likelihoods of a result in all worlds of a moment.
func (t refTable) in(agent string, worlds map[int]float64, run labRun) map[int]float64 {
	l, sum := map[int]float64{}, 0.0
	for w := range worlds {
		if w == 0 {
			continue
		}
		p, row := t.likelihood(agent, w, run)
		if run.unforeseen {
			p = 0.25
			_, expects := t.expects(w)
			if row || expects && t.of().measure == nil {
				p = 0.1
			}
		}
		l[w] = p
		sum += p
	}
	p, row := t.likelihood(agent, 0, run)
	switch {
	case run.unforeseen:
		l[0] = 0.25
	case row:
		l[0] = p
	case len(worlds) > 1:
		l[0] = sum / float64(len(worlds)-1)
	default:
		l[0] = p
	}
	return l
}

// --- quantities, by a table of the few cells that the lab writes ---

func (m *labMeasure) at(x float64) float64 {
	if m.log {
		return math.Log(x) / math.Log(10)
	}
	return x
}

func (m *labMeasure) err(s, x float64) float64 {
	if m.log {
		return s / (x * math.Log(10))
	}
	return s
}

// dense is the finished density of a result under a cell; false for a cell that is not read.
func (t refTable) dense(cell string, run labRun) (float64, bool) {
	m := t.of().measure
	span := m.at(m.hi) - m.at(m.lo)
	shape := map[string][3]float64{
		"3 ± 1": {3, 1, 1}, "3 +/- 0.5 km": {3, 0.5, 0.5}, "5 +2 -1": {5, 2, 1}, "8": {8, 0, 0},
	}
	ends := map[string][2]float64{"2–7": {2, 7}, "< 4": {m.lo, 4}, "> 6 km": {6, m.hi}, "9.5..20": {9.5, 20}}
	around, isAround := shape[cell]
	flat, isFlat := ends[cell]
	if !isAround && !isFlat {
		return 0, false
	}
	if run.value == nil {
		return 0, true
	}
	x, plus, minus := m.at(run.value.x), m.err(run.value.plus, run.value.x), m.err(run.value.minus, run.value.x)
	var d float64
	if isAround {
		mu := m.at(around[0])
		lower := math.Sqrt(math.Pow(m.err(around[2], around[0]), 2) + plus*plus)
		upper := math.Sqrt(math.Pow(m.err(around[1], around[0]), 2) + minus*minus)
		s := upper
		if x < mu {
			s = lower
		}
		d = math.Sqrt(2/math.Pi) / (lower + upper) * math.Exp(-(x-mu)*(x-mu)/(2*s*s))
	} else {
		s := (plus + minus) / 2
		a, b := m.at(flat[0]), m.at(flat[1])
		d = (math.Erf((b-x)/s/math.Sqrt2) - math.Erf((a-x)/s/math.Sqrt2)) / 2 / (b - a)
	}
	mixed := math.Max(0.02, (3-t.then.points(t.test, "ambiguity"))/12)
	return (1-mixed)*d + mixed/span, true
}

// --- distributions ---

// credences is the place and the text of an agent's latest credences; 0 if there are none.
func (ref reference) credences(agent string) (int, map[string]float64) {
	for at := ref.last(); at > 0; at-- {
		if e := ref.log[at]; e.from == agent && e.stated {
			if e.credences == nil {
				return 0, nil
			}
			return at, e.credences
		}
	}
	return 0, nil
}

// agent is an agent's distribution; nil without a statement.
func (ref reference) agent(name string) map[int]float64 {
	place, said := ref.credences(name)
	if place == 0 {
		return nil
	}
	p, whole := map[int]float64{}, 0.0
	for _, q := range said {
		whole += q
	}
	left, silent := 1.0, []int{}
	for _, w := range ref.cut(place).worlds() {
		if q, ok := said[worldName(w)]; ok {
			p[w] = q
			left -= q
		} else {
			silent = append(silent, w)
		}
	}
	if left < 1e-6 && whole > 1-1e-6 {
		left = 0
	}
	for _, w := range silent {
		p[w] = math.Max(left, 0) / float64(len(silent))
	}
	if len(silent) == 0 {
		p[0] += math.Max(left, 0)
	}
	return scaled(ref.later(name, p, place))
}

// later brings a distribution through the messages behind a place. It is not scaled.
func (ref reference) later(name string, p map[int]float64, place int) map[int]float64 {
	for at := place + 1; at <= ref.last(); at++ {
		var late []int
		for h := range ref.log[at].hypotheses {
			if ref.added(h) == at {
				late = append(late, h)
			}
		}
		p[0] /= float64(len(late) + 1)
		for _, h := range late {
			p[h] = p[0]
		}
		ref.found(name, p, at)
		ref.killed(p, at)
	}
	return p
}

// found multiplies in the results that a message gave and that count now.
func (ref reference) found(name string, p map[int]float64, at int) {
	for test := 1; test <= len(ref.log[ref.last()].tests); test++ {
		for j, run := range ref.counted(test) {
			if run.place != at {
				continue
			}
			for w, l := range ref.table(test).in(name, p, run) {
				p[w] *= math.Pow(l, 1/float64(j+1))
			}
		}
	}
}

func (ref reference) killed(p map[int]float64, at int) {
	if ref.merciful {
		return
	}
	for w := range p {
		if !ref.cut(at).isWorld(w) {
			p[0] += p[w]
			delete(p, w)
		}
	}
}

func scaled(p map[int]float64) map[int]float64 {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for w := range p {
		p[w] /= sum
	}
	return p
}

// standIn is the voice of a thread without credences.
func (ref reference) standIn() map[int]float64 {
	first := math.MaxInt
	for test := range ref.log[ref.last()].tests {
		if runs := ref.counted(test); len(runs) > 0 && runs[0].place < first {
			first = runs[0].place
		}
	}
	base := 0
	for h := range ref.log[ref.last()].hypotheses {
		if at := ref.added(h); at <= first && at > base {
			base = at
		}
	}
	if base == 0 {
		return scaled(ref.later("", map[int]float64{0: 1}, 0))
	}
	p := map[int]float64{0: 1}
	for h := range ref.log[base].hypotheses {
		if ref.merciful || ref.cut(base-1).isWorld(h) || ref.added(h) == base {
			p[h] = 1
		}
	}
	if base < first { // after the message all that is left is equal
		for w := range p {
			if !ref.merciful && !ref.cut(base).isWorld(w) {
				delete(p, w)
			}
		}
	}
	ref.found("", p, base)
	ref.killed(p, base)
	return scaled(ref.later("", p, base))
}

// voices are the distributions that count, by name; the one that stands in has none.
func (ref reference) voices() map[string]map[int]float64 {
	voices := map[string]map[int]float64{}
	for _, name := range agentNames {
		if p := ref.agent(name); p != nil {
			voices[name] = p
		}
	}
	if len(voices) == 0 {
		voices[""] = ref.standIn()
	}
	return voices
}

// over takes a number of each voice together, as the pool does.
func over(voices map[string]map[int]float64, number func(name string) float64) float64 {
	families := map[string][]float64{}
	for name := range voices {
		families[familyOfAgent(name)] = append(families[familyOfAgent(name)], number(name))
	}
	return familyMean(families)
}

func (ref reference) pooled() map[int]float64 { return pooledOf(ref.worlds(), ref.voices()) }

func pooledOf(worlds []int, voices map[string]map[int]float64) map[int]float64 {
	pool := map[int]float64{}
	for _, w := range worlds {
		pool[w] = over(voices, func(name string) float64 { return voices[name][w] })
	}
	return pool
}

// finds are everything that a test could find, as results.
func (t refTable) finds() []labRun {
	var list []labRun
	m := t.of().measure
	if m == nil {
		for _, label := range t.labels {
			list = append(list, labRun{outcome: label})
		}
		return list
	}
	lo, span := m.at(m.lo), m.at(m.hi)-m.at(m.lo)
	sd := m.sd
	if sd == 0 {
		sd = span / 20
	}
	sd = math.Max(sd, span/400)
	for i := range 400 {
		x := lo + (float64(i)+0.5)*span/400
		run := labRun{value: &labValue{x, sd, sd}, outcome: strconv.Itoa(i)}
		if m.log {
			raised := math.Pow(10, x)
			run.value = &labValue{raised, sd * raised * math.Log(10), sd * raised * math.Log(10)}
		}
		list = append(list, run)
	}
	return list
}

// learnt is what is expected to be learnt of a test: of all together, of one voice with the pool, and of each voice alone.
func (ref reference) learnt(test int) (bits, quarrel float64, alone map[string]float64) {
	t, voices := ref.table(test), ref.voices()
	alone = map[string]float64{}
	if !t.informative() {
		for name := range voices {
			alone[name] = 0
		}
		return 0, 0, alone
	}
	without := ref
	if _, main := ref.standing(test); main > 0 {
		without = ref.forgetting(test, main)
	}
	nth := float64(1 + len(without.counted(test)))
	finds, pooled := t.finds(), ref.pooled()
	rows := map[string][]map[int]float64{}
	before := map[string]map[int]float64{}
	for name := range voices {
		rows[name] = t.rows(name, pooled, finds)
		if before[name] = without.agent(name); name == "" {
			before[name] = without.standIn()
		}
	}
	common := t.rows("", pooled, finds)
	for o := range finds {
		after := map[string]map[int]float64{}
		likely := func(name string) float64 {
			sum := 0.0
			for w, p := range voices[name] {
				sum += p * rows[name][o][w]
			}
			return sum
		}
		for name := range voices {
			after[name] = map[int]float64{}
			for w, p := range before[name] {
				after[name][w] = p * math.Pow(rows[name][o][w], 1/nth)
			}
			scaled(after[name])
			alone[name] += likely(name) * divergence(after[name], voices[name])
		}
		bits += over(voices, likely) * divergence(pooledOf(ref.worlds(), after), pooled)
		marginal := 0.0
		for w, p := range pooled {
			marginal += p * common[o][w]
		}
		for w, p := range pooled {
			if p > 0 {
				quarrel += p * common[o][w] * math.Log2(common[o][w]/marginal)
			}
		}
	}
	return bits, quarrel, alone
}

// forgetting is the thread had the message at a place not given its result, and the table stayed.
func (ref reference) forgetting(test, place int) reference {
	log := append([]event{}, ref.log...)
	last := log[len(log)-1]
	tests := maps.Clone(last.tests)
	t := tests[test]
	runs := []labRun{}
	for _, run := range t.runs {
		if run.place == place {
			run.replaced = true
		}
		runs = append(runs, run)
	}
	t.runs = runs
	tests[test] = t
	last.tests = tests
	log[len(log)-1] = last
	return reference{log, ref.otherwise}
}

// rows are the likelihoods of everything that could be found, in each world; those of a quantity sum to 1 in each.
func (t refTable) rows(name string, worlds map[int]float64, finds []labRun) []map[int]float64 {
	sums := map[int]float64{}
	var list []map[int]float64
	for _, run := range finds {
		l := t.in(name, worlds, run)
		for w, p := range l {
			sums[w] += p
		}
		list = append(list, l)
	}
	if t.of().measure != nil {
		for _, l := range list {
			for w := range l {
				l[w] /= sums[w]
			}
		}
	}
	return list
}

func divergence(p, q map[int]float64) float64 {
	sum := 0.0
	for w := range p {
		if p[w] > 0 && q[w] > 0 {
			sum += p[w] * math.Log2(p[w]/q[w])
		}
	}
	return math.Max(sum, 0)
}
