package science_test

import (
	"fmt"
	"math"
	"strings"
)

// reference computes SCIENCE 4 to 6 from the log of a lab, cut after a message, by brute force:
// nothing is kept from one question to the next.
type reference struct {
	log []event // 0 … the last message
}

func (ref reference) last() int { return len(ref.log) - 1 }

func (ref reference) cut(place int) reference { return reference{ref.log[:place+1]} }

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

func (ref reference) added(h int) int {
	for place := range ref.log {
		if _, there := ref.log[place].hypotheses[h]; there {
			return place
		}
	}
	return math.MaxInt
}

// look is the place of the first look; 0 without one.
func (ref reference) look(test int) int {
	if runs := ref.log[ref.last()].tests[test].runs; len(runs) > 0 {
		return runs[0].place
	}
	return 0
}

// main is the result that stands: of the runs of each message the last, and none that only looked replaces one that
// did not.
func (ref reference) main(test int) (labRun, bool) {
	var main labRun
	runs := ref.log[ref.last()].tests[test].runs
	for i, run := range runs {
		last := i+1 == len(runs) || runs[i+1].place != run.place
		if last && (main.place == 0 || main.exploratory || !run.exploratory) {
			main = run
		}
	}
	return main, main.place > 0
}

type refTable struct {
	labels []string // normalised
	rows   map[int][]float64
}

func (t refTable) at(world, label int) float64 {
	if row, ok := t.rows[world]; ok {
		return row[label]
	}
	return 1 / float64(len(t.labels))
}

func (t refTable) find(outcome string) int {
	for i, l := range t.labels {
		if l == norm(outcome) {
			return i
		}
	}
	return -1
}

// table is the table that counts: that of just before the first look, if there is one.
func (ref reference) table(test int) refTable {
	if place := ref.look(test); place > 0 {
		return ref.cut(place - 1).live(test)
	}
	return ref.live(test)
}

type refStatement struct {
	place  int
	labels []string
	rows   map[int][]float64
}

// statement is what an agent last said about a test.
func (ref reference) statement(agent string, test int) *refStatement {
	for at := ref.last(); at > 0; at-- {
		e := ref.log[at]
		table, said := e.tables[test]
		if e.from != agent || !said || e.tests[test].killed {
			continue
		}
		s := &refStatement{place: at, rows: map[int][]float64{}}
		for _, l := range table.labels {
			s.labels = append(s.labels, norm(l))
		}
		for h, active := range e.hypotheses {
			if row, ok := table.rows[fmt.Sprintf("H%d", h)]; ok && active {
				s.rows[h] = row
			}
		}
		if row, ok := table.rows["none"]; ok {
			s.rows[0] = row
		}
		return s
	}
	return nil
}

// in gives a statement's rows in the order of other labels; nil if the labels differ.
func (s *refStatement) in(labels []string) map[int][]float64 {
	if len(labels) != len(s.labels) {
		return nil
	}
	rows := map[int][]float64{}
	for w, row := range s.rows {
		rows[w] = make([]float64, len(labels))
		for i, label := range labels {
			found := false
			for j, own := range s.labels {
				if own == label {
					rows[w][i], found = row[j], true
				}
			}
			if !found {
				return nil
			}
		}
	}
	for _, label := range labels {
		if !strings.Contains(" "+strings.Join(s.labels, " ")+" ", " "+label+" ") {
			return nil
		}
	}
	return rows
}

func (ref reference) live(test int) refTable {
	var latest *refStatement
	var all []*refStatement
	for _, agent := range agentNames {
		if s := ref.statement(agent, test); s != nil {
			all = append(all, s)
			if latest == nil || s.place > latest.place {
				latest = s
			}
		}
	}
	if latest == nil {
		return ref.derived(test)
	}
	t := refTable{latest.labels, map[int][]float64{}}
	for _, w := range ref.worlds() {
		count := 0.0
		row := make([]float64, len(t.labels))
		for _, s := range all {
			if own, ok := s.in(t.labels)[w]; ok {
				count++
				for i := range row {
					row[i] += own[i]
				}
			}
		}
		if count > 0 {
			for i := range row {
				row[i] /= count
			}
			t.rows[w] = row
		}
	}
	return t
}

func (ref reference) points(test int, part string) float64 {
	if p, ok := ref.log[ref.last()].tests[test].score[part]; ok {
		return math.Min(math.Max(p, 0), 3)
	}
	return 1.5
}

