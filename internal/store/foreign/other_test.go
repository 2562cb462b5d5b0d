package foreign_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"brenner/internal/protocol"
	"brenner/internal/store/foreign"
)

// TestFindProject: a project is found without being made; a server that cannot say whether it has one is asked to make it.
func TestFindProject(t *testing.T) {
	const found, coded, uncoded = `{"contents":[{"text":"{\"id\":4,\"slug\":\"srv-lab\",\"human_key\":\"/srv/lab\"}"}]}`,
		`{"code":-32002,"message":"no","data":{"code":"NOT_FOUND"}}`, `{"code":-32601,"message":"no resources here"}`
	for name, c := range map[string]struct {
		key, result, fault string
		there, made        bool
		want               protocol.Code
	}{
		"there":           {key: "/srv/lab", result: found, there: true},
		"not there":       {key: "/srv/lab", fault: coded},
		"not said":        {key: "/srv/lab", fault: uncoded, there: true, made: true},
		"nothing said":    {key: "/srv/lab", result: `{"contents":[]}`, there: true, made: true},
		"of another path": {key: "/srv-lab", result: found, there: true, made: true},
		"refused": {key: "/srv/lab", fault: `{"code":-32000,"message":"no","data":{"code":"NOT_ALLOWED"}}`,
			want: protocol.NotAllowed},
		"away": {key: "/srv/lab", fault: `{"code":-32000,"message":"no","data":{"code":"STORE_UNAVAILABLE"}}`,
			want: protocol.StoreUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			made := false
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				var call struct {
					ID     json.RawMessage
					Method string
				}
				_ = json.Unmarshal(data, &call)
				answer := `"result":{"structuredContent":{"id":5}}`
				switch {
				case call.Method == "resources/read" && c.fault != "":
					answer = `"error":` + c.fault
				case call.Method == "resources/read":
					answer = `"result":` + c.result
				}
				made = made || strings.Contains(string(data), "ensure_project")
				_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, cmp.Or(string(call.ID), "0"), answer)
			}))
			t.Cleanup(web.Close)
			store, err := foreign.Open(t.Context(), "mcp+"+web.URL+"/mcp/", foreign.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = store.Close() })
			p, there, err := store.FindProject(t.Context(), c.key)
			if (err != nil || c.want != "") && protocol.CodeOf(err) != c.want || there != c.there || made != c.made || there &&
				p.HumanKey != c.key {
				t.Errorf("%v: there %t, made %t, %+v", err, there, made, p)
			}
		})
	}
}
