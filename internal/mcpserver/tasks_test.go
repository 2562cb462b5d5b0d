package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// modernCall asks over HTTP in the sessionless protocol, as a client with some extensions does.
func modernCall(t *testing.T, url, method, params, extensions string) (result, fault json.RawMessage) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(modernRequest(method, params, extensions)))
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"Content-Type": "application/json", versionHeader: sessionless, "Mcp-Method": method} {
		req.Header.Set(key, value)
	}
	if method == "tools/call" {
		req.Header.Set("Mcp-Name", "brenner_wait")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct{ Result, Error json.RawMessage }
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer.Result, answer.Error
}

func modernRequest(method, params, extensions string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":%q,`+
		`"io.modelcontextprotocol/clientCapabilities":{"extensions":{%s}}}}}`, method, params, sessionless, extensions)
}

const knowsTasks = `"io.modelcontextprotocol/tasks":{}`

// TestWaitAsTask: a client that declares tasks gets a handle instead of a call that lasts, asks about it as often as it likes and of
// any server of the store, and gets the same mail each time. One that does not declare them waits as ever.
func TestWaitAsTask(t *testing.T) {
	s := newServer(t, Options{})
	web := serve(t, s)
	populate(t, s, "BlueLake", "RedSky")
	wait := func(seconds int) string {
		return fmt.Sprintf(`"name":"brenner_wait","arguments":{"project_key":"srv-cells","agent_name":"RedSky","timeout_seconds":%d},`,
			seconds)
	}
	var begun, asked taskState
	read := func(raw json.RawMessage, into *taskState) {
		t.Helper()
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
	}
	result, _ := modernCall(t, web.URL, "tools/call", wait(0), knowsTasks)
	if read(result, &begun); begun.ID != "" {
		t.Errorf("a look began a task: %s", result)
	}
	result, _ = modernCall(t, web.URL, "tools/call", wait(1), "")
	if begun = (taskState{}); strings.Contains(string(result), "taskId") || !strings.Contains(string(result), "nothing_yet") {
		t.Errorf("who knows no tasks gets %s", result)
	}
	result, _ = modernCall(t, web.URL, "tools/call", wait(40), knowsTasks)
	if read(result, &begun); begun.Type != "task" || begun.Status != "working" || begun.TTL == 0 || begun.Poll == 0 {
		t.Fatalf("%s", result)
	}
	about := fmt.Sprintf(`"taskId":%q,`, begun.ID)
	result, _ = modernCall(t, web.URL, taskGet, about, knowsTasks)
	if read(result, &asked); asked.Status != "working" || asked.Type != "complete" || asked.Result != nil {
		t.Fatalf("%s", result)
	}
	callOver(t, &httpWire{url: web.URL}, "send_message",
		`{"project_key":"srv-cells","sender_name":"BlueLake","to":"RedSky","subject":"INFO: here","body_md":"x"}`)
	another := New(s.deps, s.options)
	t.Cleanup(func() { _ = another.Close() })
	other := serve(t, another)
	for _, url := range []string{web.URL, other.URL, web.URL} {
		result, _ = modernCall(t, url, taskGet, about, knowsTasks)
		if read(result, &asked); asked.Status != "completed" || !strings.Contains(string(asked.Result), "INFO: here") {
			t.Fatalf("%s", result)
		}
	}
	result, fault := modernCall(t, web.URL, taskCancel, about, knowsTasks)
	if fault != nil || !strings.Contains(string(result), "complete") {
		t.Errorf("cancelled: %s %s", result, fault)
	}
	for _, bad := range []string{`"taskId":"nothing",`, `"taskId":"",`, ``} {
		if _, fault := modernCall(t, web.URL, taskGet, bad, knowsTasks); !strings.Contains(string(fault), "-32602") {
			t.Errorf("%s: %s", bad, fault)
		}
	}
	if _, fault := modernCall(t, web.URL, taskUpdate, about, knowsTasks); !strings.Contains(string(fault), "asks for nothing") {
		t.Errorf("updated: %s", fault)
	}
}

// TestTaskOverStdio: a wait is a task on standard streams too, from its beginning to the mail and its end.
func TestTaskOverStdio(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake", "RedSky")
	stdio, other := openStdio(t, s), serve(t, s)
	ask := func(method, params string) (state taskState, raw json.RawMessage) {
		t.Helper()
		raw = stdio.send(t, modernRequest(method, params, knowsTasks))
		var answer struct{ Result taskState }
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		return answer.Result, raw
	}
	begun, raw := ask("tools/call", `"name":"brenner_wait",`+
		`"arguments":{"project_key":"srv-cells","agent_name":"RedSky","timeout_seconds":40},`)
	if begun.Type != "task" || begun.Status != "working" || begun.ID == "" {
		t.Fatalf("%s", raw)
	}
	about := fmt.Sprintf(`"taskId":%q,`, begun.ID)
	if asked, raw := ask(taskGet, about); asked.Status != "working" || asked.Result != nil {
		t.Errorf("%s", raw)
	}
	callOver(t, &httpWire{url: other.URL}, "send_message",
		`{"project_key":"srv-cells","sender_name":"BlueLake","to":"RedSky","subject":"INFO: here","body_md":"x"}`)
	if asked, raw := ask(taskGet, about); asked.Status != "completed" || !strings.Contains(string(asked.Result), "INFO: here") {
		t.Errorf("%s", raw)
	}
	if ended, raw := ask(taskCancel, about); ended.Type != "complete" {
		t.Errorf("%s", raw)
	}
	if _, raw := ask(taskUpdate, about); !strings.Contains(string(raw), "asks for nothing") {
		t.Errorf("%s", raw)
	}
}

// TestTheApp: the page of a session is a resource of its own, named by its tool, and asks no other host for anything.
func TestTheApp(t *testing.T) {
	s := newServer(t, Options{})
	web := serve(t, s)
	result, fault := modernCall(t, web.URL, "server/discover", "", "")
	if fault != nil || !strings.Contains(string(result), appsExtension) || !strings.Contains(string(result), tasksExtension) ||
		!strings.Contains(string(result), `"ttlMs":600000`) {
		t.Errorf("%s %s", result, fault)
	}
	listed, _ := modernCall(t, web.URL, "tools/list", "", "")
	again, _ := modernCall(t, web.URL, "tools/list", "", "")
	if string(listed) != string(again) || !strings.Contains(string(listed), `"resourceUri":"ui://brenner/session"`) ||
		!strings.Contains(string(listed), `"ttlMs":600000`) || !strings.Contains(string(listed), `"cacheScope":"private"`) {
		t.Errorf("%s", listed)
	}
	read := s.dispatch(t.Context(), caller{}, &rpcMessage{id: json.RawMessage("1"), method: "resources/read",
		params: json.RawMessage(`{"uri":"ui://brenner/session"}`)})
	data, err := json.Marshal(read)
	if err != nil || !strings.Contains(string(data), appMIME) {
		t.Fatalf("%s, %v", data, err)
	}
	for _, outside := range []string{"http://", "https://", "innerHTML", "src=", "import("} {
		if strings.Contains(appPage, outside) {
			t.Errorf("the page has %s", outside)
		}
	}
}
