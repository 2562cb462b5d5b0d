package api_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/api"
	"brenner/internal/protocol"
)

// row is a request and what must come back.
type row struct {
	name   string
	method string // empty: POST with a body, else GET
	path   string // behind /api/v1; {T} is the thread
	body   string
	header []string
	status int    // 0: 200
	code   string // of the error
	wants  []string
}

func (r row) request() (method, path string) {
	method = r.method
	if method == "" {
		method = http.MethodGet
		if r.body != "" {
			method = http.MethodPost
		}
	}
	return method, "/api/v1" + strings.ReplaceAll(r.path, "{T}", "/sessions/"+thread)
}

func (r row) run(t *testing.T, p *project, d *description) {
	t.Helper()
	method, path := r.request()
	a := p.do(t, method, path, r.body, r.header...)
	want := r.status
	if want == 0 {
		want = http.StatusOK
	}
	if a.status != want {
		t.Fatalf("%s %s: status %d, want %d\n%s", method, path, a.status, want, a.body)
	}
	if kind := a.header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s %s: Content-Type %q", method, path, kind)
	}
	if want != http.StatusOK {
		f := decode[failed](t, a)
		if f.OK || f.Error.Message == "" || f.Error.Findings == nil || r.code != "" && f.Error.Code != r.code {
			t.Errorf("%s %s: want the code %s with message and findings, got\n%s", method, path, r.code, a.body)
		}
	}
	for _, text := range r.wants {
		if !strings.Contains(string(a.body), text) {
			t.Errorf("%s %s: the answer lacks %s\n%s", method, path, text, a.body)
		}
	}
	d.check(t, method, path, a)
}

var roster = `[{"agentName":"BlueLake","role":"hypothesis_generator"},{"agentName":"RedSky","role":"adversarial_critic"}]`

