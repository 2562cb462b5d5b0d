package study

import (
	"cmp"
	"math"
	"slices"

	"brenner/internal/figure"
	"brenner/internal/science"
)

// none is the world in which no hypothesis is right.
var none = science.None.ID()

// Standing are the parts of a bar of current belief.
func (s *Study) Standing() []figure.Share {
	var list []figure.Share
	for _, h := range s.Alive() {
		list = append(list, figure.Share{Label: h.ID, Value: h.Pooled, Class: shareClass(len(list))})
	}
	return append(list, figure.Share{Label: none, Value: s.None.Pooled, Class: "w0"})
}

// shareClass is the shade of a share by its rank.
func shareClass(rank int) string {
	return []string{"w1", "w2", "w3", "w4"}[min(rank, 3)]
}

// SparkTop is the value at the upper edge of all small curves: 80 % unless one goes higher.
func (s *Study) SparkTop() float64 {
	top := 0.8
	for _, h := range s.Hypotheses {
		for _, p := range h.Pool {
			top = math.Max(top, p.Value)
		}
	}
	return top
}

// SpreadTop is the end of the axis on which worlds are compared: the next fifth above all that is believed of any.
func (s *Study) SpreadTop() float64 {
	most := s.None.High
	for _, h := range s.Alive() {
		most = max(most, h.High, h.Pooled)
	}
	return min(1, max(0.2, math.Ceil(max(most, s.None.Pooled)*5-1e-9)/5))
}

// shares are the parts of a bar in the order of the worlds of today.
func (b *builder) shares(p map[string]float64) []figure.Share {
	var list []figure.Share
	for _, w := range b.ordered() {
		class := shareClass(len(list))
		if w == none {
			class = "w0"
		}
		list = append(list, figure.Share{Label: w, Value: p[w], Class: class})
	}
	return list
}

// ordered are the worlds of today by pooled credence, then none of them.
func (b *builder) ordered() []string {
	worlds := slices.Clone(b.report.Worlds)
	slices.SortStableFunc(worlds, func(x, y science.WorldReport) int {
		switch {
		case x.ID == none || x.Pooled < y.Pooled && y.ID != none:
			return 1
		case y.ID == none || x.Pooled > y.Pooled:
			return -1
		}
		return 0
	})
	var ids []string
	for _, w := range worlds {
		ids = append(ids, w.ID)
	}
	return ids
}

// Around is the pool just before a message and just after it; nothing if the message did not move it.
func (s *Study) Around(messageID int64) (before, after []figure.Share) { return s.moved(messageID) }

// around is the pool just before a message and just after it; nothing if the message did not move it.
func (b *builder) around(place int) (before, after []figure.Share) {
	history := b.Account.History
	for i := 1; i < len(history); i++ {
		if b.lives.Place(history[i].MessageID) == place {
			return b.moment(history[i-1]), b.moment(history[i])
		}
	}
	return nil, nil
}

// leastMove is how far a share must have moved to be visible.
const leastMove = 0.005

// moved is the pool before and after a message that moved it.
func (b *builder) moved(messageID int64) (before, after []figure.Share) {
	history := b.Account.History
	i, ok := slices.BinarySearchFunc(history, messageID, func(m science.Moment, id int64) int { return cmp.Compare(m.MessageID, id) })
	if !ok || i == 0 {
		return nil, nil
	}
	was, is := history[i-1], history[i]
	if slices.Equal(was.Worlds, is.Worlds) && !differ(was.Pooled, is.Pooled) {
		return nil, nil
	}
	return b.moment(was), b.moment(is)
}

func differ(p, q []float64) bool {
	for i := range p {
		if math.Abs(p[i]-q[i]) >= leastMove {
			return true
		}
	}
	return false
}

// moment is a pool of the past, its worlds in the order of today: bars of different moments can be compared part by part.
func (b *builder) moment(m science.Moment) []figure.Share {
	var list []figure.Share
	for i, w := range m.Worlds {
		list = append(list, figure.Share{Label: w.ID(), Value: m.Pooled[i]})
	}
	slices.SortStableFunc(list, func(x, y figure.Share) int { return cmp.Compare(b.ranks[x.Label], b.ranks[y.Label]) })
	for i := range list {
		list[i].Class = shareClass(i)
		if list[i].Label == none {
			list[i].Class = "w0"
		}
	}
	return list
}

// order ranks the worlds of every bar.
func (s *Study) order(b *builder) {
	b.ranks = map[string]int{}
	alive := s.Alive()
	for i, h := range s.Hypotheses {
		b.ranks[h.ID] = i
		if i >= len(alive) {
			b.ranks[h.ID]++
		}
	}
	b.ranks[none] = len(alive)
}
