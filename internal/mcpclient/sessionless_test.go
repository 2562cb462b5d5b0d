package mcpclient_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
)

// heard is a request as a server sees it.
type heard struct {
	Method string
	Params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	header http.Header
}

// listen is a server that answers each method with a status and a text; it tells what it heard.
func listen(t *testing.T, answers map[string]string, status map[string]int) (url string, all func() []heard) {
	t.Helper()
	var list []heard
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got struct {
			ID json.RawMessage
			heard
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		got.header = r.Header
		list = append(list, got.heard)
		if code := status[got.Method]; code != 0 {
			w.WriteHeader(code)
			return
		}
		answer := answers[got.Method]
		if answer == "" {
			answer = `"error":{"code":-32601,"message":"unknown"}`
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, got.ID, answer)
	}))
	t.Cleanup(web.Close)
	return web.URL, func() []heard { return list }
}

func methods(all []heard) []string {
	var list []string
	for i := range all {
		list = append(list, all[i].Method)
	}
	return list
}

// TestSessionless: a server that knows the protocol without sessions gets requests that are complete in themselves, and no handshake.
func TestSessionless(t *testing.T) {
	url, all := listen(t, map[string]string{
		"server/discover": `"result":{"resultType":"complete","supportedVersions":["2026-07-28"]}`,
		"tools/call":      `"result":{"resultType":"complete","content":[],"structuredContent":{"result":[1,2]}}`,
		"resources/read":  `"result":{"resultType":"complete","contents":[{"text":"{}"}]}`,
	}, nil)
	c := mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: url})
	var list []int
	for range 2 {
		if err := c.Tool(t.Context(), "count", mcpclient.Arguments{"to": 2}, &list); err != nil || len(list) != 2 {
			t.Fatalf("%v, %v", list, err)
		}
	}
	var empty struct{}
	if err := c.Resource(t.Context(), "thread", "a/b", nil, &empty); err != nil {
		t.Fatal(err)
	}
	got := all()
	if want := []string{"server/discover", "tools/call", "tools/call", "resources/read"}; !slices.Equal(methods(got), want) {
		t.Fatalf("the server heard %q", methods(got))
	}
	for i, name := range []string{"", "count", "count", "resource://thread/a%2Fb"} {
		r := got[i]
		if string(r.Params.Meta["io.modelcontextprotocol/protocolVersion"]) != `"2026-07-28"` ||
			string(r.Params.Meta["io.modelcontextprotocol/clientCapabilities"]) != "{}" {
			t.Errorf("%s says of itself %s", r.Method, r.Params.Meta)
		}
		if h := r.header; h.Get("Mcp-Protocol-Version") != "2026-07-28" || h.Get("Mcp-Method") != r.Method || h.Get("Mcp-Name") != name {
			t.Errorf("%s has the headers %v", r.Method, h)
		}
	}
}

// TestOlderServers: whatever a server says that does not know the sessionless protocol, it is spoken to as ever.
func TestOlderServers(t *testing.T) {
	legacy := map[string]string{
		"initialize": `"result":{"protocolVersion":"2025-06-18"}`,
		"tools/call": `"result":{"content":[],"structuredContent":{"result":[1]}}`,
	}
	for name, discover := range map[string]struct {
		answer string
		status int
	}{
		"unknown method": {`"error":{"code":-32601,"message":"unknown"}`, 0},
		"other versions": {`"result":{"supportedVersions":["2027-01-01"]}`, 0},
		"bad request":    {"", http.StatusBadRequest},
		"no session":     {"", http.StatusNotFound},
		"broken":         {"", http.StatusInternalServerError},
	} {
		t.Run(name, func(t *testing.T) {
			answers := map[string]string{"server/discover": discover.answer}
			maps.Copy(answers, legacy)
			url, all := listen(t, answers, map[string]int{"server/discover": discover.status})
			c := mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: url})
			var list []int
			if err := c.Tool(t.Context(), "count", nil, &list); err != nil || len(list) != 1 {
				t.Fatalf("%v, %v", list, err)
			}
			got := all()
			want := []string{"server/discover", "initialize", "notifications/initialized", "tools/call"}
			if !slices.Equal(methods(got), want) {
				t.Fatalf("the server heard %q", methods(got))
			}
			if last := got[len(got)-1]; last.Params.Meta != nil || last.header.Get("Mcp-Protocol-Version") != "2025-06-18" {
				t.Errorf("it heard %v %v", last.Params.Meta, last.header)
			}
		})
	}
}

// TestInputRequired: what only a person could answer is told as that, not read as an answer.
func TestInputRequired(t *testing.T) {
	url, _ := listen(t, map[string]string{
		"server/discover": `"result":{"supportedVersions":["2026-07-28"]}`,
		"tools/call":      `"result":{"resultType":"input_required","inputRequests":{"sure":{"method":"elicitation/create"}}}`,
	}, nil)
	var nothing any
	err := mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: url}).Tool(t.Context(), "delete", nil, &nothing)
	if protocol.CodeOf(err) != protocol.Waiting {
		t.Errorf("%v", err)
	}
}
