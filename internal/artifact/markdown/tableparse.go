package markdown

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
)

// readTable reads the predictions table of a section; it is false if there is none.
func (p *parser) readTable(b *block) bool {
	at := b.at + 1
	for ; at+1 < b.end; at++ {
		if !p.fenced[at] && strings.Contains(p.lines[at], "|") && delimiterRow(p.lines[at+1]) {
			break
		}
	}
	if at+1 >= b.end {
		return false
	}
	p.readPreamble(b.at+1, at, false)
	t := p.readHeader(at)
	end := at + 2
	for end < b.end && strings.Contains(p.lines[end], "|") && !blankLine(p.lines[end]) {
		p.readRow(t, end)
		end++
	}
	p.readPreamble(end, b.end, false)
	return true
}

func delimiterRow(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, "-:| \t") == ""
}

// tableHead says what the columns of a table are.
type tableHead struct {
	id, condition int      // places of these columns, -1 if there is none
	keys          []string // by column
	skip          []bool   // columns that are no key
}

func (p *parser) readHeader(at int) tableHead {
	cells := splitRow(p.lines[at])
	t := tableHead{id: -1, condition: -1, keys: make([]string, len(cells)), skip: make([]bool, len(cells))}
	for i, cell := range cells {
		t.keys[i] = readKey(cell)
		switch key := labelKey(cell); {
		case t.id < 0 && key == "id":
			t.id = i
		case t.condition < 0 && conditionColumn(key):
			t.condition = i
		}
	}
	if next := t.id + 1; t.condition < 0 && next < len(cells) && !decoratedKey().MatchString(cells[next]) {
		t.condition = next
	}
	p.outline.Table.Line, p.outline.Table.HasID = at+1, t.id >= 0
	seen := map[string]bool{}
	for i, key := range t.keys {
		t.skip[i] = i == t.id || i == t.condition
		if t.skip[i] {
			continue
		}
		if seen[key] || cells[i] == "" {
			t.skip[i] = true
			p.report(protocol.NewFinding(protocol.InvalidField,
				"Column %d of the predictions table has no name of its own; what stands in it is not kept.", i+1).At(at+1, 1))
			continue
		}
		seen[key] = true
		p.outline.Table.Columns = append(p.outline.Table.Columns, key)
	}
	return t
}

func conditionColumn(key string) bool {
	name, ok := fieldNames[artifact.PredictionsTable][key]
	return ok && name == artifact.Condition
}

// readRow reads a row as a prediction.
func (p *parser) readRow(t tableHead, at int) {
	cells := splitRow(p.lines[at])
	it := p.openRow(t, cells, at)
	p.mark(it, "", at+1)
	if text, ok := readCell(cells, t.condition, cellStyle{struck: !it.Active()}); ok {
		it.Set(artifact.Condition, artifact.Text(text))
		p.mark(it, artifact.Condition, at+1)
	}
	var pairs []artifact.Pair
	for i, key := range t.keys[:min(len(t.keys), len(cells))] {
		if t.skip[i] {
			continue
		}
		if text, ok := readCell(cells, i, cellStyle{struck: !it.Active(), dead: p.dead[key]}); ok {
			pairs = append(pairs, artifact.Pair{Key: key, Text: text})
			p.markKey(it, artifact.Predictions, key, at+1)
		}
	}
	if pairs != nil {
		it.Set(artifact.Predictions, artifact.NewMap(pairs...))
		p.mark(it, artifact.Predictions, at+1)
	}
	if len(cells) > len(t.keys) && slices.ContainsFunc(cells[len(t.keys):], func(c string) bool { return c != "" }) {
		p.strays([]int{at}, "This row has more cells than the table has columns; the rest is not kept.")
	}
}

// openRow makes the prediction of a row.
func (p *parser) openRow(t tableHead, cells []string, at int) *artifact.Item {
	cell := ""
	if t.id >= 0 && t.id < len(cells) {
		cell = cells[t.id]
	}
	h := heading{name: cell}
	h.readMarks(artifact.PredictionsTable)
	id := strings.Trim(h.name, "~*` \t")
	var it *artifact.Item
	switch parsed, s, _, ok := artifact.ParseItemID(id); {
	case ok && s == artifact.PredictionsTable:
		it = p.claim(parsed, s, at+1)
	case id == "":
		p.outline.Table.NoID = append(p.outline.Table.NoID, at+1)
		it = p.nameless(artifact.PredictionsTable)
	default:
		it = p.misfit(&p.outline.Malformed, id, artifact.PredictionsTable, at+1)
	}
	if it.ID != "" {
		p.rows[it] = true
	}
	if h.killed || strings.HasPrefix(h.name, "~~") {
		it.Killed = &artifact.Kill{}
	}
	return it
}

// readCell reads a cell; it is false if there is nothing in it.
func readCell(cells []string, i int, style cellStyle) (string, bool) {
	if i < 0 || i >= len(cells) || cells[i] == "" {
		return "", false
	}
	if style.dead {
		return readOutcome(cells[i])
	}
	if inner, ok := cutAround(cells[i], "~~"); ok && style.struck {
		return readEmpty(inner), true
	}
	return readEmpty(cells[i]), true
}

// splitRow splits a row at its pipes; a backslash keeps one, and is gone after that.
func splitRow(line string) []string {
	line = strings.TrimPrefix(trim(line), "|")
	var cells []string
	var cell []byte
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell = append(cell, '|')
			i++
		case line[i] == '|':
			cells = append(cells, trim(string(cell)))
			cell = cell[:0]
		default:
			cell = append(cell, line[i])
		}
	}
	if last := trim(string(cell)); last != "" || len(cells) == 0 {
		cells = append(cells, last)
	}
	return cells
}
