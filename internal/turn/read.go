package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// maxOutput is how much of an output is read.
const maxOutput = 32 << 20

// Read reads the output of a program. Whatever it is, a turn comes of it: lines that belong to no known stream
// are what the agent said.
func Read(r io.Reader) (Turn, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxOutput))
	return Of(data), err
}

// Of reads an output that is at hand.
func Of(data []byte) Turn {
	t := begin()
	if t.whole(data) {
		t.settle()
		return t
	}
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		data = rest
		t.line(line)
	}
	t.settle()
	return t
}

func begin() Turn {
	return Turn{Format: "text", Steps: []Step{}, calls: map[string]string{}, opened: map[string]int{}, answers: map[string]Usage{},
		partial: &strings.Builder{}}
}

func (t *Turn) line(line []byte) {
	if !t.event(line) {
		t.plain(line)
	}
}

// plain is a line of text. Once a program streams, what is no event of the stream is noise of its own.
func (t *Turn) plain(line []byte) {
	if t.Format == "text" {
		t.say(string(line) + "\n")
	}
}

// event is one line of any of the streams. The names of their types do not clash but for error and result,
// which are told apart by what they hold.
type event struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	Model   string `json:"model"`

	// Claude Code
	Message json.RawMessage `json:"message"` // an object; with the others a text
	Answer  json.RawMessage `json:"result"`
	IsError bool            `json:"is_error"`
	Dollars *float64        `json:"total_cost_usd"`
	Usage   *usage          `json:"usage"` // Codex too
	Status  json.RawMessage `json:"api_error_status"`
	Limit   *rateLimit      `json:"rate_limit_info"`
	OfAPI   bool            `json:"is_api_error_message"` // no word of the agent, but of its service
	Session string          `json:"session_id"`           // Gemini too
	Attempt int             `json:"attempt"`              // of a retry
	Most    int             `json:"max_retries"`
	Refused int             `json:"error_status"` // of HTTP

	// Codex
	Thread string          `json:"thread_id"`
	Item   *item           `json:"item"`
	Error  json.RawMessage `json:"error"` // Gemini too

	// Gemini
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Tool       string          `json:"tool_name"`
	ToolID     string          `json:"tool_id"`
	Parameters json.RawMessage `json:"parameters"`
	Outcome    string          `json:"status"`
	Output     json.RawMessage `json:"output"`
	Stats      *usage          `json:"stats"`

	// the Agent Client Protocol
	Text   string          `json:"text"`
	Update json.RawMessage `json:"update"`
	Stop   string          `json:"stop"`
	Code   int             `json:"code"`
}

// usage has the names of all of them.
type usage struct {
	Input         int64 `json:"input_tokens"`
	Output        int64 `json:"output_tokens"`
	CacheRead     int64 `json:"cache_read_input_tokens"`     // Claude: beside the input
	CacheCreation int64 `json:"cache_creation_input_tokens"` // Claude: beside the input
	CachedInput   int64 `json:"cached_input_tokens"`         // Codex: of the input
	Cached        int64 `json:"cached"`                      // Gemini: of the input

	// of endpoints that are compatible with OpenAI's, whose answers scripts pass on
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Details    struct {
		Cached int64 `json:"cached_tokens"` // of the input
	} `json:"prompt_tokens_details"`
}

func (t *Turn) spent(u *usage) {
	if u == nil {
		return
	}
	if t.Usage == nil {
		t.Usage = &Usage{}
	}
	t.Usage.Add(u.usage())
	t.settle()
	t.counted = len(t.Steps)
	clear(t.answers) // they are in the sum
	t.counting = acpCounting{}
}

func (u *usage) usage() Usage {
	return Usage{
		InputTokens:  natural(u.Input) + natural(u.CacheRead) + natural(u.CacheCreation) + natural(u.Prompt),
		OutputTokens: natural(u.Output) + natural(u.Completion),
		CachedTokens: natural(u.CacheRead) + natural(u.CachedInput) + natural(u.Cached) + natural(u.Details.Cached),
	}
}

// natural keeps a number that a program made up from moving a sum back or over its end.
func natural(n int64) int64 { return max(0, min(n, 1<<40)) }

// event reads a line of a stream; false: it is none.
func (t *Turn) event(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return len(line) == 0 && t.Format != "text"
	}
	var e event
	err := json.Unmarshal(line, &e)
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !odd || e.Type == "" {
		return false // a value of another type than expected is left out, the rest is read
	}
	switch {
	case t.told(&e), t.acp(&e), t.claude(&e), t.codex(&e), t.gemini(&e):
		return true
	}
	return t.Format != "text"
}

// told reads the line with which a program that only prints says what it used:
//
//	{"type": "usage", "usage": {"input_tokens": 900, "output_tokens": 40}}
func (t *Turn) told(e *event) bool {
	if e.Type != "usage" || e.Usage == nil || t.Format != "text" {
		return false
	}
	t.settle()
	t.spent(e.Usage)
	t.Model = cut(clean(orElse(e.Model, t.Model)), maxWord)
	if e.Dollars != nil && *e.Dollars >= 0 {
		t.Usage.Add(Usage{Dollars: e.Dollars})
	}
	return true
}

// Tells tells whether a line is one with which a program says what it used.
func Tells(line string) bool {
	t := begin()
	t.line([]byte(line))
	return t.Usage != nil
}

// whole reads an output that is one JSON object, as --output-format json of Gemini prints it.
func (t *Turn) whole(data []byte) bool {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return false
	}
	var o struct {
		Type     string          `json:"type"`
		Response *string         `json:"response"`
		Error    json.RawMessage `json:"error"`
		Stats    *struct {
			Models map[string]struct {
				Tokens struct {
					Prompt     int64 `json:"prompt"`
					Candidates int64 `json:"candidates"`
					Cached     int64 `json:"cached"`
				} `json:"tokens"`
			} `json:"models"`
		} `json:"stats"`
	}
	if json.Unmarshal(data, &o) != nil || o.Type != "" || o.Response == nil && o.Error == nil {
		return false
	}
	t.Format = "gemini"
	if o.Response != nil {
		t.add(Step{Kind: Text, Text: *o.Response})
	}
	t.failure(messageOf(o.Error))
	if o.Stats != nil {
		for model, m := range o.Stats.Models {
			t.Model = cut(clean(model), maxWord)
			t.spent(&usage{Input: m.Tokens.Prompt, Output: m.Tokens.Candidates, Cached: m.Tokens.Cached})
		}
	}
	return true
}

// failure is something that the program says went wrong. Streams say it several times.
func (t *Turn) failure(text string) {
	t.settle()
	for _, s := range t.Steps {
		if s.Kind == Failure && s.Text == cut(clean(text), maxText) {
			return
		}
	}
	t.add(Step{Kind: Failure, Text: text})
}

// messageOf is the text of an error: a string, or an object with a message.
func messageOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var o struct {
		Message string `json:"message"`
		Type    string `json:"type"`
	}
	if json.Unmarshal(raw, &o) == nil {
		return o.Message
	}
	return ""
}

// textOf is what a tool answered: a string, a list of parts with texts, or whatever JSON it is.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) == nil {
		var texts []string
		for _, p := range parts {
			if p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
		if len(texts) > 0 {
			return strings.Join(texts, "\n")
		}
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}
