package science

import (
	"encoding/json"
	"slices"
)

// List is a list that snapshots share. The first change after a snapshot copies it, so that neither
// changes the other; elements are replaced, never changed in place.
type List[T any] struct {
	items  []T
	shared bool // items belongs to a snapshot as well
}

// All returns the elements, to be read.
func (l *List[T]) All() []T { return l.items }

// Len returns the number of elements.
func (l *List[T]) Len() int { return len(l.items) }

// At returns the element with a number, from 1, or the zero value if the list has none.
func (l *List[T]) At(number int) T {
	if number < 1 || number > len(l.items) {
		var none T
		return none
	}
	return l.items[number-1]
}

// put replaces the element with a number, from 1. The list grows as far as it must.
func (l *List[T]) put(number int, v T) {
	l.own()
	for len(l.items) < number {
		var none T
		l.items = append(l.items, none)
	}
	l.items[number-1] = v
}

// append adds an element to the end.
func (l *List[T]) append(v T) {
	if l.shared {
		l.items, l.shared = slices.Clip(l.items), false // so that append copies it, once
	}
	l.items = append(l.items, v)
}

// remove takes out the elements that gone approves.
func (l *List[T]) remove(gone func(T) bool) {
	l.own()
	l.items = slices.DeleteFunc(l.items, gone)
}

func (l *List[T]) own() {
	if l.shared {
		l.items, l.shared = slices.Clone(l.items), false
	}
}

// snapshot returns the list as it is now.
func (l *List[T]) snapshot() List[T] {
	l.shared = true
	return *l
}

// MarshalJSON writes the elements.
func (l List[T]) MarshalJSON() ([]byte, error) { return json.Marshal(l.items) }

// UnmarshalJSON reads the elements.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	l.shared = false
	return json.Unmarshal(data, &l.items)
}
