package tmux

import "strconv"

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
