package app_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/app"
)

// TestTwoNodesWait: two calls of brenner_wait for one agent, on two nodes. One gets the mail; the other is told at once
// that it was taken, and by which number it is found.
func TestTwoNodesWait(t *testing.T) {
	m := newTeam(t, 2, app.ServeOptions{Strict: true})
	token, other := m.token("BlueLake"), m.token("RedSky")
	call := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"brenner_wait","arguments":{"project_key":%q,`+
		`"agent_name":"BlueLake"}}}`,
		m.nodes[0].app.Mail.Project().HumanKey)
	header := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	answers := make(chan string, 2)
	for _, node := range m.nodes {
		go func() {
			_, text := node.do(t, "POST", "/mcp", call, header)
			answers <- text
		}()
		m.eventually("somebody waits", func() bool {
			_, page := node.do(t, "GET", "/metrics", "", header)
			return strings.Contains(page, "brenner_waiters 1\n")
		})
	}
	time.Sleep(300 * time.Millisecond) // from the count to the first look
	began := time.Now()
	if code := m.nodes[0].call(t, other, "send_message", map[string]any{
		"sender_name": "RedSky", "to": []string{"BlueLake"}, "subject": "INFO: wake up", "body_md": "x",
	}); code != "" {
		t.Fatal(code)
	}
	got := []string{<-answers, <-answers}
	slices.SortFunc(got, func(a, b string) int { return strings.Index(a, "arrived") - strings.Index(b, "arrived") })
	if taken := got[0]; !strings.Contains(taken, `"status":"taken"`) || !strings.Contains(taken, `"taken":[1]`) ||
		strings.Contains(taken, "wake up") {
		t.Errorf("the slower got %s", taken)
	}
	if arrived := got[1]; !strings.Contains(arrived, `"status":"arrived"`) || !strings.Contains(arrived, "wake up") ||
		!strings.Contains(arrived, `"taken":[]`) {
		t.Errorf("the quicker got %s", arrived)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("the slower waited %s", took)
	}
}
