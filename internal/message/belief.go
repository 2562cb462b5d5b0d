package message

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// Belief is a belief block: what its sender holds likely (SCIENCE 4). It is the sender's
// statement and never merged. Which of the items it names exist is for the fold to say.
type Belief struct {
	Line        int        // of its fence
	Credences   []Credence // by world; nil without a statement
	Whole       bool       // they sum to 1, and leave nothing over
	Stated      bool       // it has credences, or withdraws them
	Likelihoods []Likelihoods
	Rationale   string
}

// Credence is how likely the sender holds a world: a hypothesis, or none.
type Credence struct {
	World string
	P     float64
}

// Likelihoods are how likely each outcome of a test is in each world. A table without labels has cells: numbers with a
// spread, which the test's quantity reads.
type Likelihoods struct {
	Test   string
	Labels []string
	Rows   []Row
}

// Row holds one number for each label, which sum to 1, or the cell of a table without labels.
type Row struct {
	World string
	P     []float64
	Cell  string
}

// NoneOfThese is the world in which no hypothesis of the slate is right.
const NoneOfThese = "none"

// beliefWord is the first word of a belief block's info string.
const beliefWord = "belief"

// Beliefs reads the belief blocks of a message that exists. Blocks that are invalid are not
// heard; the findings, as warnings, say why. The text is not parsed again where it was checked; nil: it was not.
func Beliefs(m *Message, checked *Report) ([]Belief, []protocol.Finding) {
	if !mentionsBelief(m.Body) || len(m.Subject)+len(m.Body) > artifact.MaxMessageBytes || !utf8.ValidString(m.Body) {
		return nil, nil
	}
	if checked == nil {
		checked = &Report{}
	}
	heard, findings := readBeliefs(checked.DocumentOf(m.Body))
	for i := range findings {
		findings[i] = findings[i].Lowered()
	}
	return heard, findings
}

// mentionsBelief tells whether a text may hold a belief block, without reading its structure.
func mentionsBelief(body string) bool { return opensBelief(body, "`") || opensBelief(body, "~") }

// opensBelief looks for a fence of a character with the word behind it.
func opensBelief(body, char string) bool {
	for {
		at := strings.Index(body, char)
		if at < 0 {
			return false
		}
		rest := strings.TrimLeft(strings.TrimLeft(body[at:], char), " \t")
		if len(rest) >= len(beliefWord) && strings.EqualFold(rest[:len(beliefWord)], beliefWord) {
			return true
		}
		body = rest
	}
}

// beliefs judges the belief blocks of a draft.
func (c *checker) beliefs() {
	heard, findings := readBeliefs(c.doc)
	c.report.Beliefs = heard
	c.report.Findings = append(c.report.Findings, findings...)
}

func readBeliefs(doc *markup.Document) (heard []Belief, findings []protocol.Finding) {
	for i := range doc.Fences() {
		f := &doc.Fences()[i]
		if f.Quoted || f.Language() != beliefWord {
			continue
		}
		r := beliefReader{doc: doc, fence: f}
		b := r.read()
		findings = append(findings, r.findings...)
		if !protocol.HasErrors(r.findings) {
			heard = append(heard, b)
		}
	}
	return heard, findings
}

// beliefReader reads one block.
type beliefReader struct {
	doc      *markup.Document
	fence    *markup.Fence
	places   map[string]int // where in the content the value of a path begins; see at
	findings []protocol.Finding
}

// members are the members of an object. Keys are unique: CheckObject saw to that.
type members map[string]json.RawMessage

func (r *beliefReader) read() Belief {
	b := Belief{Line: r.fence.Line}
	fault, offset, ok := delta.CheckObject(r.fence)
	if !ok {
		f := protocol.NewFinding(protocol.InvalidBelief, "%s", fault.Message).In(fault.Path).At(r.doc.Position(r.fence.Offset(offset)))
		f.Fix, f.Action = fault.Fix, fault.Action
		r.findings = append(r.findings, f)
		return b
	}
	var object members
	_ = json.Unmarshal([]byte(r.fence.Content), &object) // it was read before
	r.keys(object)
	if raw, ok := object["credences"]; ok {
		b.Stated = true
		b.Credences, b.Whole = r.credences(raw)
	}
	if raw, ok := object["likelihoods"]; ok {
		b.Likelihoods = r.likelihoods(raw)
	}
	b.Rationale = r.rationale(object)
	return b
}

// keys looks at the block's own keys.
func (r *beliefReader) keys(object members) {
	_, credences := object["credences"]
	_, likelihoods := object["likelihoods"]
	if !credences && !likelihoods {
		r.invalid("", "The block has neither credences nor likelihoods.")
	}
	for _, key := range sortedKeys(object) {
		if key == "credences" || key == "likelihoods" || key == "rationale" {
			continue
		}
		r.findings = append(r.findings, protocol.NewFinding(protocol.UnknownField, "A belief block has no key %s.", quoted(key)).
			WithFix("Write credences, likelihoods or rationale.").In(key).At(r.at(key)))
	}
}

// rationale is why the sender says so; empty if it does not.
func (r *beliefReader) rationale(object members) string {
	var text *string
	raw, ok := object["rationale"]
	if ok && json.Unmarshal(raw, &text) != nil {
		r.invalid("rationale", "The rationale is no text.")
	}
	if text == nil {
		return ""
	}
	return *text
}

func (r *beliefReader) invalid(path, format string, args ...any) {
	r.findings = append(r.findings, protocol.NewFinding(protocol.InvalidBelief, format, args...).In(path).At(r.at(path)))
}

// sortedKeys orders keys as a reader expects: H2 before H10, then the others.
func sortedKeys(m members) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, artifact.CompareKeys)
	return keys
}