var readings = []row{
	{name: "welcome", path: "", wants: []string{`"lab":true`, `"agent":"Operator"`, `"may_write":true`}},
	{name: "welcome of an agent", path: "", header: []string{"Test-Caller", "RedSky"}, wants: []string{`"agent":"RedSky"`}},
	{name: "sessions", path: "/sessions", wants: []string{`"next":null`, thread}},
	{name: "sessions of a phase", path: "/sessions?phase=complete,kickoff", wants: []string{`"sessions":[]`}},
	{name: "sessions of an agent", path: "/sessions?agent=redsky&q=TURN&phase=collecting", wants: []string{thread}},
	{name: "sessions of a stranger", path: "/sessions?agent=Nobody", wants: []string{`"sessions":[]`}},
	{name: "session", path: "{T}", wants: []string{`"phase":"collecting"`, `"latest_version":1`, `"pending_deltas":1`}},
	{name: "no session", path: "/sessions/RS-20260110-nothing-here", status: 404, code: "NOT_FOUND"},
	{name: "thread id with a slash", path: "/sessions/a%2Fb", status: 404, code: "NOT_FOUND"},
	{name: "results", path: "{T}/results", wants: []string{`"results":[]`, `"thread_id":"` + thread}},
	{name: "predictions", path: "{T}/predictions", wants: []string{`"predictions":[]`, `"counts":{`}},
	{name: "beliefs", path: "{T}/beliefs", wants: []string{`"worlds":[`, `"entropy_bits":`}},
	{name: "next", path: "{T}/next?by=bits", wants: []string{`"first":[`, `"tests":[]`}},
	{name: "next by what is not there", path: "{T}/next?by=luck", status: 400, code: "USAGE",
		wants: []string{`by is effort or bits, not \"luck\"`, `"path":"by"`}},
	{name: "what if nothing", path: "{T}/whatif", status: 400, code: "USAGE", wants: []string{"outcomes is missing"}},
	{name: "what if nonsense", path: "{T}/whatif?outcomes=T1", status: 400, code: "USAGE", wants: []string{"is not TEST=OUTCOME"}},
	{name: "what if no test", path: "{T}/whatif?outcomes=T9=kept,%20late", status: 404, code: "NOT_FOUND"},
	{name: "calibration", path: "{T}/calibration?by=family", wants: []string{`"rows":[]`}},
	{name: "calibration of all", path: "/calibration", wants: []string{`"rows":[]`}},
	{name: "signs", path: "{T}/signs", wants: []string{`"session":{"agent":null,`, `"uptake":null`}},
	{name: "review", path: "{T}/review", wants: []string{`"state":`, `"debt":{`}},
	{name: "quotes", path: "{T}/evidence", wants: []string{`"quotes":[`}},
	{name: "support", path: "{T}/support", wants: []string{`"support":"`}},
	{name: "messages", path: "{T}/messages?limit=2", wants: []string{`"more":true`, `"type":"KICKOFF"`}},
	{name: "messages backwards", path: "{T}/messages?order=newest&limit=1&before=7", wants: []string{`"id":6`, `"more":true`}},
	{name: "messages of a type", path: "{T}/messages?type=compiled", wants: []string{`"version":1`, `"more":false`}},
	{name: "messages in no order", path: "{T}/messages?order=best", status: 400, code: "USAGE"},
	{name: "messages of no type", path: "{T}/messages?type=GOSSIP", status: 400, code: "USAGE"},
	{name: "artifact", path: "{T}/artifact", wants: []string{`"hypothesis_slate"`, "Gravity pulls them"}},
	{name: "artifact as Markdown", path: "{T}/artifact?format=md&version=1", wants: []string{`"markdown":"---\n`}},
	{name: "artifact in no format", path: "{T}/artifact?format=pdf", status: 400, code: "USAGE"},
	{name: "no version", path: "{T}/artifact?version=7", status: 404, code: "NOT_FOUND"},
	{name: "history", path: "{T}/history", wants: []string{`"version":1`, `"compiled_by":"Operator"`}},
	{name: "diff", path: "{T}/diff?from=0&to=1", wants: []string{`"from":0`, `"to":1`, `"id":"H1"`}},
	{name: "diff of nothing", path: "{T}/diff?from=0&to=9", status: 404, code: "NOT_FOUND"},
	{name: "diff of a word", path: "{T}/diff?from=v1", status: 400, code: "USAGE", wants: []string{`"path":"from"`}},
	{name: "blame", path: "{T}/blame?item=H1.name", wants: []string{`"agent":"BlueLake"`, `"message_id":3`}},
	{name: "blame of a version", path: "{T}/blame?item=H1.name&version=1", wants: []string{`"agent":"BlueLake"`, `"message_id":3`}},
	{name: "blame of no item", path: "{T}/blame?item=H9&version=1", status: 404, code: "NOT_FOUND"},
	{name: "lint", path: "{T}/lint", wants: []string{`"valid":false`, `"checklist"`}},
	{name: "diagnosis", path: "{T}/diagnose?fix=true", wants: []string{`"fixes":[{"message_id":7`}},
	{name: "the prompt of a turn", path: "{T}/ask/redsky", wants: []string{`"agent":"RedSky"`, `"prompt":"You are RedSky in`}},
	{name: "the prompt of a stranger", path: "{T}/ask/Nobody", status: 404, code: "NOT_FOUND"},
	{name: "critiques", path: "{T}/critiques", wants: []string{`"state":"open"`, `"message_id":5`}},
	{name: "critique", path: "/critiques/5", wants: []string{`"body_md":"# Critique`}},
	{name: "no critique", path: "/critiques/3", status: 404, code: "NOT_FOUND"},
	{name: "acks of a thread", path: "{T}/acks", wants: []string{`"agent":"BlueLake"`}},
	{name: "acks", path: "/acks?agent=RedSky&from=Operator", wants: []string{`"agent":"RedSky"`, `"type":"KICKOFF"`}},
	{name: "acks of a stranger", path: "/acks?agent=Nobody", status: 404, code: "UNKNOWN_AGENT"},
	{name: "message", path: "/messages/3", wants: []string{`"id":3`, `"type":"DELTA"`}},
	{name: "no message", path: "/messages/999", status: 404, code: "NOT_FOUND"},
	{name: "no number", path: "/messages/three", status: 400, code: "USAGE"},
	{name: "hidden recipient, for itself", path: "/messages/8", wants: []string{`"bcc":["Operator"]`}},
	{name: "hidden recipient, for another", path: "/messages/8", header: []string{"Test-Caller", "RedSky"}, wants: []string{`"bcc":[]`}},
	{name: "activity", path: "/activity", wants: []string{`"agent":"BlueLake"`, `"cpu_percent":null`, `"quiet":0`}},
	{name: "activity of a session", path: "/activity?thread=" + thread, wants: []string{`"agent":"RedSky"`, `"last_line":""`}},
	{name: "activity of nothing", path: "/activity?thread=RS-20260110-nothing-here", status: 404, code: "NOT_FOUND"},
	{name: "what waits", path: "/todo", wants: []string{`"kind":"repair"`, `"command":{"do":"diagnose","args":{"thread":"` + thread +
		`","fix":true}}`}},
	{name: "what waits in nothing", path: "/todo?thread=RS-20260110-nothing-here", status: 404, code: "NOT_FOUND"},
	{name: "agents", path: "/agents?retired=false", wants: []string{"BlueLake", "RedSky", "Operator"}},
	{name: "agents and what they do", path: "/agents?liveness=true", wants: []string{`"liveness":[{"agent":"BlueLake","state":"`}},
	{name: "why", path: "/agents/bluelake/why", wants: []string{`"agent":"BlueLake"`, `"evidence":[`, `"next_step"`}},
	{name: "why a stranger", path: "/agents/Nobody/why", status: 404, code: "UNKNOWN_AGENT"},
	{name: "inbox", path: "/agents/operator/inbox?limit=1", wants: []string{`"agent":"Operator"`, `"count":1`, `"more":true`}},
	{name: "inbox of what is owed", path: "/agents/RedSky/inbox?owed=true&unread=true&urgent=false&type=KICKOFF",
		wants: []string{`"count":1`}},
	{name: "inbox of what is late", path: "/agents/RedSky/inbox?overdue=true", wants: []string{`"count":0`}},
	{name: "inbox of a stranger", path: "/agents/Nobody/inbox", status: 404, code: "UNKNOWN_AGENT"},
	{name: "own inbox", path: "/agents/RedSky/inbox", header: []string{"Test-Caller", "redsky"}, wants: []string{`"agent":"RedSky"`}},
	{name: "inbox of another", path: "/agents/BlueLake/inbox", header: []string{"Test-Caller", "RedSky"}, status: 403, code: "NOT_ALLOWED"},
	{name: "search", path: "/search?q=gravity+AND+pulls&type=DELTA", wants: []string{`"count":1`, `"id":3`}},
	{name: "search for nothing", path: "/search?q=", status: 422, code: "INVALID_INPUT"},
	{name: "genealogy", path: "/genealogy", wants: []string{`"nodes"`}},
	{name: "genealogy of nothing", path: "/genealogy?focus=RS-20260110-nothing-here", status: 404, code: "NOT_FOUND"},
	{name: "presets", path: "/roster/presets", wants: []string{`"id":"default-3-agent"`, `"built_in":true`}},
	{name: "palette", path: "/palette", wants: []string{`"url":"/"`, "/t/" + thread, "/inbox/BlueLake"}},
	{name: "palette with a word", path: "/palette?q=GRAVITY", wants: []string{"/t/" + thread + "/v/1#H1", `"kind":"search"`}},

	{name: "unknown address", path: "/nonsense", status: 404, code: "NOT_FOUND"},
	{name: "unknown parameter", path: "/sessions?lmit=1", status: 400, code: "USAGE", wants: []string{`"path":"lmit"`, "UNKNOWN_FIELD"}},
	{name: "parameter twice", path: "/sessions?limit=1&limit=2", status: 400, code: "USAGE"},
	{name: "negative number", path: "/sessions?limit=-1", status: 400, code: "USAGE", wants: []string{`"path":"limit"`}},
	{name: "wrong method", method: "DELETE", path: "/messages/3", status: 405, code: "USAGE"},
	{name: "wrong method on a write", method: "GET", path: "/messages", status: 405, code: "USAGE"},
	{name: "text that is not UTF-8", path: "/search?q=%ff", status: 400, code: "USAGE", wants: []string{"INVALID_ENCODING"}},
}

