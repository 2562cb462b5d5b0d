package mail

import "strings"

// maxGlob bounds a leased path in bytes: comparing two takes the product of their lengths.
const maxGlob = 1024

// globsOverlap tells whether some path could match both globs. * and ? stay inside one
// segment, ** spans any number of them, [...] counts as any one character; a path that ends in a
// slash means everything below it. Leases are advisory: in doubt they overlap.
func globsOverlap(a, b string) bool {
	x, y := globSegments(a), globSegments(b)
	return overlap(len(x), len(y), func(i, j int) step {
		return step{
			skipA: i < len(x) && x[i] == "**", skipB: j < len(y) && y[j] == "**",
			both: i < len(x) && j < len(y) && (x[i] == "**" || y[j] == "**" || segmentsOverlap(x[i], y[j])),
		}
	})
}

// cleanGlob returns the one spelling of a glob, by the rules of path.Clean, with two exceptions: a
// slash at the end stays, as it means everything below, and so does .. after a segment with
// wildcards, as ** may be any number of segments.
func cleanGlob(glob string) string {
	if glob == "" {
		return ""
	}
	root := strings.HasPrefix(glob, "/")
	var kept []string
	for segment := range strings.SplitSeq(glob, "/") {
		n := len(kept)
		switch {
		case segment == "" || segment == ".":
		case segment == ".." && n == 0 && root:
		case segment == ".." && n > 0 && kept[n-1] != ".." && !strings.ContainsAny(kept[n-1], `*?[\`):
			kept = kept[:n-1]
		default:
			kept = append(kept, segment)
		}
	}
	clean := strings.Join(kept, "/")
	switch {
	case root:
		clean = "/" + clean
	case clean == "":
		clean = "."
	}
	if strings.HasSuffix(glob, "/") && clean != "/" {
		clean += "/"
	}
	return clean
}

func globSegments(glob string) []string {
	glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	if strings.HasSuffix(glob, "/") || glob == "" {
		glob += "**"
	}
	return strings.Split(glob, "/")
}

func segmentsOverlap(a, b string) bool {
	x, y := globRunes(a), globRunes(b)
	return overlap(len(x), len(y), func(i, j int) step {
		return step{
			skipA: i < len(x) && x[i] == anyRun, skipB: j < len(y) && y[j] == anyRun,
			both: i < len(x) && j < len(y) && (x[i] < 0 || y[j] < 0 || x[i] == y[j]),
		}
	})
}

// What a segment may hold beside characters.
const (
	anyOne rune = -1
	anyRun rune = -2
)

func globRunes(segment string) []rune {
	runes := []rune(segment)
	var out []rune
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; r {
		case '*':
			out = append(out, anyRun)
		case '?':
			out = append(out, anyOne)
		case '[':
			end := i + 1
			for end < len(runes) && runes[end] != ']' {
				end++
			}
			if end == len(runes) {
				out = append(out, r)
				continue
			}
			out = append(out, anyOne)
			i = end
		case '\\':
			if i+1 < len(runes) {
				i++
			}
			out = append(out, runes[i])
		default:
			out = append(out, r)
		}
	}
	return out
}

// step says how two patterns may go on from a pair of places: passing a wildcard of one of
// them, or taking one element of each.
type step struct{ skipA, skipB, both bool }

// overlap walks all pairs of places, each once.
func overlap(n, m int, at func(i, j int) step) bool {
	seen := make([]bool, (n+1)*(m+1))
	todo := [][2]int{{0, 0}}
	visit := func(i, j int) {
		if i <= n && j <= m && !seen[i*(m+1)+j] {
			seen[i*(m+1)+j] = true
			todo = append(todo, [2]int{i, j})
		}
	}
	for len(todo) > 0 {
		i, j := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		if i == n && j == m {
			return true
		}
		s := at(i, j)
		if s.skipA {
			visit(i+1, j) // the wildcard ends here
		}
		if s.skipB {
			visit(i, j+1)
		}
		if s.both {
			visit(i+1, j+1)
			if s.skipA {
				visit(i, j+1) // the wildcard takes one more of the other
			}
			if s.skipB {
				visit(i+1, j)
			}
		}
	}
	return false
}
