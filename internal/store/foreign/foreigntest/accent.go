package foreigntest

// Accent is how another server speaks, within what the contract leaves open.
type Accent struct {
	Name     string
	lists    string // how arrays are structured content: result (the contract), array, messages, text (none at all)
	events   bool   // answers come as a stream of events
	stringly bool   // numbers and flags as text, one name instead of a list, times without a zone
	sparse   bool   // optional fields are left out
	bodiless bool   // lists never show texts
	sessions bool   // every call belongs to a session, and sessions are forgotten now and then
	bare     bool   // knows no handshake, and says so with a status
	unlisted bool   // does not list its agents as a resource
	mute     bool   // does not tell what a message answers
}

// Accents are the ways in which servers are known to speak; the first is that of the contract.
func Accents() []Accent {
	return []Accent{
		{Name: "by the contract", lists: "result"},
		{Name: "arrays", lists: "array"},
		{Name: "objects", lists: "messages"},
		{Name: "text alone", lists: "text"},
		{Name: "events", lists: "result", events: true},
		{Name: "numbers as text", lists: "array", stringly: true},
		{Name: "few words", lists: "result", sparse: true},
		{Name: "lists without texts", lists: "result", bodiless: true},
		{Name: "sessions", lists: "result", sessions: true},
		{Name: "no handshake", lists: "text", bare: true},
		{Name: "no list of agents", lists: "result", unlisted: true},
		{Name: "no word of what is answered", lists: "result", mute: true},
		{Name: "all of it", lists: "text", events: true, stringly: true, sparse: true, bodiless: true, sessions: true, unlisted: true,
			mute: true},
	}
}

// Mute tells whether the server does not say what a message answers.
func (a Accent) Mute() bool { return a.mute }

// Listing is the accent with a list of agents, which finding threads without knowing their names needs.
func (a Accent) Listing() Accent {
	a.unlisted = false
	return a
}