var judgements = []row{
	{name: "session after", path: "/validate/session", body: `{"after":"` + thread + `","slug":"cells-turn-again"}`,
		wants: []string{`"to":"RedSky"`, "## Earlier Session"}},
	{name: "cosign", path: "/checkpoints/cosign", body: `{"note":"x","proofs":[{"from":1,"hashes":["aa"]}]}`,
		wants: []string{`"signatures":["signed x"]`, `"from":1`}},
	{name: "thread id", path: "/validate/thread-id", body: `{"value":"` + thread + `"}`,
		wants: []string{`"valid":true`, `"kind":"research"`}},
	{name: "bad thread id", path: "/validate/thread-id", body: `{"value":"RS-x"}`,
		wants: []string{`"valid":false`, "INVALID_RS_THREAD_ID"}},
	{name: "subject", path: "/validate/subject", body: `{"value":"DELTA[gpt]: One way"}`,
		wants: []string{`"type":"DELTA"`, `"shorthand":"gpt"`}},
	{name: "bad subject", path: "/validate/subject", body: `{"value":"hello"}`, wants: []string{`"valid":false`, `"type":null`}},
	{
		name: "message", path: "/validate/message",
		body: `{"from":"BlueLake","to":["Operator"],"thread_id":"` + thread + `","subject":"DELTA[human]: x","body_md":` +
			quote(hypothesis("Heat")) + `}`,
		wants: []string{`"valid":true`, `"accepted":1`},
	},
	{
		name: "message that breaks rules", path: "/validate/message",
		body:  `{"to":["BlueLake"],"thread_id":"` + thread + `","subject":"DELTA[human]: x","body_md":"nothing"}`,
		wants: []string{`"valid":false`, "MB-004"},
	},
	{name: "message to nobody", path: "/validate/message", body: `{"to":["Nobody"],"subject":"INFO: x","body_md":"y"}`,
		wants: []string{"UNKNOWN_AGENT", `"path":"to"`}},
	{name: "message without anything", path: "/validate/message", body: `{}`, wants: []string{`"valid":false`, `"path":"to"`}},
	{name: "quotes", path: "/validate/quotes", body: `{"body_md":"As EV-007 says, \"the dish turns by itself in the dark\"."}`,
		wants: []string{`"quotes":[`, `"counts":{`}},
	{name: "delta", path: "/validate/delta", body: `{"body_md":` + quote(hypothesis("Heat")) + `}`,
		wants: []string{`"valid":true`, `"accepted":1`}},
	{name: "bad delta", path: "/validate/delta", body: `{"body_md":"no delta"}`, wants: []string{`"valid":false`}},
	{name: "roster", path: "/validate/roster", body: `{"roster":` + roster + `,"recipients":["BlueLake"]}`,
		wants: []string{`"valid":true`}},
	{name: "roster object", path: "/validate/roster", body: `{"roster":{"entries":` + roster + `,"mode":"unified"}}`,
		wants: []string{`"mode":"unified"`}},
	{name: "bad roster", path: "/validate/roster", body: `{"roster":[{"agentName":"A","role":"king"}]}`,
		wants: []string{`"valid":false`, "INVALID_ROLE", `"path":"roster[0].role"`}},
	{name: "no roster", path: "/validate/roster", body: `{}`, wants: []string{`"valid":false`}},
	{
		name: "start", path: "/validate/session",
		body:  `{"question":"Why do cells turn left?","context":"They do. Nobody knows why.","roster":` + roster + `}`,
		wants: []string{`"valid":true`, `"to":"BlueLake"`, "cells-turn-left"},
	},
	{name: "start without a question", path: "/validate/session", body: `{"roster":` + roster + `}`,
		wants: []string{`"valid":false`, `"path":"question"`, `"path":"context"`}},
	{name: "start without a roster", path: "/validate/session", body: `{"question":"Why?","context":"So."}`,
		wants: []string{`"valid":false`}},
	{name: "start of what exists", path: "/validate/session", body: `{"question":"Why?","context":"So.","thread_id":"` + thread +
		`","roster":` + roster + `}`, wants: []string{`"valid":false`, "CONFLICT"}},
	{name: "dry start", path: "/sessions", body: `{"question":"Why do cells turn left?","context":"They do.","roster":` + roster +
		`,"dry_run":true}`, wants: []string{`"dry_run":true`, `"id":null`}},
	{name: "dry start by address", path: "/sessions?dry_run=true",
		body: `{"question":"Why do cells turn left?","context":"They do.","roster":` + roster + `}`, wants: []string{`"dry_run":true`}},
	{name: "dry start without a question", path: "/sessions", body: `{"roster":` + roster + `,"dry_run":true}`, status: 422,
		code: "VALIDATION_FAILED", wants: []string{`"path":"question"`}},
	{name: "dry compile", path: "{T}/compile", body: `{"dry_run":true}`,
		wants: []string{`"dry_run":true`, `"new_version":false`, `"markdown":"---`, `"applied":1`}},
	{name: "dry compile, strictly", path: "{T}/compile", body: `{"dry_run":true,"strict":true}`, status: 422, code: "VALIDATION_FAILED"},
	{name: "what an answer of a chat would become", path: "{T}/ask",
		wants: []string{`"rejected":1`, `"message_id":0`, `"mend":"Your answer`},
		body:  `{"as":"RedSky","dry_run":true,"answer":"` + "```delta\\n{}\\n```" + `"}`},
	{name: "dry repair", path: "{T}/diagnose-fix", body: `{"dry_run":true}`, wants: []string{`"posted_as":null`}},
}

