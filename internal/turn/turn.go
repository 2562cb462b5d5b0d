package turn

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind says what a step is.
type Kind string

// The kinds of step.
const (
	Prompt  Kind = "prompt"
	Text    Kind = "text"    // what the agent said
	Call    Kind = "call"    // of a tool; Text is its arguments
	Result  Kind = "result"  // of a tool
	Failure Kind = "failure" // of the program or its service
)

// Step is one thing that happened.
type Step struct {
	Kind   Kind   `json:"kind"`
	Tool   string `json:"tool,omitempty"`   // of a call or a result
	Text   string `json:"text"`             // cut where it is very long
	Failed bool   `json:"failed,omitempty"` // the tool refused the call
}

// Usage is what a turn cost, as far as the program says.
type Usage struct {
	InputTokens  int64    `json:"input_tokens"`
	CachedTokens int64    `json:"cached_tokens"` // of the input
	OutputTokens int64    `json:"output_tokens"`
	Dollars      *float64 `json:"dollars"`             // null: the program does not say
	Estimated    bool     `json:"estimated,omitempty"` // in part: a turn that was cut off does not say
}

// Tokens is the sum.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// Add adds what another turn cost.
func (u *Usage) Add(other Usage) {
	u.InputTokens += other.InputTokens
	u.CachedTokens += other.CachedTokens
	u.OutputTokens += other.OutputTokens
	u.Estimated = u.Estimated || other.Estimated
	if other.Dollars != nil {
		sum := *other.Dollars
		if u.Dollars != nil {
			sum += *u.Dollars
		}
		u.Dollars = &sum
	}
}

// Turn is what a program did.
type Turn struct {
	Format string `json:"format"` // claude, codex, gemini, acp; text: the program streams nothing
	Model  string `json:"model"`  // as the program names it; empty: it does not
	Steps  []Step `json:"steps"`
	More   int    `json:"more"`  // steps that are counted only
	Usage  *Usage `json:"usage"` // null: the program does not say

	Session string `json:"session,omitempty"` // by which the program knows it; empty: it does not say

	limits   []limitFact
	retry    *Retry            // its service has refused it, and it has not got further since
	barred   string            // what its service said when it did not know it
	answers  map[string]Usage  // of its service since the program last summed up, by their ids
	counted  int               // steps before the program last summed up
	calls    map[string]string // names of tools by the id of the call
	opened   map[string]int    // steps of calls by their ids, where a call comes in pieces
	counting acpCounting
	bytes    int
	partial  *strings.Builder // pieces of a text that is not over
}

// The bounds of what is kept of a turn.
const (
	maxSteps = 2000
	maxText  = 1 << 20
	maxBytes = 16 << 20
	maxWord  = 200 // of names
)

// add keeps a step, as far as there is room.
func (t *Turn) add(s Step) {
	t.settle()
	t.keep(s)
}

func (t *Turn) keep(s Step) {
	s.Text, s.Tool = cut(clean(s.Text), maxText), cut(clean(s.Tool), maxWord)
	if strings.TrimSpace(s.Text) == "" && s.Kind != Call && s.Kind != Result {
		return
	}
	if len(t.Steps) == maxSteps || t.bytes+len(s.Text) > maxBytes {
		t.More++
		return
	}
	t.bytes += len(s.Text)
	t.Steps = append(t.Steps, s)
}

// say adds a piece of what the agent says: streams and plain outputs come in pieces.
func (t *Turn) say(text string) {
	if t.partial.Len()+len(text) > maxText {
		t.settle()
	}
	t.partial.WriteString(text)
}

// settle makes a step of the pieces so far.
func (t *Turn) settle() {
	if t.partial.Len() > 0 {
		text := t.partial.String()
		t.partial.Reset()
		t.keep(Step{Kind: Text, Text: text})
	}
}

// Said is everything that the agent said, in order.
func (t *Turn) Said() string {
	var parts []string
	for _, s := range t.Steps {
		if s.Kind == Text {
			parts = append(parts, s.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// FailedCalls are the calls of tools that were refused, in order.
func (t *Turn) FailedCalls() []Step {
	var list []Step
	for _, s := range t.Steps {
		if s.Kind == Result && s.Failed {
			list = append(list, s)
		}
	}
	return list
}

// LastWords is the last thing that was said or went wrong, on one line.
func (t *Turn) LastWords() string {
	const maxWords = 300
	for _, s := range slices.Backward(t.Steps) {
		if s.Kind == Text || s.Kind == Failure {
			text := strings.TrimSpace(s.Text)
			return cut(strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:]), maxWords)
		}
	}
	return ""
}

// clean makes text that every store and page can hold.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "�"), "\x00", "�")
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "…"
}
