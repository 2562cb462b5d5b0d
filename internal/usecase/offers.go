package usecase

import "slices"

// Offer says where a use case is offered, and why not elsewhere. Several names are separated by commas.
type Offer struct {
	What     string
	Commands string
	Tools    string
	Routes   string // method and path below /api/v1
	Pages    string
	Why      string // why it is not offered everywhere; empty where nothing is missing, or the gap speaks for itself
}

// Why something is not offered everywhere.
const (
	machine = "it works on this machine: its programs, files, settings or store"
	decides = "a person decides it"
	agents  = "agents need it; a person has the inbox"
	looks   = "a way of looking, not something to ask for"
	files   = "it judges files before anything is stored"
)

// Offers lists every use case: those that are declared, and those whose tools, routes and commands are still written by hand.
func Offers() []Offer {
	list := []Offer{}
	for _, c := range All() {
		list = append(list, c.offer())
	}
	return append(list, written...)
}

// offer tells where a declared use case is offered.
func (c *Case) offer() Offer {
	o := Offer{What: c.About, Commands: c.Command, Tools: c.Tool(), Routes: "GET " + c.Route(), Pages: c.Page, Why: c.Untold}
	if c.Anyhow {
		o.Routes += ", GET /" + c.Name
	}
	if c.Effect != Reads {
		o.Routes = "POST " + c.Route()
	}
	if c.Page == "" && o.Why == "" {
		o.Why = "no page asks it"
	}
	return o
}

var written = []Offer{
	{"Run a command for a test and keep it as evidence.", "result run", "", "", "", machine},
	{"State credences and likelihoods.", "mail send", "brenner_believe, brenner_submit", "POST /messages", "/compose", ""},
	{"Contribute deltas.", "mail send", "brenner_submit, send_message", "POST /messages", "/compose", ""},
	{"Start a session or a further round.", "session start, orchestrate start", "", "POST /sessions", "/start", decides},
	{"List the sessions.", "session list", "brenner_status", "GET /sessions", "/{$}", ""},
	{"Follow the state of a session.", "session watch", "", "GET /events", "/t/{thread}", looks},
	{"How to cite a version.", "artifact cite", "", "", "/t/{thread}/v/{n}", "it is for papers"},
	{"Post repaired deltas of messages that could not be read.", "diagnose", "", "POST /sessions/{thread}/diagnose-fix",
		"/t/{thread}/diagnose", decides},
	{"How ideas descend from each other.", "genealogy", "", "GET /genealogy", "/genealogy",
		"agents cite items of other sessions; a person looks over all"},
	{"Judge a draft.", "validate thread-id, validate subject, validate message, validate delta, validate roster, roster validate",
		"brenner_validate",
		"POST /validate/thread-id, POST /validate/subject, POST /validate/message, POST /validate/delta, POST /validate/quotes, " +
			"POST /validate/roster, POST " +
			"/validate/session", "/compose, /start", ""},
	{"Repair delta blocks.", "delta fix", "", "", "", files},
	{"The sources.", "evidence list, evidence show, evidence search", "brenner_evidence", "",
		"/evidence, /evidence/{id}, /evidence/{id}/figure, /evidence/{id}/file, /evidence/{id}/bib, /sections/{n}",
		"programs read the evidence folder itself"},
	{"Change the evidence pack.", "evidence add, evidence excerpt, evidence mark, evidence retractions, evidence import, evidence " +
		"export, excerpt", "", "POST /evidence, POST /evidence/{id}/mark", "/evidence/add, /evidence/{id}/mark",
		"agents cite sources; a person brings them"},
	{"Send and answer mail.", "mail send, mail reply", "send_message, reply_message", "POST /messages, POST /messages/{id}/reply",
		"/compose, /m/{id}", ""},
	{"Read mail.", "mail inbox, mail read, mail search, thread list, thread show",
		"fetch_inbox, mark_message_read, search_messages, summarize_thread",
		"GET /messages/{id}, POST /messages/{id}/read, GET /agents/{agent}/inbox, GET /search, GET /sessions/{thread}/messages",
		"/inbox, /inbox/{agent}, /m/{id}, /search", ""},
	{"Acknowledge mail.", "mail ack", "acknowledge_message", "POST /messages/{id}/ack", "/m/{id}", ""},
	{"Wait for mail.", "mail wait", "brenner_wait", "GET /events", "", looks},
	{"Who owes acknowledgements.", "acks, acks run-once", "brenner_status", "GET /acks, GET /sessions/{thread}/acks", "/t/{thread}", ""},
	{"Agents.", "mail agents, mail register, mail retire", "register_agent, whois, macro_start_session, macro_prepare_thread",
		"GET /agents", "/inbox", ""},
	{"What agents are doing, and why.", "ps, why", "brenner_agents, brenner_why", "GET /activity, GET /agents/{agent}/why", "/now", ""},
	{"What waits for a person.", "todo", "brenner_todo", "GET /todo", "/now", decides},
	{"Steer a run.", "pause, resume, nudge, restart, run, run edit", "", "POST /sessions/{thread}/run", "/now", decides},
	{"What a run did.", "run transcript, logs", "", "", "/t/{thread}/turns, /t/{thread}/turns/{round}/{agent}", machine},
	{"Projects and leases of agents.", "",
		"health_check, ensure_project, file_reservation_paths, release_file_reservations, renew_file_reservations", "GET ", "", agents},
	{"Rosters and prompts.", "roster show, roster presets, prompt show", "", "GET /roster/presets", "/start", decides},
	{"Reports, crates and checkpoints.", "export, verify, checkpoint, checkpoint cosign", "", "POST /checkpoints/cosign",
		"/t/{thread}/v/{n}/download/{form}", machine},
	{"Threads in and out of the store.", "thread export, thread import, session archive, session unarchive", "", "", "", machine},
	{"The store, tokens and settings.", "init, doctor, config show, backup, restore, store migrate, upgrade-check, audit, token create, " +
		"token list, token revoke, token rotate, connect, disconnect, trust", "", "", "/login", machine},
	{"Programs of agents.", "cockpit start, cockpit attach, cockpit list, cockpit stop, mcp, serve", "", "", "", machine},
	{"Disputes of the history of science.", "dispute list, dispute show, dispute play, dispute score, dispute report, dispute " +
		"site, dispute check", "", "", "", machine},
	{"Ways of looking.", "tui, demo, completion, help, help all, help environment, help exit-codes, help findings, help man, version", "",
		"GET /openapi.json, GET /palette", "", looks},
}

// offered finds the use case of a command.
func offered(command string) Offer {
	for _, o := range Offers() {
		if slices.Contains(Names(o.Commands), command) {
			return o
		}
	}
	return Offer{}
}

// ToolOf is the tool that does what a command does; empty: none does, or several do parts of it.
func ToolOf(command string) string {
	if tools := Names(offered(command).Tools); len(tools) == 1 {
		return tools[0]
	}
	return ""
}

// PageOf is the page where a person does what a command does; empty: there is none.
func PageOf(command string) string {
	if pages := Names(offered(command).Pages); len(pages) > 0 {
		return pages[0]
	}
	return ""
}