// writes come in an order: each may build on those before it.
var writes = []row{
	{name: "start", path: "/sessions", body: `{"question":"Why do cells stop?","context":"They ` +
		`do.","slug":"cells-stop-turning","preset":"default-3-agent","to":["A","B","C"]}`,
		wants: []string{"cells-stop-turning", `"role":"test_designer"`}},
	{name: "start again", path: "/sessions", body: `{"question":"Why?","context":"So.","thread_id":"` + thread + `","roster":` + roster +
		`}`, status: 409, code: "CONFLICT"},
	{name: "start with a roster that is none", path: "/sessions", body: `{"question":"Why?","context":"So.","roster":7}`, status: 422,
		code: "VALIDATION_FAILED", wants: []string{`"path":"roster"`}},
	{name: "further round", path: "/sessions", body: `{"thread_id":"` + thread + `","round":2,"focus":"Answer the critique"}`,
		wants: []string{`"to":"RedSky"`}},
	{name: "send", path: "/messages", body: `{"from":"RedSky","to":["BlueLake"],"thread_id":"` + thread +
		`","subject":"INFO: Seen","body_md":"# Seen\n\nAll of it.","importance":"high"}`,
		wants: []string{`"type":"INFO"`, `"findings":[]`}},
	{name: "send what is refused", path: "/messages", body: `{"to":["BlueLake"],"thread_id":"` + thread +
		`","subject":"DELTA[human]: x","body_md":"nothing"}`, status: 422, code: "VALIDATION_FAILED",
		wants: []string{"MB-004", `"receipt":{"found":0`}},
	{name: "send to nobody", path: "/messages", body: `{"to":["Nobody"],"subject":"INFO: x","body_md":"y"}`, status: 404,
		code: "UNKNOWN_AGENT"},
	{name: "send as nobody", path: "/messages", body: `{"from":"Nobody","to":["BlueLake"],"subject":"INFO: x","body_md":"y"}`, status: 404,
		code: "UNKNOWN_AGENT"},
	{name: "send with no such importance", path: "/messages",
		body: `{"to":["BlueLake"],"subject":"INFO: x","body_md":"y","importance":"huge"}`, status: 400, code: "USAGE",
		wants: []string{`"path":"importance"`}},
	{name: "reply", path: "/messages/8/reply", body: `{"as":"RedSky","body_md":"I did."}`, wants: []string{`"thread_id":"8"`}},
	{name: "reply to nothing", path: "/messages/999/reply", body: `{"body_md":"x"}`, status: 404, code: "NOT_FOUND"},
	{name: "read", path: "/messages/1/read", body: `{"as":"BlueLake"}`, wants: []string{`"read":true`, `"agent":"BlueLake"`}},
	{name: "read what another received", path: "/messages/1/read", body: `{"as":"RedSky"}`, status: 404, code: "NOT_FOUND"},
	{name: "acknowledge", path: "/messages/1/ack", body: `{"as":"BlueLake","body_md":"On it."}`, wants: []string{`"acknowledged":true`}},
	{name: "acknowledge again", path: "/messages/1/ack", body: `{"as":"BlueLake"}`, wants: []string{`"acknowledged":true`}},
	{name: "pause the run", path: "{T}/run", body: `{"word":"pause","reason":"lunch"}`, wants: []string{`"message_id":`}},
	{name: "let it go on", path: "{T}/run", body: `{"word":"go"}`, wants: []string{`"message_id":`}},
	{name: "tell it nonsense", path: "{T}/run", body: `{"word":"dance"}`, status: 422, code: "INVALID_INPUT"},
	{name: "an agent tells it", path: "{T}/run", body: `{"word":"stop","as":"RedSky"}`, status: 403, code: "NOT_ALLOWED"},
	{name: "promote", path: "/critiques/5/promote", body: `{}`, wants: []string{`"type":"DELTA"`, `"accepted":1`}},
	{name: "a test", path: "/messages", body: `{"from":"BlueLake","to":["Operator"],"thread_id":"` + thread + `","subject":"DELTA[gpt]: ` +
		`A test","body_md":"# D\n\n` + "```delta" + `\n{\"operation\":\"ADD\",\"section\":\"discriminative_tests\",\"target_id\":null,` +
		`\"payload\":{\"name\":\"Move\",\"procedure\":\"p\",\"discriminates\":\"H1\",\"expected_outcomes\":{\"H1\":\"kept\"}},` +
		`\"rationale\":\"r\"}\n` + "```" + `\n"}`, wants: []string{`"accepted":1`}},
	{name: "reasons", method: "GET", path: "{T}/reasons", wants: []string{`"if":[`, `"leader":"`, `"verdict":"`}},
	{name: "what if", method: "GET", path: "{T}/whatif?outcomes=T1=kept", wants: []string{`"prior":{`, `"bits_gained":`}},
	{name: "result", path: "{T}/results", body: `{"as":"Operator","test":"T1","outcome":"kept"}`,
		wants: []string{`"status":"passed"`, `"outcome":"kept"`, `"accepted":1`}},
	{name: "result of no test", path: "{T}/results", body: `{"as":"Operator","test":"T99","outcome":"kept"}`, status: 404,
		code: "NOT_FOUND"},
	{name: "result without outcome", path: "{T}/results", body: `{"as":"Operator","test":"T1"}`, status: 400, code: "USAGE"},
	{name: "result with evidence that is no list", path: "{T}/results",
		body: `{"as":"Operator","test":"T1","outcome":"kept","evidence":"EV-001"}`, status: 400, code: "USAGE",
		wants: []string{"evidence must be a list"}},
	{name: "withdraw without a reason", path: "{T}/results/withdraw", body: `{"as":"Operator","test":"T1","message":12}`, status: 400,
		code: "USAGE", wants: []string{"reason is missing"}},
	{name: "withdraw", path: "{T}/results/withdraw", body: `{"as":"Operator","test":"T1","message":21,"reason":"The dish was dirty."}`,
		wants: []string{`"withdraws":21`, `"message_id":`}},
	{name: "withdraw what is not there", path: "{T}/results/withdraw", body: `{"as":"Operator","test":"T1","message":1,"reason":"r"}`,
		status: 404, code: "NOT_FOUND"},
	{name: "an answer of a chat that is refused", path: "{T}/ask", status: 422, code: "VALIDATION_FAILED",
		body: `{"as":"RedSky","answer":"` + "```delta\\n{}\\n```" + `"}`},
	{name: "an answer of a chat", path: "{T}/ask", body: `{"as":"redsky","answer":"ChatGPT said:\nNothing to add."}`,
		wants: []string{`"type":"INFO"`, `"left_out":["ChatGPT said:"]`, `"subject":"INFO: Answer in round 2"`}},
	{name: "no answer of a chat", path: "{T}/ask", body: `{"as":"RedSky","answer":"Copy"}`, status: 422, code: "INVALID_INPUT"},
	{name: "answer a critique", path: "/critiques/5/answer", body: `{"as":"Operator","body_md":"Gravity is quick."}`,
		wants: []string{`"type":"INFO"`}},
	{name: "answer by a change", path: "/critiques/5/answer",
		body:  `{"as":"Operator","body_md":"In part.","change":{"field":"mechanism","text":"Gravity, in the dark too."}}`,
		wants: []string{`"type":"DELTA"`, `"accepted":1`}},
	{name: "answer by a test", path: "/critiques/5/answer", body: `{"as":"Operator","body_md":"Let us see.","test":{"name":"Wait",` +
		`"procedure":"Wait a week.","control":"A clock.","expected":[{"hypothesis":"H1","outcome":"slow"}]}}`,
		wants: []string{`"type":"DELTA"`, `"accepted":1`}},
	{name: "answer by a test without a procedure", path: "/critiques/5/answer",
		body: `{"as":"Operator","body_md":"Let us see.","test":{"name":"Wait"}}`, status: 422, code: "INVALID_INPUT"},
	{name: "answer by two things", path: "/critiques/5/answer",
		body: `{"as":"Operator","body_md":"Both.","give_up":true,"change":{"field":"claim","text":"x"}}`, status: 400, code: "USAGE"},
	{name: "answer by a change of what is no text", path: "/critiques/5/answer",
		body: `{"as":"Operator","body_md":"x","change":{"field":"anchors","text":"x"}}`, status: 400, code: "USAGE"},
	{name: "answer by giving up, without a word", path: "/critiques/5/answer", body: `{"as":"Operator","give_up":true}`, status: 422,
		code: "INVALID_INPUT"},
	{name: "add a source", path: "/evidence", body: `{"as":"Operator","name":"letter.txt","data":"VGhlIGRpc2g="}`,
		wants: []string{`"id":"EV-001"`, `letter.txt of Operator: The dish`, `"new":true`}},
	{name: "add what is no base64", path: "/evidence", body: `{"name":"letter.txt","data":"?"}`, status: 400, code: "USAGE"},
	{name: "add a file without a name", path: "/evidence", body: `{"data":"VGhlIGRpc2g="}`, status: 400, code: "USAGE"},
	{name: "mark a source", path: "/evidence/EV-001/mark", body: `{"status":"retracted","note":"By its journal."}`,
		wants: []string{`"status":"retracted"`, `By its journal.`}},
	{name: "mark no source", path: "/evidence/EV-009/mark", body: `{"status":"retracted"}`, status: 404, code: "NOT_FOUND"},
	{name: "answer with nothing", path: "/critiques/5/answer", body: `{"body_md":" "}`, status: 422, code: "INVALID_INPUT"},
	{name: "repair", path: "{T}/diagnose-fix", body: `{}`, wants: []string{`"posted_as":`, `"message_id":7`}},
	{name: "compile strictly", path: "{T}/compile", body: `{"strict":true}`, status: 422, code: "VALIDATION_FAILED"},
	{name: "commit without persist", path: "{T}/compile", body: `{"commit":true}`, status: 400, code: "USAGE"},
	{name: "compile", path: "{T}/compile", body: `{"summary":"Two more ways"}`,
		wants: []string{`"new_version":true`, `"version":2`, `"state":"Draft"`}},
	{name: "compile nothing", path: "{T}/compile", body: ``, method: "POST", wants: []string{`"new_version":false`}},
	{name: "persist", path: "{T}/persist", body: `{}`, wants: []string{`"state":"Pending"`}},
	{name: "persist and commit", path: "{T}/persist", body: `{"commit":true}`, wants: []string{`"state":"Persisted"`}},
	{name: "complete", path: "{T}/complete", body: `{}`, status: 422, code: "VALIDATION_FAILED"},
	{name: "complete by force", path: "{T}/complete", body: `{"force":"It is a test","commit":true}`,
		wants: []string{`"forced":"It is a test"`, `"state":"Persisted"`}},
}

