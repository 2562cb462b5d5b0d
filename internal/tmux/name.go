package tmux

import (
	"strconv"
	"strings"
)

// Name is the name of a session for a thread: tmux cannot hold '.' and ':' (PROTOCOL 2). Several
// threads may get one name, so that a session also carries the thread's id.
func Name(threadID string) string { return strings.NewReplacer(".", "_", ":", "_").Replace(threadID) }

// free returns name, or the first of name-2, name-3, … that no session has.
func free(name string, sessions []Session) string {
	taken := map[string]bool{}
	for _, s := range sessions {
		taken[s.Name] = true
	}
	for n, candidate := 2, name; ; n++ {
		if !taken[candidate] {
			return candidate
		}
		candidate = name + "-" + strconv.Itoa(n)
	}
}