func (ref reference) derived(test int) refTable {
	t := refTable{rows: map[int][]float64{}}
	label := map[int]int{}
	for _, h := range ref.worlds() {
		text := norm(ref.log[ref.last()].tests[test].cells[h])
		if h == 0 || text == "" || text == "n/a" {
			continue
		}
		if t.find(text) < 0 {
			t.labels = append(t.labels, text)
		}
		label[h] = t.find(text)
	}
	k := float64(len(t.labels))
	ratio := math.Pow(10, ref.points(test, "likelihood_ratio")/2)
	m := (3 - ref.points(test, "ambiguity")) / 12
	for h, j := range label {
		row := make([]float64, len(t.labels))
		for i := range row {
			row[i] = (1-m)/(ratio+k-1) + m/k
		}
		row[j] = (1-m)*ratio/(ratio+k-1) + m/k
		t.rows[h] = row
	}
	return t
}

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
	p := map[int]float64{}
	left, silent := 1.0, []int{}
	for _, w := range ref.cut(place).worlds() {
		id := "none"
		if w > 0 {
			id = fmt.Sprintf("H%d", w)
		}
		if q, ok := said[id]; ok {
			p[w] = q
			left -= q
		} else {
			silent = append(silent, w)
		}
	}
	for _, w := range silent {
		p[w] = math.Max(left, 0) / float64(len(silent))
	}
	if len(silent) == 0 {
		p[0] += math.Max(left, 0)
	}
	var late []int
	for h := range ref.log[ref.last()].hypotheses {
		if ref.added(h) > place {
			late = append(late, h)
		}
	}
	none := p[0] / float64(len(late)+1)
	p[0] = none
	for _, h := range late {
		p[h] = none
	}
	return ref.updated(ref.restricted(p), place)
}

// restricted keeps the worlds of today and scales to 1.
func (ref reference) restricted(p map[int]float64) map[int]float64 {
	sum := 0.0
	for _, w := range ref.worlds() {
		sum += p[w]
	}
	q := map[int]float64{}
	for _, w := range ref.worlds() {
		if sum > 0 {
			q[w] = p[w] / sum
		} else {
			q[w] = 1 / float64(len(ref.worlds()))
		}
	}
	return q
}

// updated multiplies in every labelled outcome that was set after a place, in message order.
func (ref reference) updated(p map[int]float64, after int) map[int]float64 {
	for place := after + 1; place <= ref.last(); place++ {
		for test := 1; test <= len(ref.log[ref.last()].tests); test++ {
			main, stands := ref.main(test)
			if !stands || main.place != place {
				continue
			}
			table := ref.table(test)
			label := table.find(main.outcome)
			if label < 0 {
				continue
			}
			sum := 0.0
			for w := range p {
				sum += p[w] * table.at(w, label)
			}
			if sum == 0 {
				continue
			}
			for w := range p {
				p[w] = p[w] * table.at(w, label) / sum
			}
		}
	}
	return p
}

func (ref reference) pooled() map[int]float64 {
	pool, n := map[int]float64{}, 0.0
	for _, name := range agentNames {
		if p := ref.agent(name); p != nil {
			n++
			for w := range p {
				pool[w] += p[w]
			}
		}
	}
	if n == 0 {
		return ref.updated(ref.restricted(nil), 0)
	}
	for w := range pool {
		pool[w] /= n
	}
	return pool
}

// bits is H(O) − H(O|W), the other way to write mutual information.
func (ref reference) bits(test int, p map[int]float64) float64 {
	t := ref.table(test)
	if len(t.labels) < 2 {
		return 0
	}
	h := func(x float64) float64 {
		if x <= 0 {
			return 0
		}
		return -x * math.Log2(x)
	}
	sum := 0.0
	for o := range t.labels {
		marginal := 0.0
		for w := range p {
			marginal += p[w] * t.at(w, o)
			sum -= p[w] * h(t.at(w, o))
		}
		sum += h(marginal)
	}
	return sum
}

// forecast is what an agent foresaw of a test just before the first look; nil if it is not scored.
func (ref reference) forecast(agent string, test int) (p []float64, label int) {
	main, stands := ref.main(test)
	if !stands || main.exploratory {
		return nil, 0
	}
	then := ref.cut(ref.look(test) - 1)
	table, masses := then.live(test), then.agent(agent)
	label = table.find(main.outcome)
	if masses == nil || label < 0 || len(table.labels) < 2 {
		return nil, 0
	}
	own := map[int][]float64{}
	if s := then.statement(agent, test); s != nil {
		own = s.in(table.labels)
	}
	p = make([]float64, len(table.labels))
	for w, mass := range masses {
		for o := range p {
			if row, ok := own[w]; ok {
				p[o] += mass * row[o]
			} else {
				p[o] += mass * table.at(w, o)
			}
		}
	}
	return p, label
}