// TestRoutes goes through every address with a real project, and holds each answer against the OpenAPI
// document. A route that nothing asks for fails the test.
func TestRoutes(t *testing.T) {
	p := newProject(t, api.Options{Lab: true, Version: "test"})
	p.populate(t)
	d := describe(t, p)
	for _, group := range [][]row{readings, judgements, writes} {
		for _, r := range group {
			t.Run(r.name, func(t *testing.T) { r.run(t, p, d) })
		}
	}
	d.complete(t)
	if log := git(t, p.dir, "log", "--format=%s", "--", "artifacts"); strings.Count(log, "\n") < 2 {
		t.Errorf("the artifact was not committed twice:\n%s", log)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "artifacts", thread+".md")); err != nil {
		t.Error(err)
	}
}

// TestReadOnly: without lab mode everything that writes is refused, whatever the request says, and says
// why and how; what reads, judges or only tries goes on.
func TestReadOnly(t *testing.T) {
	p := newProject(t, api.Options{})
	p.populate(t)
	d := describe(t, p)
	cursor, err := p.sessions.Mail().Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range writes {
		method, path := r.request()
		if method == http.MethodGet {
			continue
		}
		for _, body := range []string{r.body, "{}", "", "]", `{"nonsense":1}`} {
			a := p.do(t, method, path, body)
			f := decode[failed](t, a)
			if a.status != http.StatusForbidden || f.Error.Code != "NOT_ALLOWED" || f.Error.Action == nil || f.Error.Action.Do != "serve" ||
				f.Error.Action.Give != "lab" {
				t.Errorf("%s %s %s: %d\n%s", method, path, body, a.status, a.body)
			}
		}
		if a := p.do(t, method, path, r.body, "Content-Type", "text/plain"); a.status != http.StatusForbidden {
			t.Errorf("%s as text: %d", path, a.status)
		}
	}
	for _, r := range judgements {
		t.Run(r.name, func(t *testing.T) { r.run(t, p, d) })
	}
	if after, err := p.sessions.Mail().Cursor(t.Context()); err != nil || after != cursor {
		t.Errorf("something was written: %d, then %d (%v)", cursor, after, err)
	}
}

