package protocol

import "encoding/json"

// Action is what to do about something, as data: an operation with its arguments. The core names it; each surface words it: the
// command line as a command to type, pages as a link or a button. Whoever reads data gets it as it is.
type Action struct {
	Do   string // the operation, such as critique.answer; empty: there is nothing to do
	With Arguments
	Then *Action // what comes after it

	words string
}

// Arguments are what an operation is done with. What is absent is left out.
type Arguments struct {
	Thread  string `json:"thread,omitempty"`
	Message int64  `json:"message,omitempty"`
	Agent   string `json:"agent,omitempty"`
	File    string `json:"file,omitempty"`
	From    string `json:"from,omitempty"`
	Crate   string `json:"crate,omitempty"`
	Body    bool   `json:"body,omitempty"` // it takes a text
	Gate    bool   `json:"gate,omitempty"`
	Fix     bool   `json:"fix,omitempty"`
}

// Worded returns the action in the words of a surface, which are written instead of the data.
func (a Action) Worded(words string) Action {
	a.words = words
	return a
}

// String is what a surface worded.
func (a Action) String() string { return a.words }

// MarshalJSON writes the action as data, or the words that a surface found for it.
func (a Action) MarshalJSON() ([]byte, error) {
	if a.words != "" {
		return json.Marshal(a.words)
	}
	return json.Marshal(struct {
		Do   string    `json:"do"`
		Args Arguments `json:"args"`
		Then *Action   `json:"then,omitempty"`
	}{a.Do, a.With, a.Then})
}
