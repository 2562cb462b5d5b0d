package message

import (
	"encoding/json"
	"math"

	"brenner/internal/textnorm"
)

// sumTolerance is how far a sum of probabilities may miss 1 (SCIENCE 4). The rest is for the
// rounding of the sum itself.
const sumTolerance = 1e-6 + 1e-12

// The least and most labels of a test.
const (
	minLabels = 2
	maxLabels = 20
)

// credences reads how likely each world is, and whether that leaves nothing over; null withdraws what was said before.
func (r *beliefReader) credences(raw json.RawMessage) (list []Credence, whole bool) {
	if string(raw) == "null" {
		return nil, false
	}
	object, ok := r.object(raw, "credences")
	if !ok {
		return nil, false
	}
	list = []Credence{}
	sum := 0.0
	for _, world := range sortedKeys(object) {
		p, ok := r.probability(object[world], "credences."+world)
		if !ok {
			return nil, false
		}
		sum += p
		list = append(list, Credence{world, p})
	}
	switch {
	case sum > 1+sumTolerance:
		r.invalid("credences", "The credences sum to %s; they may sum to at most 1.", formatNumber(sum))
	case sum >= 1-sumTolerance:
		whole = true
		for i := range list {
			list[i].P /= divisor(sum)
		}
	}
	return list, whole
}

func (r *beliefReader) likelihoods(raw json.RawMessage) []Likelihoods {
	object, ok := r.object(raw, "likelihoods")
	if !ok {
		return nil
	}
	var list []Likelihoods
	for _, test := range sortedKeys(object) {
		path := "likelihoods." + test
		if table, ok := r.object(object[test], path); ok {
			list = append(list, r.table(test, table, path))
		}
	}
	return list
}

// table reads what is stated about one test: its labels and a row for each world, or without labels a cell.
func (r *beliefReader) table(test string, object members, path string) Likelihoods {
	table := Likelihoods{Test: test}
	if _, labelled := object["labels"]; !labelled {
		table.Rows = r.cells(object, path)
		return table
	}
	if table.Labels = r.labels(object["labels"], path+".labels"); table.Labels == nil {
		return table
	}
	for _, world := range sortedKeys(object) {
		if world == "labels" {
			continue
		}
		if p := r.row(object[world], len(table.Labels), path+"."+world); p != nil {
			table.Rows = append(table.Rows, Row{World: world, P: p})
		}
	}
	return table
}

// cells reads the rows of a table without labels. What a cell says is for the quantity of its test to read.
func (r *beliefReader) cells(object members, path string) []Row {
	var rows []Row
	for _, world := range sortedKeys(object) {
		var text *string
		if json.Unmarshal(object[world], &text) != nil || text == nil {
			r.invalid(path+".labels", "A table without labels has a text for each world, such as \"73 ± 1\"; one with numbers "+
				"needs labels.")
			continue
		}
		rows = append(rows, Row{World: world, Cell: *text})
	}
	return rows
}

func (r *beliefReader) labels(raw json.RawMessage, path string) []string {
	var labels []*string
	if json.Unmarshal(raw, &labels) != nil || len(labels) < minLabels || len(labels) > maxLabels {
		r.invalid(path, "labels is no list of %d to %d texts.", minLabels, maxLabels)
		return nil
	}
	texts, seen := make([]string, len(labels)), map[string]bool{}
	for i, label := range labels {
		if label == nil || textnorm.Label(*label) == "" {
			r.invalid(path, "Label %d is blank, or no text.", i+1)
			return nil
		}
		key := textnorm.Label(*label)
		if seen[key] {
			r.invalid(path, "The label %s is there twice.", quoted(*label))
			return nil
		}
		seen[key], texts[i] = true, *label
	}
	return texts
}

// row reads one number for each label; sums within the tolerance are scaled to 1.
func (r *beliefReader) row(raw json.RawMessage, labels int, path string) []float64 {
	var values []json.RawMessage
	if json.Unmarshal(raw, &values) != nil || len(values) != labels {
		r.invalid(path, "The row is no list of %d numbers, one for each label.", labels)
		return nil
	}
	row, sum := make([]float64, labels), 0.0
	for i, value := range values {
		p, ok := r.probability(value, path)
		if !ok {
			return nil
		}
		row[i] = p
		sum += p
	}
	if math.Abs(sum-1) > sumTolerance {
		r.invalid(path, "The row sums to %s, not to 1.", formatNumber(sum))
		return nil
	}
	for i := range row {
		row[i] /= divisor(sum)
	}
	return row
}

// divisor is what numbers with a sum near 1 are scaled by: nothing where only the sum was rounded, so that they stay as they were
// stated.
func divisor(sum float64) float64 {
	const rounding = 1e-14
	if math.Abs(sum-1) < rounding {
		return 1
	}
	return sum
}

// probability reads a number from 0 to 1.
func (r *beliefReader) probability(raw json.RawMessage, path string) (float64, bool) {
	var p *float64
	if json.Unmarshal(raw, &p) != nil || p == nil {
		r.invalid(path, "%s is no number.", quoted(string(raw)))
		return 0, false
	}
	if *p < 0 || *p > 1 {
		r.invalid(path, "%s is not between 0 and 1.", formatNumber(*p))
		return 0, false
	}
	return *p, true
}

func (r *beliefReader) object(raw json.RawMessage, path string) (members, bool) {
	var object members
	if json.Unmarshal(raw, &object) != nil || object == nil {
		r.invalid(path, "%s is no object.", path)
		return nil, false
	}
	return object, true
}

func formatNumber(n float64) string {
	text, err := json.Marshal(n)
	if err != nil {
		return "a number that is too large"
	}
	return string(text)
}