// identities are who may write under which name.
var identities = []struct {
	name, caller, path, body string
	remote                   bool
	status                   int
}{
	{"anybody on this machine as themselves", "", "/messages", `{"to":["RedSky"],"subject":"INFO: x","body_md":"y"}`, false, 200},
	{"anybody on this machine as an agent", "", "/messages/1/read", `{"as":"BlueLake"}`, false, 200},
	{"anybody on this machine compiles", "", "{T}/compile", `{}`, false, 200},
	{"an agent as itself", "RedSky", "/messages", `{"to":["BlueLake"],"subject":"INFO: x","body_md":"y"}`, false, 200},
	{"an agent as itself, in other letters", "RedSky", "/messages", `{"from":"redsky","to":["BlueLake"],"subject":"INFO: x","body_md":"y"}`,
		false, 200},
	{"an agent as another", "RedSky", "/messages", `{"from":"BlueLake","to":["RedSky"],"subject":"INFO: x","body_md":"y"}`, false, 403},
	{"an agent reads as another", "RedSky", "/messages/1/read", `{"as":"BlueLake"}`, false, 403},
	{"an agent replies as another", "RedSky", "/messages/8/reply", `{"as":"BlueLake","body_md":"y"}`, false, 403},
	{"an agent acknowledges as another", "RedSky", "/messages/1/ack", `{"as":"BlueLake"}`, false, 403},
	{"an agent answers as the operator", "RedSky", "/critiques/5/answer", `{"as":"Operator","body_md":"y"}`, false, 403},
	{"an agent answers as itself", "RedSky", "/critiques/5/answer", `{"body_md":"y"}`, false, 403},
	{"an agent gives its own explanation up", "RedSky", "/critiques/5/answer", `{"body_md":"y","give_up":true}`, false, 200},
	{"an agent brings the answer of another", "RedSky", "{T}/ask", `{"as":"BlueLake","answer":"y"}`, false, 403},
	{"an agent tries the answer of another", "RedSky", "{T}/ask", `{"as":"BlueLake","answer":"y","dry_run":true}`, false, 403},
	{"an agent brings its answer", "RedSky", "{T}/ask", `{"as":"RedSky","answer":"y"}`, false, 200},
	{"an agent adds a source", "RedSky", "/evidence", `{"name":"x.txt","data":"eA=="}`, false, 403},
	{"an agent marks a source", "RedSky", "/evidence/EV-001/mark", `{"status":"retracted"}`, false, 403},
	{"an agent compiles", "RedSky", "{T}/compile", `{}`, false, 403},
	{"an agent starts", "RedSky", "/sessions", `{"question":"Why?","context":"So.","roster":` + roster + `}`, false, 403},
	{"an agent tries a start as the operator", "RedSky", "/sessions", `{"from":"Operator","question":"Why?","context":"So.","roster":` +
		roster + `,"dry_run":true}`, false, 403},
	{"an agent asks how a letter of another is judged", "RedSky", "/validate/message",
		`{"from":"BlueLake","to":["RedSky"],"subject":"INFO: x","body_md":"y"}`, false, 403},
	{"the operator as an agent", "Operator", "/messages/2/read", `{"as":"RedSky"}`, false, 200},
	{"the operator from afar", "Operator", "{T}/persist", `{}`, true, 200},
	{"an agent from afar", "RedSky", "/messages", `{"to":["BlueLake"],"subject":"INFO: x","body_md":"y"}`, true, 403},
}

