// Package pattern holds regular expressions until they are used. A process compiles only those that its command needs:
// compiling all of them took longer than many a command.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles an expression when it is first called, and panics if it is none, as
// regexp.MustCompile does. archtest compiles them all.
func Lazy(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
