package lint

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/evidence"
	"brenner/internal/protocol"
)

// Report is what lint found, as `lint --json` prints it. The counts are there twice: in the
// summary, and beside it for the `lint` object of a compile.
type Report struct {
	Artifact   string      `json:"artifact"`
	Valid      bool        `json:"valid"` // no errors
	Summary    Summary     `json:"summary"`
	Errors     int         `json:"errors"`
	Warnings   int         `json:"warnings"`
	Info       int         `json:"info"`
	Violations []Violation `json:"violations"`
	Checklist  []string    `json:"checklist"` // what only a person can judge

	Evidence *evidence.Judgement `json:"-"` // quotes, and what each active item rests on
}

// Summary counts violations by severity.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Info     int `json:"info"`
}

// Violation is a finding whose code is the id of the rule.
type Violation struct {
	protocol.Finding
	Section string // id of the section it is about; empty for front matter and structure
}

// ID is the id of the rule.
func (v Violation) ID() string { return string(v.Code) }

// MarshalJSON writes the finding with its id.
func (v Violation) MarshalJSON() ([]byte, error) {
	finding, err := json.Marshal(v.Finding)
	if err != nil {
		return nil, err
	}
	id, err := json.Marshal(v.ID())
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"id":`), id...)
	return append(append(out, ','), finding[1:]...), nil
}

// Has tells whether a rule was broken.
func (r Report) Has(code protocol.Code) bool {
	return slices.ContainsFunc(r.Violations, func(v Violation) bool { return v.Code == code })
}

// SchemaHolds tells whether front matter and structure are in order (PROTOCOL 10: Schema
// FAIL iff there is an EM- or ES- error).
func (r Report) SchemaHolds() bool {
	return !slices.ContainsFunc(r.Violations, func(v Violation) bool {
		return strings.HasPrefix(v.ID(), "EM-") || strings.HasPrefix(v.ID(), "ES-")
	})
}

// report orders what was found: by severity, section, item, id.
func report(name string, found []finding, checklist []string) Report {
	r := Report{Artifact: name, Violations: make([]Violation, len(found)), Checklist: checklist}
	for i, f := range ordered(found) {
		r.Violations[i] = Violation{f.Finding, f.part.section()}
		switch f.Severity {
		case protocol.SeverityError:
			r.Errors++
		case protocol.SeverityWarning:
			r.Warnings++
		default:
			r.Info++
		}
	}
	r.Summary = Summary{r.Errors, r.Warnings, r.Info}
	r.Valid = r.Errors == 0
	return r
}

// ordered returns the findings in the order of the report; those that are alike in it stay as they were found.
func ordered(found []finding) []*finding {
	order := make([]*finding, len(found)) // a finding is large: pointers are moved instead
	for i := range found {
		order[i] = &found[i]
	}
	slices.SortStableFunc(order, func(a, b *finding) int {
		return cmp.Or(
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(a.part, b.part),
			cmp.Compare(a.number, b.number), strings.Compare(string(a.Code), string(b.Code)))
	})
	return order
}
