package api

import "slices"

// routes is the whole API, one line for each address.
func routes() []route {
	return slices.Concat([]route{
		get("", "What this is, and what it may do for the caller.", (*API).welcome),
		{method: "GET", path: "/openapi.json", about: "This document.", handle: (*API).serveDocument, media: "application/json"},
		{method: "GET", path: "/events", about: "What happens, as server-sent events; the id of an event is where to go on after it.",
			in: eventsType, handle: (*API).serveEvents, media: "text/event-stream"},

		get("/sessions", "Sessions, most recently active first.", (*API).listSessions),
		post(governs, "/sessions", "Start a session, or a further round of one: one KICKOFF for each recipient. dry_run sends nothing.",
			(*API).start),
		get("/sessions/{thread}/messages", "The messages of a thread, a page at a time.", (*API).listMessages),
		get("/sessions/{thread}/acks", "Who owes which acknowledgement on a thread.", (*API).listThreadAcks),
		post(governs, "/sessions/{thread}/run", "Tell the run of a session to go on (also at a gate), to pause or to stop.",
			(*API).tellRun),
		post(governs, "/sessions/{thread}/diagnose-fix", "Post repaired deltas of messages that could not be read. dry_run posts nothing.",
			(*API).repair),

		post(acts, "/messages", "Send a message.", (*API).send),
		get("/messages/{id}", "One message, as the caller may see it.", (*API).showMessage),
		post(acts, "/messages/{id}/reply", "Answer a message on its thread.", (*API).replyTo),
		post(acts, "/messages/{id}/read", "Mark a message as read.", (*API).markRead),
		post(acts, "/messages/{id}/ack", "Acknowledge a message; with a body, in an ACK message.", (*API).acknowledge),

		post(governs, "/evidence", "Add a file to the evidence pack. The same bytes again give the source that has them.",
			(*API).addSource),
		post(governs, "/evidence/{id}/mark", "Say where a source stands: current, corrected, retracted or superseded.",
			(*API).markSource),

		get("/activity", "What every agent is doing now, as far as this machine can tell.", (*API).listActivity),
		get("/todo", "Everything that waits for the operator, the most urgent first.", (*API).listToDos),
		get("/agents", "The agents of the project.", (*API).listAgents),
		get("/agents/{agent}/why", "What an agent is doing, and why that is believed.", (*API).why),
		get("/agents/{agent}/inbox", "What an agent received, newest first. Looking changes nothing.", (*API).showInbox),
		get("/acks", "Who owes which acknowledgement.", (*API).listAcks),
		get("/search", "Messages by their words.", (*API).search),
		get("/genealogy", "How ideas descend from each other across sessions.", (*API).showGenealogy),
		get("/roster/presets", "The presets of the project and the built-in ones.", (*API).listPresets),
		get("/palette", "Places to go to that match a few letters.", (*API).listPlaces),

		post(judges, "/checkpoints/cosign",
			"Witness a colleague's checkpoint: it is signed if its journal is one that is witnessed here and it continues the last one.",
			(*API).cosign),
		post(judges, "/validate/thread-id", "Judge a thread id.", (*API).judgeThreadID),
		post(judges, "/validate/subject", "Judge a subject line and tell its type.", (*API).judgeSubject),
		post(judges, "/validate/message", "Judge a message as it would be at the door, and send nothing.", (*API).judgeMessage),
		post(judges, "/validate/delta", "Judge the delta blocks in a body.", (*API).judgeDelta),
		post(judges, "/validate/quotes", "Compare the quotations of a draft with the sources that they cite.", (*API).judgeQuotes),
		post(judges, "/validate/roster", "Judge a roster.", (*API).judgeRoster),
		post(judges, "/validate/session", "Judge what would start a session, and start nothing.", (*API).judgeStart),
	}, declaredRoutes())
}

// Addresses lists the routes, each as method and path below /api/v1.
func Addresses() []string {
	var list []string
	for _, rt := range routes() {
		list = append(list, rt.method+" "+rt.path)
	}
	return list
}
