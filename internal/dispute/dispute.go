package dispute

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"brenner/internal/literature"
	"brenner/internal/quantity"
	"brenner/internal/science"
)

// Edition names the form of a dispute.
const Edition = "brenner/dispute/1"

// The answers that are no hypothesis.
const (
	Open = "open" // nobody knows yet
	None = "none" // none of the rivals
)

// Dispute is a folder that was read.
type Dispute struct {
	Name string // of the folder
	Header
	SHA256  string // of dispute.yaml, which fixes the answer
	Sources []Source
	Known   string // the page what was known when

	sealed, flipped map[string]Seal // by test
}

// Header is what dispute.yaml says.
type Header struct {
	Edition    string            `json:"dispute"`
	Title      string            `json:"title"`
	Years      string            `json:"years"`
	Field      string            `json:"field"`
	Question   string            `json:"question"`
	Context    string            `json:"context"`
	Asked      Day               `json:"asked"` // the day on which it is played: sources are of then or earlier
	Budget     float64           `json:"budget"`
	Hypotheses []Hypothesis      `json:"hypotheses"`
	Tests      []Test            `json:"tests"`
	Answer     string            `json:"answer"`
	Answered   string            `json:"answered"` // how it was settled, in words
	Decisive   []string          `json:"decisive"`
	Flipped    Twin              `json:"flipped"`
	Renaming   map[string]string `json:"renaming"`
	Read       []Reading         `json:"read"`
}

// Twin is the fiction in which another rival wins.
type Twin struct {
	Answer   string   `json:"answer"`
	Decisive []string `json:"decisive"`
	Note     string   `json:"note"`
}

// Hypothesis is a rival.
type Hypothesis struct {
	Name      string   `json:"name"`
	Claim     string   `json:"claim"`
	Mechanism string   `json:"mechanism"`
	Anchors   []string `json:"anchors"` // S1, [external: …] or inference
	Third     bool     `json:"third_alternative"`
}

// Test is what could be done, and what each rival expects of it.
type Test struct {
	Name        string          `json:"name"`
	Procedure   string          `json:"procedure"`
	Potency     string          `json:"potency_check"`
	Feasibility string          `json:"feasibility"`
	Score       Score           `json:"score"`
	Quantity    json.RawMessage `json:"quantity"`
	Expected    map[string]Said `json:"expected"`
}

// Score is how good a test is, each part 0–3.
type Score struct {
	LikelihoodRatio float64 `json:"likelihood_ratio"`
	Cost            float64 `json:"cost"`
	Speed           float64 `json:"speed"`
	Ambiguity       float64 `json:"ambiguity"`
}

// Sum is what somebody goes by who looks at nothing else.
func (s Score) Sum() float64 { return s.LikelihoodRatio + s.Cost + s.Speed + s.Ambiguity }

// Effort is what a test costs (SCIENCE 5).
func (s Score) Effort() float64 { return science.Effort(s.Cost, s.Speed) }

// measures reads the quantity of a test; nil if its outcomes are labels.
func (t *Test) measures() (*quantity.Quantity, error) {
	if len(t.Quantity) == 0 {
		return nil, nil
	}
	q, err := quantity.Read(t.Quantity)
	return &q, err
}

// Said is a text that YAML may take for a number.
type Said string

// UnmarshalJSON implements json.Unmarshaler.
func (s *Said) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*s = Said(text)
		return nil
	}
	var number float64
	if err := json.Unmarshal(data, &number); err != nil {
		return err
	}
	*s = Said(strconv.FormatFloat(number, 'g', -1, 64))
	return nil
}

// Day is a date such as 2011-09-23, which YAML takes for a moment.
type Day string

// UnmarshalJSON implements json.Unmarshaler.
func (d *Day) UnmarshalJSON(data []byte) error {
	var text string
	err := json.Unmarshal(data, &text)
	*d = Day(strings.TrimSuffix(text, "T00:00:00Z"))
	return err
}

// Reading is something to read about a dispute.
type Reading struct {
	Cite *literature.Item `json:"cite"`
	Note string           `json:"note"`
}

// Source is a reading note: what a source of the time says, in words of our own.
type Source struct {
	ID      string           `json:"-"` // S1
	Title   string           `json:"title"`
	Cite    *literature.Item `json:"cite"`
	Day     Day              `json:"day"`     // when it could be read
	Checked string           `json:"checked"` // against what its facts were held; memory: against nothing at hand
	Text    string           `json:"-"`
}

// Seal is what a test found, as its sealed file says.
type Seal struct {
	Test       string           `json:"test"`
	Outcome    Said             `json:"outcome,omitempty"`
	Value      Said             `json:"value,omitempty"`
	Unforeseen Said             `json:"unforeseen,omitempty"`
	Day        Day              `json:"day,omitempty"`
	Source     string           `json:"source,omitempty"`
	Cite       *literature.Item `json:"cite,omitempty"`
	Note       string           `json:"note,omitempty"`
	Checked    string           `json:"checked,omitempty"`
	Fiction    bool             `json:"fiction,omitempty"`
	Salt       string           `json:"salt"`

	data []byte // of the file
}

// Found is the result in a word.
func (s *Seal) Found() string { return string(s.Outcome + s.Value + s.Unforeseen) }

// HypothesisID names the i-th hypothesis, from 0.
func HypothesisID(i int) string { return fmt.Sprintf("H%d", i+1) }

// TestID names the i-th test, from 0.
func TestID(i int) string { return fmt.Sprintf("T%d", i+1) }

// hypothesisIDs names the rivals.
func (h *Header) hypothesisIDs() []string {
	ids := make([]string, len(h.Hypotheses))
	for i := range ids {
		ids[i] = HypothesisID(i)
	}
	return ids
}

// test finds a test by its id; nil if there is none.
func (h *Header) test(id string) *Test {
	for i := range h.Tests {
		if TestID(i) == id {
			return &h.Tests[i]
		}
	}
	return nil
}
