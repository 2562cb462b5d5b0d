package live

import (
	"brenner/internal/fold"
	"brenner/internal/mail"
)

// Fold is what the messages of a thread come to. F is the type itself, a pointer.
type Fold[F any] interface {
	// Fork returns a second fold of the same messages. Either can be folded further without the other
	// noticing. One that is folded no further may be read and forked by several goroutines at once.
	Fork() F
	// Position is that of the last message, the zero Position before the first.
	Position() fold.Position
	// Len is how many messages are in it.
	Len() int
	// Weight is about how many bytes the fold takes in memory.
	Weight() int
	// Save writes the fold in the form that Kind.Load reads.
	Save() ([]byte, error)
	// Fresh are the windows that were closed since the fold was loaded, oldest first. They are kept beside that form.
	Fresh() []fold.Window
}

// Kind says how folds are made and under which name they are kept.
type Kind[F any] struct {
	Name   mail.ProjectionKind
	Window mail.ProjectionKind // the name of windows, by their last message
	New    func(threadID string) F
	Load   func([]byte) (F, error)
	Add    func(f F, messages ...mail.Message) // folds the next messages in order; what they say may be read in parallel
}
