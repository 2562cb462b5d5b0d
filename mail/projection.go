package mail

// ProjectionKind names a family of derived data, such as folded states.
type ProjectionKind string

// Projection is data derived from the log up to a message, kept to save work. It may vanish
// at any time; whoever reads it can make it again.
type Projection struct {
	Kind    ProjectionKind
	Key     string // such as a thread id
	Through int64  // id of the last message it was made from
	Data    []byte
}