func TestIdentity(t *testing.T) {
	for _, remote := range []bool{false, true} {
		t.Run(map[bool]string{false: "on this machine", true: "from afar"}[remote], func(t *testing.T) {
			p := newProject(t, api.Options{Lab: true, Remote: remote})
			p.populate(t)
			for _, c := range identities {
				if c.remote == remote {
					t.Run(c.name, func(t *testing.T) {
						_, path := row{path: c.path}.request()
						if a := p.do(t, http.MethodPost, path, c.body, "Test-Caller", c.caller); a.status != c.status {
							t.Errorf("status %d, want %d\n%s", a.status, c.status, a.body)
						}
					})
				}
			}
		})
	}
}

// TestOtherSites: what a page of another site makes a browser send is refused, even in lab mode.
func TestOtherSites(t *testing.T) {
	p := newProject(t, api.Options{Lab: true})
	p.populate(t)
	body := `{"to":["BlueLake"],"subject":"INFO: x","body_md":"y"}`
	for _, header := range [][]string{
		{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "http://127.0.0.1:1"}, {"Origin", "null"},
	} {
		a := p.do(t, http.MethodPost, "/api/v1/messages", body, header...)
		if f := decode[failed](t, a); a.status != http.StatusForbidden || f.Error.Code != "NOT_ALLOWED" {
			t.Errorf("%v: %d\n%s", header, a.status, a.body)
		}
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
		"application/json; charset=utf-16"} {
		if a := p.do(t, http.MethodPost, "/api/v1/messages", body, "Content-Type", kind); a.status != http.StatusUnsupportedMediaType {
			t.Errorf("as %q: %d\n%s", kind, a.status, a.body)
		}
	}
	if a := p.do(t, http.MethodPost, "/api/v1/messages", body, "Sec-Fetch-Site", "same-origin", "Content-Type",
		"application/json; charset=UTF-8"); a.status != 200 {
		t.Errorf("of this site: %d\n%s", a.status, a.body)
	}
}

