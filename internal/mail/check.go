package mail

import "context"

// Checker is a store whose engine can look through its own data for damage. Foreign servers cannot.
type Checker interface {
	// Check returns what the engine found wrong, in its own words; none: nothing. It reads everything, and
	// may take a while.
	Check(ctx context.Context) ([]string, error)
}
