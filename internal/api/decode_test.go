package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// FuzzDecode: whatever arrives, a request is read into its type or refused with findings, never
// otherwise; and what was read is what the standard decoder reads.
func FuzzDecode(f *testing.F) {
	f.Add(`{"to":["BlueLake"],"subject":"INFO: x","ack_required":true,"reply_to":7}`)
	f.Add(`{"agent_roles":[{"agentName":"A","role":"b"}],"roster":[{"agentName":1}],"round":2}`)
	f.Add(`{"a":1,"a":2}`)
	f.Add(`{"to":[null,"x"],"cc":null}`)
	f.Add("{\"subject\":\"\\ud800\xff\"}")
	f.Add(strings.Repeat(`{"to":[`, 200))
	f.Fuzz(func(t *testing.T, body string) {
		check[sendRequest](t, body)
		check[startRequest](t, body)
		check[usecase.CompileRequest](t, body)
	})
}

func check[In any](t *testing.T, body string) {
	r := httptest.NewRequest(http.MethodPost, "/api/v1/x", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	in, err := decode[In](r)
	if err != nil {
		if protocol.CodeOf(err) != protocol.Usage && protocol.CodeOf(err) != protocol.MessageTooLarge {
			t.Errorf("%q: %v", body, err)
		}
		if !utf8.ValidString(err.Error()) {
			t.Errorf("%q: %q", body, err)
		}
		return
	}
	if strings.TrimSpace(body) == "" {
		return
	}
	var same In
	if err := json.Unmarshal([]byte(body), &same); err != nil {
		t.Fatalf("%q is read here and nowhere else: %v", body, err)
	}
	mine, theirs := encode(in), encode(same)
	if !reflect.DeepEqual(mine, theirs) {
		t.Errorf("%q\nread as %s\nwant    %s", body, mine, theirs)
	}
}
