package protocol

// Intake is how a message came in. It is recorded when the message arrives and decides,
// for good, how its deltas are read (PROTOCOL 1 and 5).
type Intake string

// Strict is for what was sent through us to an enforced thread; Lenient for imports and
// foreign mail.
const (
	Strict  Intake = "strict"
	Lenient Intake = "lenient"
)
