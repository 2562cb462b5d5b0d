package science_test

import (
	"fmt"
	"slices"
	"time"
)

// outcomes are the cells of a test as they stand: its own, and for hypotheses without one there those of rows of the
// predictions table that name it, the lowest-numbered first, killed ones too. A test that is not there yet has no cells,
// not even those of rows that name it already: the text of these is as old as the test (the law is silent).
func (s study) outcomes(test int) map[string]string {
	own, rows, names := map[string]string{}, map[int]map[string]string{}, map[int]string{}
	if s.tests() < test {
		return own
	}
	dead := map[string]bool{}
	last := 0
	for _, l := range s.letters {
		for _, a := range l.acts {
			switch {
			case a.op == "KILL":
				dead[a.id()] = true
			case dead[a.id()]: // an edit of a killed item is skipped
			case a.kind == 'T' && a.number == test:
				own = without(merged(own, a.cells), a.gone)
			case a.kind == 'P':
				rows[a.number] = without(merged(rows[a.number], a.cells), a.gone)
				if a.row != "" {
					names[a.number] = a.row
				}
				last = max(last, a.number)
			}
		}
	}
	for n := 1; n <= last; n++ {
		if names[n] == fmt.Sprintf("T%d", test) {
			own = merged(rows[n], own)
		}
	}
	return own
}

func without(cells map[string]string, keys []string) map[string]string {
	for _, key := range keys {
		delete(cells, key)
	}
	return cells
}

// forecastCell is one cell with what became of it.
type forecastCell struct {
	expected, registered *string
	place                int // of W
	state                string
	sameHand             bool
	imported             bool
	older                bool
}

// written is the last message that changed the text of a cell.
func (s study) written(test int, hypothesis string) int {
	for n := len(s.letters); n > 0; n-- {
		before, had := s.cut(n - 1).outcomes(test)[hypothesis]
		after, has := s.cut(n).outcomes(test)[hypothesis]
		if had != has || before != after {
			return n - 1
		}
	}
	return -1
}

func pointer(cells map[string]string, key string) *string {
	if text, there := cells[key]; there {
		return &text
	}
	return nil
}

// forecasts are the cells of a test, with what the law says of each.
func (s study) forecasts(test int, added days) map[string]forecastCell {
	now, first := s.outcomes(test), map[string]string{}
	look, looked := s.look(test)
	if looked {
		first = s.before(test).outcomes(test)
	}
	r := s.revealing(test)
	lastly := map[string]string{}
	if r != nil {
		lastly = s.cut(r.place).outcomes(test)
	}
	list := map[string]forecastCell{}
	for h := range merged(merged(now, first), lastly) {
		w := s.written(test, h)
		c := forecastCell{expected: pointer(now, h), place: w, state: "open"}
		if r != nil {
			l := s.letters[w]
			switch {
			case w >= r.place:
				c.state = "post_hoc"
			case w >= look.place || !look.started.IsZero() && !l.at.Before(look.started):
				c.state = "after_look"
			default:
				c.state = "locked"
			}
			if c.state != "locked" {
				c.registered = pointer(first, h)
			}
			revealed := s.letters[r.place]
			c.sameHand = l.from == revealed.from
			c.imported = l.lenient && revealed.lenient
			day := l.at.Format(time.DateOnly)
			c.older = r.run().performed != "" && r.run().performed < day ||
				slices.ContainsFunc(r.sources(), func(source string) bool { return added[source] != "" && added[source] < day })
		}
		list[h] = c
	}
	return list
}

// days says on which day a source was added.
type days map[string]string
