package science_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// thread is a thread that a test writes message by message.
type thread struct {
	t     *testing.T
	fold  *merge.State
	state *science.State
	last  int64
}

func newThread(t *testing.T) *thread {
	return &thread{t: t, fold: merge.New("RS-20260110-cells-turn"), state: &science.State{}}
}

var dawn = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

// post takes a message and returns its id. Ids have gaps, as in a project with several threads.
func (th *thread) post(from, subject, body string) int64 {
	th.last += 10
	m := message.Message{
		ID: th.last, ThreadID: th.fold.ThreadID(), From: from, Subject: subject, Body: body,
		CreatedAt: dawn.Add(time.Duration(th.last) * time.Second), Intake: protocol.Strict,
	}
	report := th.fold.Fold(m)
	th.state.Advance(&m, &report, th.fold.Artifact())
	return th.last
}

// delta posts blocks, all of which must be applied.
func (th *thread) delta(from string, blocks ...string) int64 {
	th.t.Helper()
	id := th.send(from, blocks...)
	window := th.fold.Window()
	if r := window.Messages[len(window.Messages)-1]; r.MessageID != id || r.Applied != len(blocks) {
		th.t.Fatalf("message %d applied %d of %d blocks: %v", id, r.Applied, len(blocks), r.Findings())
	}
	return id
}

// send posts blocks, whatever becomes of them.
func (th *thread) send(from string, blocks ...string) int64 {
	th.t.Helper()
	body := "# Delta\n"
	for _, b := range blocks {
		body += "\n" + b
	}
	return th.post(from, "DELTA[gpt]: more", body)
}

type fields map[string]any

func block(operation, section, target string, payload fields) string {
	object := fields{"operation": operation, "section": section, "payload": payload, "rationale": "r"}
	if target != "" {
		object["target_id"] = target
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("```delta\n%s\n```\n", data)
}

func addHypothesis(name string) string {
	return block("ADD", "hypothesis_slate", "", fields{"name": name, "claim": name + " explains it", "mechanism": "m",
		"anchors": []string{"inference"}})
}

func addTest(expected fields, more ...fields) string {
	payload := fields{"name": "test", "procedure": "look", "discriminates": "H1 vs H2", "expected_outcomes": expected}
	for _, m := range more {
		maps.Copy(payload, m)
	}
	return block("ADD", "discriminative_tests", "", payload)
}

func editTest(id string, payload fields) string {
	return block("EDIT", "discriminative_tests", id, payload)
}

func ran(outcome string) fields {
	return fields{"status": "passed", "last_run": fields{"outcome": outcome}}
}

func explored(outcome string) fields {
	return fields{"status": "passed", "last_run": fields{"outcome": outcome, "exploratory": true}}
}
