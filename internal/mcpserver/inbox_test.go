package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestManyMessages are fetched in pages, without a gap; an answer that grows too large ends
// early.
func TestManyMessages(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake", "RedSky")
	for i := range 250 {
		post(t, s, "RedSky", "BlueLake", fmt.Sprintf("INFO: message %d", i), "x")
	}
	s.projects.home.weight = 1 << 20
	for i := range 60 {
		post(t, s, "BlueLake", "RedSky", fmt.Sprintf("INFO: large %d", i), strings.Repeat("x", 1<<15))
	}
	w := &httpWire{url: serve(t, s).URL}
	for arguments, want := range map[string]int{
		`{"project_key":"srv-cells","agent_name":"BlueLake","limit":1000}`:                    250,
		`{"project_key":"srv-cells","agent_name":"BlueLake","limit":200}`:                     200,
		`{"project_key":"srv-cells","agent_name":"BlueLake","limit":201}`:                     201,
		`{"project_key":"srv-cells","agent_name":"BlueLake"}`:                                 20,
		`{"project_key":"srv-cells","agent_name":"RedSky","limit":60}`:                        60,
		`{"project_key":"srv-cells","agent_name":"RedSky","limit":60,"include_bodies":"yes"}`: 50,
	} {
		var list listing[struct{ ID int64 }]
		result := callOver(t, w, "fetch_inbox", arguments)
		if err := json.Unmarshal(result.Structured, &list); err != nil || len(list.Result) != want {
			t.Errorf("%s: %d messages, want %d", arguments, len(list.Result), want)
		}
		for i := 1; i < len(list.Result); i++ {
			if list.Result[i].ID >= list.Result[i-1].ID {
				t.Fatalf("%s: message %d after %d", arguments, list.Result[i].ID, list.Result[i-1].ID)
			}
		}
	}
}

// TestWaitGoesOn: what waits is handed out oldest first, a limit at a time, and nothing twice.
func TestWaitGoesOn(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	for i := range 250 {
		post(t, s, "BlueLake", "BlueLake", fmt.Sprintf("INFO: message %d", i), "x")
	}
	w := &httpWire{url: serve(t, s).URL}
	next := int64(1)
	for next <= 250 {
		var answer waitAnswer
		result := callOver(t, w, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake","limit":30,"timeout_seconds":0}`)
		if err := json.Unmarshal(result.Structured, &answer); err != nil || answer.Count == 0 ||
			answer.AfterID != answer.Messages[answer.Count-1].ID {
			t.Fatalf("%v: %s", err, result.Structured)
		}
		for _, m := range answer.Messages {
			if m.ID != next {
				t.Fatalf("message %d, want %d", m.ID, next)
			}
			next++
		}
	}
	result := callOver(t, w, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake","timeout_seconds":0}`)
	if !strings.Contains(string(result.Structured), "nothing_yet") {
		t.Errorf("at the end: %s", result.Structured)
	}
}

// waited calls brenner_wait, which must not wait, and returns the ids.
func waited(t *testing.T, w *httpWire, arguments string) []int64 {
	t.Helper()
	result := callOver(t, w, "brenner_wait", `{"project_key":"srv-cells","agent_name":"BlueLake","timeout_seconds":0`+arguments+`}`)
	var answer waitAnswer
	if err := json.Unmarshal(result.Structured, &answer); err != nil {
		t.Fatalf("%v: %s", err, result.Structured)
	}
	ids := []int64{}
	for _, m := range answer.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}

// TestWaitBesideFetching: what fetch_inbox handed out does not hide what is older, on a thread or over all.
func TestWaitBesideFetching(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	for i := range 6 {
		post(t, s, "BlueLake", "BlueLake", fmt.Sprintf("INFO: message %d", i), "x")
	}
	w := &httpWire{url: serve(t, s).URL}
	callOver(t, w, "fetch_inbox", `{"project_key":"srv-cells","agent_name":"BlueLake","limit":2}`)
	for _, step := range []struct {
		arguments string
		want      []int64
	}{
		{`,"limit":3`, []int64{1, 2, 3}},
		{`,"after_id":2,"limit":2`, []int64{3, 4}}, // who keeps its own place gets what was fetched too
		{``, []int64{}},
		{`,"after_id":4`, []int64{5, 6}},
	} {
		if got := waited(t, w, step.arguments); !slices.Equal(got, step.want) {
			t.Errorf("%s: %v, want %v", step.arguments, got, step.want)
		}
	}
}

// TestWaitersAtOnce: each message reaches one of the calls that wait for it.
func TestWaitersAtOnce(t *testing.T) {
	s := newServer(t, Options{})
	populate(t, s, "BlueLake")
	const messages = 1200 // more than one look takes
	for i := range messages {
		post(t, s, "BlueLake", "BlueLake", fmt.Sprintf("INFO: message %d", i), "x")
	}
	w := &httpWire{url: serve(t, s).URL}
	seen := make(chan int64, 2*messages)
	var waiters sync.WaitGroup
	for range 4 {
		waiters.Go(func() {
			for {
				ids := waited(t, w, `,"limit":70`)
				if len(ids) == 0 {
					return
				}
				for _, id := range ids {
					seen <- id
				}
			}
		})
	}
	waiters.Wait()
	close(seen)
	times := map[int64]int{}
	for id := range seen {
		times[id]++
	}
	for id := int64(1); id <= messages; id++ {
		if times[id] != 1 {
			t.Fatalf("message %d reached a waiter %d times", id, times[id])
		}
	}
}