// bodies that cannot be read, and where.
var malformed = []struct{ body, code, path string }{
	{`{"to":"BlueLake"}`, "INVALID_FIELD", "to"},
	{`{"to":[7]}`, "INVALID_FIELD", "to[0]"},
	{`{"To":["x"]}`, "UNKNOWN_FIELD", "To"},
	{`{"to":["x"],"to":["y"]}`, "INVALID_FIELD", "to"},
	{`{"reply_to":1.5}`, "INVALID_FIELD", "reply_to"},
	{`{"reply_to":99999999999999999999}`, "INVALID_FIELD", "reply_to"},
	{`{"ack_required":"yes"}`, "INVALID_FIELD", "ack_required"},
	{`[]`, "INVALID_FIELD", ""},
	{`"x"`, "INVALID_FIELD", ""},
	{`{"to":`, "INVALID_JSON", ""},
	{`{} {}`, "INVALID_JSON", ""},
	{"{\"subject\":\"\xff\"}", "INVALID_ENCODING", ""},
	{`{"` + strings.Repeat("x", 1<<16) + `":1}`, "UNKNOWN_FIELD", strings.Repeat("x", 80) + "…"},
}

func TestMalformed(t *testing.T) {
	p := newProject(t, api.Options{Lab: true})
	for _, c := range malformed {
		a := p.do(t, http.MethodPost, "/api/v1/messages", c.body)
		f := decode[failed](t, a)
		if a.status != http.StatusBadRequest || len(f.Error.Findings) == 0 || f.Error.Findings[0].Code != protocol.Code(c.code) ||
			f.Error.Findings[0].Path != c.path {
			t.Errorf("%.80s: %d\n%.500s", c.body, a.status, a.body)
		}
	}
	if a := p.do(t, http.MethodPost, "/api/v1/messages", `{"body_md":"`+strings.Repeat("x", 9<<20)+
		`"}`); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("9 MiB: %d", a.status)
	}
}

// TestIdempotency: a write under a key happens once, however often it is sent.
func TestIdempotency(t *testing.T) {
	p := newProject(t, api.Options{Lab: true})
	p.populate(t)
	for _, c := range []struct{ path, body, other string }{
		{"/messages", `{"to":["BlueLake"],"subject":"INFO: x","body_md":"y"}`, `{"to":["BlueLake"],"subject":"INFO: x","body_md":"z"}`},
		{"/messages/8/reply", `{"body_md":"y"}`, `{"body_md":"z"}`},
		{"/critiques/5/answer", `{"body_md":"y"}`, `{"body_md":"z"}`},
		{"/sessions", `{"question":"Why?","context":"So.","roster":` + roster + `}`, `{"question":"Who?","context":"So.","roster":` +
			roster + `}`},
	} {
		key := []string{"Idempotency-Key", "once " + c.path}
		first := p.do(t, http.MethodPost, "/api/v1"+c.path, c.body, key...)
		head := p.head(t)
		again := p.do(t, http.MethodPost, "/api/v1"+c.path, c.body, key...)
		if first.status != 200 || string(first.body) != string(again.body) || p.head(t) != head {
			t.Errorf("%s: %d %s\nthen %d %s", c.path, first.status, first.body, again.status, again.body)
		}
		if a := p.do(t, http.MethodPost, "/api/v1"+c.path, c.other, key...); a.status != http.StatusConflict {
			t.Errorf("%s with another body: %d %s", c.path, a.status, a.body)
		}
	}
	a := p.do(t, http.MethodPost, "/api/v1/messages", `{"to":["Nobody"],"subject":"INFO: x","body_md":"y"}`, "Idempotency-Key", "failed")
	if a.status != 404 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if _, err := p.sessions.Mail().Store().Status(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.sessions.Mail().EnsureAgents(t.Context(), "Nobody"); err != nil {
		t.Fatal(err)
	}
	if a := p.do(t, http.MethodPost, "/api/v1/messages", `{"to":["Nobody"],"subject":"INFO: x","body_md":"y"}`, "Idempotency-Key",
		"failed"); a.status != 200 {
		t.Errorf("what failed cannot be tried again: %d %s", a.status, a.body)
	}
}

// head is the id of the last message.
func (p *project) head(t *testing.T) int64 {
	t.Helper()
	status, err := p.sessions.Mail().Store().Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return status.Messages
}

// TestPages: a list of sessions can be walked to its end, a page at a time.
func TestPages(t *testing.T) {
	p := newProject(t, api.Options{Lab: true})
	for _, slug := range []string{"first-of-all", "second-of-all", "third-of-all"} {
		if a := p.do(t, http.MethodPost, "/api/v1/sessions", `{"question":"Why?","context":"So.","slug":"`+slug+`","roster":`+roster+
			`}`); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	var seen []string
	before := ""
	for range 5 {
		list := decode[struct {
			Sessions []struct {
				ThreadID string `json:"thread_id"`
			} `json:"sessions"`
			Next *json.Number `json:"next"`
		}](t, p.do(t, http.MethodGet, "/api/v1/sessions?limit=1"+before, ""))
		for _, s := range list.Sessions {
			seen = append(seen, s.ThreadID[len("RS-20260110-"):])
		}
		if list.Next == nil {
			break
		}
		before = "&offset=" + list.Next.String()
	}
	if got := strings.Join(seen, " "); got != "third-of-all second-of-all first-of-all" {
		t.Errorf("got %s", got)
	}
}
