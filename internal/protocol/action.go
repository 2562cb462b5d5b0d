package protocol

import (
	"encoding/json"
	"strings"
)

// Action is what to do about something, as data: an operation with its arguments. The core names it; each surface words it: the
// command line as a command to type, MCP as a call of a tool, pages as a link or a command. Whoever reads data gets it as it is.
type Action struct {
	Do   string // the operation, such as critique.answer; empty: what was asked for, once more
	With Arguments
	Give string  // the field of the request that is to be given beside the arguments, such as round; empty: none
	Then *Action // what comes after it

	words string
}

// Arguments are what an operation is done with. What is absent is left out.
type Arguments struct {
	Thread  string `json:"thread,omitempty"`
	Message int64  `json:"message,omitempty"`
	Agent   string `json:"agent,omitempty"`
	File    string `json:"file,omitempty"`
	Name    string `json:"name,omitempty"`
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
	Crate   string `json:"crate,omitempty"`
	Key     string `json:"key,omitempty"`  // to press in a pane
	Body    bool   `json:"body,omitempty"` // it takes a text
	Gate    bool   `json:"gate,omitempty"`
	Fix     bool   `json:"fix,omitempty"`
	Stop    bool   `json:"stop,omitempty"`
}

// Operation is the action that does something without arguments.
func Operation(do string) Action { return Action{Do: do} }

// OnThread is the action that does something with a thread.
func OnThread(do, thread string) Action { return Action{Do: do, With: Arguments{Thread: thread}} }

// OfAgent is the action that does something with an agent of a thread.
func OfAgent(do, thread, agent string) Action {
	return Action{Do: do, With: Arguments{Thread: thread, Agent: agent}}
}

// Given is the request that failed, once more and with a field beside what it had.
func Given(field string) Action { return Action{Give: field} }

// Giving returns the action with a field that is to be given beside its arguments.
func (a Action) Giving(field string) Action {
	a.Give = field
	return a
}

// Before returns the action with what comes after it.
func (a Action) Before(next Action) Action {
	a.Then = &next
	return a
}

// Command is the operation in the words of the command line, without the program's name: "critique answer".
func (a Action) Command() string { return strings.ReplaceAll(a.Do, ".", " ") }

// Worded returns the action in the words of a surface, which are written instead of the data.
func (a Action) Worded(words string) Action {
	a.words = words
	return a
}

// String is what a surface worded.
func (a Action) String() string { return a.words }

type actionJSON struct {
	Do   string    `json:"do"`
	Args Arguments `json:"args"`
	Give string    `json:"give,omitempty"`
	Then *Action   `json:"then,omitempty"`
}

// MarshalJSON writes the action as data, or the words that a surface found for it.
func (a Action) MarshalJSON() ([]byte, error) {
	if a.words != "" {
		return json.Marshal(a.words)
	}
	return json.Marshal(actionJSON{a.Do, a.With, a.Give, a.Then})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Action) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &a.words)
	}
	var j actionJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*a = Action{Do: j.Do, With: j.Args, Give: j.Give, Then: j.Then}
	return nil
}

// Equal compares actions by what they say.
func (a Action) Equal(b Action) bool {
	then := a.Then == b.Then || a.Then != nil && b.Then != nil && a.Then.Equal(*b.Then)
	return then && a.Do == b.Do && a.With == b.With && a.Give == b.Give && a.words == b.words
}
