package literature

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"brenner/internal/protocol"
)

// columns of the CSV of Retraction Watch that are read.
var retractionColumns = []string{
	"originalpaperdoi", "originalpaperpubmedid", "retractionnature", "retractiondate", "retractiondoi", "retractionpubmedid", "reason",
}

// readRetractionWatch reads the CSV in a stream, and counts the rows that do not have the columns of the head.
func readRetractionWatch(in *bufio.Reader, tell func(Notice)) (skipped int, err error) {
	rows := csvReader{in: in, line: 1}
	head, err := rows.next(nil)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	for i := range head {
		head[i] = strings.ToLower(strings.TrimSpace(head[i]))
	}
	var places [7]int
	wanted := make([]bool, len(head))
	for i, name := range retractionColumns {
		if places[i] = slices.Index(head, name); places[i] >= 0 {
			wanted[places[i]] = true
		}
	}
	if places[2] < 0 || places[0] < 0 && places[1] < 0 {
		return 0, protocol.Errorf(protocol.InvalidInput,
			"this is neither the CSV of Retraction Watch (OriginalPaperDOI, OriginalPaperPubMedID, RetractionNature) nor JSON of Crossref")
	}
	for {
		row, err := rows.next(wanted)
		if errors.Is(err, io.EOF) {
			return skipped, nil
		}
		if err != nil {
			return skipped, err
		}
		if len(row) != len(head) {
			if len(row) > 1 || row[0] != "" || rows.kept > 0 {
				skipped++
			}
			continue
		}
		cell := func(column int) string {
			if places[column] < 0 {
				return ""
			}
			return row[places[column]]
		}
		tell(Notice{
			Nature: natureOf(cell(2)), Words: cell(2), Of: Identifiers{NormalDOI(cell(0)), PMID(cell(1))},
			By:  Identifiers{NormalDOI(cell(4)), PMID(cell(5))},
			Day: americanDay(cell(3)), Reason: reasons(cell(6)),
		})
	}
}

// americanDay reads 6/3/2011 0:00; other dates, too.
func americanDay(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), " ")
	if len(text) > 40 {
		return ""
	}
	if n := numbers(strings.SplitN(text, "/", 3)); len(n) == 3 && n[2] > 31 {
		return isoDay(newDate([]int{n[2], n[0], n[1]}))
	}
	return isoDay(parseDate(text))
}

func isoDay(d *Date) string {
	if d == nil || len(d.Parts) == 0 {
		return ""
	}
	return iso(d.Parts[0], "-")
}

// reasons reads the list "+Error in Data;+Unreliable Results;".
func reasons(text string) string {
	var list []string
	for r := range strings.SplitSeq(text, ";") {
		if r = strings.Trim(r, " +"); r != "" {
			list = append(list, r)
		}
	}
	return strings.Join(list, "; ")
}

// csvReader reads CSV (RFC 4180) row by row. It keeps only what is wanted, and of that no more than a bound.
type csvReader struct {
	in   *bufio.Reader
	line int
	kept int // bytes of the row
}

// The bounds of a row.
const (
	maxCell    = 64 << 10
	maxColumns = 1000
)

// next returns the cells of the next row; those that are not wanted are empty. Nil wants all. io.EOF: there is none.
func (c *csvReader) next(wanted []bool) ([]string, error) {
	var row []string
	var cell []byte
	began, quoted, start := false, false, c.line
	c.kept = 0
	end := func() {
		if len(row) < maxColumns {
			row = append(row, string(cell))
		}
		cell = cell[:0]
	}
	for {
		b, err := c.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && quoted:
			return nil, invalid(start, "a quotation mark is never closed: the file ends in the middle")
		case errors.Is(err, io.EOF) && !began:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			end()
			return row, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", c.line, err)
		}
		began = true
		if b == '\n' {
			c.line++
		}
		switch {
		case quoted && b == '"':
			if next, _ := c.in.Peek(1); len(next) == 1 && next[0] == '"' {
				_, _ = c.in.ReadByte()
				cell = c.keep(cell, b, wanted, len(row))
			} else {
				quoted = false
			}
		case quoted:
			cell = c.keep(cell, b, wanted, len(row))
		case b == '"' && len(cell) == 0:
			quoted = true
		case b == ',':
			end()
		case b == '\n':
			end()
			return row, nil
		case b == '\r':
		default:
			cell = c.keep(cell, b, wanted, len(row))
		}
	}
}

// keep adds a byte to a cell that is wanted.
func (c *csvReader) keep(cell []byte, b byte, wanted []bool, column int) []byte {
	c.kept++
	if len(cell) >= maxCell || wanted != nil && (column >= len(wanted) || !wanted[column]) {
		return cell
	}
	return append(cell, b)
}
