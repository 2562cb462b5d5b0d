package science

import (
	"encoding/binary"
	"slices"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
)

// Lives is the log of Lifelines, read.
type Lives struct {
	ids     []int64 // of the messages, by place
	touches map[int][]Touch
}

// Lives reads the log.
func (r *Lifelines) Lives() *Lives {
	l := &Lives{touches: map[int][]Touch{}}
	id, log := int64(0), reader(r.Log)
	for len(log) > 0 {
		id += log.int()
		l.ids = append(l.ids, id)
		if count := log.uint(); count > 0 {
			by := min(log.uint(), uint64(max(len(r.Agents)-1, 0)))
			for ; count > 0 && len(log) > 0; count-- {
				t := log.uint()
				n := int(t >> kindBits)
				l.touches[n] = append(l.touches[n], Touch{len(l.ids), id, r.Agents[by], merge.ChangeKind(t & (1<<kindBits - 1))})
			}
		}
	}
	return l
}

// Place returns where a message is in the thread, from 1; 0 if it is not of the thread.
func (l *Lives) Place(id int64) int {
	if at, found := slices.BinarySearch(l.ids, id); found {
		return at + 1
	}
	return slices.Index(l.ids, id) + 1 // lines of a file need not be in the order of their ids
}

// Of returns what happened to a hypothesis, oldest first.
func (l *Lives) Of(id artifact.ItemID) []Touch { return l.touches[id.Number()] }

// reader is what is left of a log.
type reader []byte

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(*r)
	*r = (*r)[r.width(n):]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(*r)
	*r = (*r)[r.width(n):]
	return v
}

// width is how far a number reaches; one that is cut off is the last.
func (r *reader) width(n int) int {
	if n <= 0 {
		return len(*r)
	}
	return n
}
