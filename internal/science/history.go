package science

import (
	"encoding/json"
	"iter"
	"slices"
)

// History is a list that only grows, and is read from its newest element on. Adding one copies nothing: copies of a history share what
// they have in common, and none changes another. The zero value is empty.
type History[T any] struct{ last *past[T] }

type past[T any] struct {
	value  T
	before *past[T]
}

// with returns the history with one more element.
func (h History[T]) with(v T) History[T] { return History[T]{&past[T]{v, h.last}} }

// latest is the newest element; nil if there is none. It is only read.
func (h History[T]) latest() *T {
	if h.last == nil {
		return nil
	}
	return &h.last.value
}

// backward goes from the newest element to the oldest. They are only read.
func (h History[T]) backward() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for e := h.last; e != nil; e = e.before {
			if !yield(&e.value) {
				return
			}
		}
	}
}

// MarshalJSON writes the elements, the oldest first.
func (h History[T]) MarshalJSON() ([]byte, error) {
	list := slices.Collect(h.backward())
	slices.Reverse(list)
	return json.Marshal(list)
}

// UnmarshalJSON reads the elements.
func (h *History[T]) UnmarshalJSON(data []byte) error {
	var list []T
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*h = History[T]{}
	for _, v := range list {
		*h = h.with(v)
	}
	return nil
}
