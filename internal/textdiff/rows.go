package textdiff

import "strings"

// Row is a line of both texts beside each other. Old or New is nil where the line is on one side only.
type Row struct {
	Old, New *Line
	Changed  bool
}

// Line is a line of a text, in spans: on the old side Same and Deleted, on the new one Same and
// Inserted.
type Line struct {
	Number int // from 1
	Spans  []Span
}

// maxMarked is how long a line may be to have its words compared.
const maxMarked = 16 << 10

// Rows lays two texts side by side, line by line. Lines that were replaced are beside those that
// replace them, with the words that changed.
func Rows(before, after string) []Row {
	a, b := lines(before), lines(after)
	var rows []Row
	i, j := 0, 0
	same := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			rows = append(rows, Row{Old: whole(i, Same, a[i]), New: whole(j, Same, b[j])})
		}
	}
	for _, d := range differences(a, b) {
		same(d.Start)
		rows = appendReplaced(rows, i, a[d.Start:d.End], j, b[d.ReplStart:d.ReplEnd])
		i, j = d.End, d.ReplEnd
	}
	same(len(a))
	return rows
}

func appendReplaced(rows []Row, i int, a []string, j int, b []string) []Row {
	for k := range max(len(a), len(b)) {
		row := Row{Changed: true}
		switch {
		case k >= len(b):
			row.Old = whole(i+k, Deleted, a[k])
		case k >= len(a):
			row.New = whole(j+k, Inserted, b[k])
		case len(a[k])+len(b[k]) > maxMarked:
			row.Old, row.New = whole(i+k, Deleted, a[k]), whole(j+k, Inserted, b[k])
		default:
			row.Old, row.New = &Line{Number: i + k + 1}, &Line{Number: j + k + 1}
			for _, s := range Words(a[k], b[k]) {
				if s.Change != Inserted {
					row.Old.Spans = append(row.Old.Spans, s)
				}
				if s.Change != Deleted {
					row.New.Spans = append(row.New.Spans, s)
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func whole(i int, change Change, text string) *Line {
	return &Line{Number: i + 1, Spans: appendSpan(nil, change, text)}
}

// lines cuts a text at its line ends. What follows the last one is a line only if it is not empty.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// Region is a run of rows. A folded one holds rows that did not change, away from any that did.
type Region struct {
	Folded bool
	Rows   []Row
}

// Fold groups rows into regions, with so many unchanged rows kept around each change. Fewer rows than
// a fold would take up are not folded.
func Fold(rows []Row, context int) []Region {
	const least = 4
	var regions []Region
	show := func(from, to int, folded Region) {
		if from >= to {
			return
		}
		if folded.Folded || len(regions) == 0 || regions[len(regions)-1].Folded {
			regions = append(regions, Region{Folded: folded.Folded})
		}
		last := &regions[len(regions)-1]
		last.Rows = append(last.Rows, rows[from:to]...)
	}
	for i := 0; i < len(rows); {
		start := i
		for i < len(rows) && rows[i].Changed == rows[start].Changed {
			i++
		}
		from, to := start, i
		if !rows[start].Changed {
			if start > 0 {
				from += context
			}
			if i < len(rows) {
				to -= context
			}
		}
		if rows[start].Changed || to-from < least {
			show(start, i, Region{})
			continue
		}
		show(start, from, Region{})
		show(from, to, Region{Folded: true})
		show(to, i, Region{})
	}
	return regions
}
