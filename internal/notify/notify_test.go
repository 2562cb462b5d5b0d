package notify_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/notify"
	"brenner/internal/protocol"
)

var hostile = notify.Notice{Event: notify.Question, ThreadID: "RS-x", Agent: "RedSky", Text: "$(touch owned)\x1b]0;x\x07\n\u202e; `id`",
	Key: "reply/1"}

// TestEveryWay: the command, the webhook and the bell each hear of it once, with the text as data.
func TestEveryWay(t *testing.T) {
	dir := t.TempDir()
	var posted []notify.Notice
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n notify.Notice
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			t.Error(err)
		}
		posted = append(posted, n)
	}))
	defer server.Close()
	script := filepath.Join(dir, "told.sh")
	if err := os.WriteFile(script, []byte("printf '%s|' \"$@\" >> told.txt; cat >> told.json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var bell bytes.Buffer
	n, err := notify.New(notify.Options{
		On: []notify.Event{notify.Question}, Command: []string{"sh", script, "{event}", "{thread}", "{agent}", "{text}", "x{text}"},
		Webhook: server.URL + "/x", Bell: &bell, Folder: filepath.Join(dir, "kept"), Project: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := n.Tell(t.Context(), hostile); err != nil {
			t.Fatal(err)
		}
	}
	if err := n.Tell(t.Context(), notify.Notice{Event: notify.Dead}); err != nil {
		t.Fatal(err)
	}
	told, _ := os.ReadFile(filepath.Join(dir, "told.txt"))
	if string(told) != "question|RS-x|RedSky|$(touch owned) ]0;x ; `id`|x{text}|" {
		t.Errorf("the command got %q", told)
	}
	if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
		t.Error("a text was run")
	}
	if len(posted) != 1 || posted[0].Agent != "RedSky" || bell.String() != "\a\a" {
		t.Errorf("%+v, bell %q", posted, bell.String())
	}
}

// TestWebhookStaysHere: no address elsewhere is taken, and no redirection followed.
func TestWebhookStaysHere(t *testing.T) {
	for _, address := range []string{"http://example.org/", "https://127.0.0.1/", "http://192.168.0.1:9000/",
		"http://127.0.0.1.example.org/", "http://a@127.0.0.1/", "ftp://localhost/", "x"} {
		if _, err := notify.New(notify.Options{Webhook: address}); protocol.CodeOf(err) != protocol.InvalidConfig {
			t.Errorf("%s: %v", address, err)
		}
	}
	hits := 0
	second := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer second.Close()
	first := httptest.NewServer(http.RedirectHandler(second.URL, http.StatusTemporaryRedirect))
	defer first.Close()
	n, err := notify.New(notify.Options{Webhook: strings.Replace(first.URL, "127.0.0.1", "localhost", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Tell(t.Context(), hostile); err == nil || hits > 0 {
		t.Errorf("%v, %d requests to another address", err, hits)
	}
}
