package server_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/protocol"
	"brenner/internal/server"
)

// failing is a store whose writes fail, or hang, from some moment on.
type failing struct {
	mail.Store
	mode   atomic.Int32 // 0: works, 1: fails, 2: hangs
	probes atomic.Int32
}

func (f *failing) Status(ctx context.Context) (mail.Status, error) {
	f.probes.Add(1)
	switch f.mode.Load() {
	case 1:
		return mail.Status{}, protocol.Errorf(protocol.StoreUnavailable, "cannot write: %w", os.ErrPermission)
	case 2:
		<-ctx.Done()
		return mail.Status{}, ctx.Err()
	}
	return f.Store.Status(ctx)
}

// TestReadiness: fails within seconds when the store cannot write or hangs, and comes back.
func TestReadiness(t *testing.T) {
	store := &failing{Store: memory.New()}
	h := open(t, store, nil, server.Options{Limits: server.Limits{Probe: 300 * time.Millisecond}})
	for _, step := range []struct {
		mode int32
		want int
	}{{0, 200}, {1, 503}, {2, 503}, {0, 200}} {
		store.mode.Store(step.mode)
		began := time.Now()
		for {
			status, body, _ := h.ask(t, "GET", "/health/readiness", "")
			if status == step.want {
				if want := map[int]string{200: `"status":"ready"`, 503: "STORE_UNAVAILABLE"}[step.want]; !strings.Contains(body, want) {
					t.Errorf("mode %d: %s", step.mode, body)
				}
				break
			}
			if time.Since(began) > 5*time.Second {
				t.Fatalf("mode %d: still %d %s", step.mode, status, body)
			}
			time.Sleep(20 * time.Millisecond)
		}
		if status, _, _ := h.ask(t, "GET", "/health/liveness", ""); status != 200 {
			t.Errorf("mode %d: not alive: %d", step.mode, status)
		}
	}
	if status, _, header := h.ask(t, "POST", "/health/readiness", ""); status != 405 || header.Get("Allow") == "" {
		t.Errorf("POST: %d", status)
	}
}

// TestProbesAreShared: asking often does not make the store write often.
func TestProbesAreShared(t *testing.T) {
	store := &failing{Store: memory.New()}
	h := open(t, store, nil, server.Options{})
	began := time.Now()
	for range 50 {
		h.ask(t, "GET", "/health/readiness", "")
	}
	if most := int32(time.Since(began)/(500*time.Millisecond)) + 1; store.probes.Load() > most {
		t.Errorf("%d probes, at most %d expected", store.probes.Load(), most)
	}
}

func TestMetrics(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{})
	h.metrics.ToolCall("send_message", time.Second/4, "")
	h.metrics.ToolCall("send_message", time.Second/4, protocol.ValidationFailed)
	h.metrics.ToolCall("fetch_inbox", time.Second, "")
	h.ask(t, "GET", "/nowhere", "")
	status, page, header := h.ask(t, "GET", "/metrics", "")
	if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %v", status, header)
	}
	for _, line := range []string{
		`brenner_tool_calls_total{tool="send_message",code="ok"} 1`,
		`brenner_tool_calls_total{tool="send_message",code="VALIDATION_FAILED"} 1`,
		`brenner_tool_seconds_total{tool="send_message"} 0.5`,
		"brenner_sends_total 1", "brenner_refusals_total 1", "brenner_store_ready 1", "brenner_search_lag_messages 0",
		`brenner_http_requests_total{route="none",status="404"} 1`, "brenner_http_requests_in_flight 1",
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("no %q", line)
		}
	}
	for line := range strings.Lines(page) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); !strings.HasPrefix(line, "#") &&
			(!ok || name == "" || value == "") {
			t.Errorf("not a sample: %q", line)
		}
	}
}

// TestMetricsAreOnlyRead: nothing writes there, whatever a program sends.
func TestMetricsAreOnlyRead(t *testing.T) {
	h := open(t, memory.New(), nil, server.Options{})
	for method, want := range map[string]int{"GET": 200, "HEAD": 200, "POST": 405, "DELETE": 405} {
		if status, body, _ := h.ask(t, method, "/metrics", ""); status != want {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
}

// TestOverdueAcksAreChased: the server makes the passes by itself.
func TestOverdueAcksAreChased(t *testing.T) {
	store := memory.New()
	project, _ := store.EnsureProject(t.Context(), "/lab", time.Now())
	past := mail.NewService(store, project, mail.Options{Now: func() time.Time { return time.Now().Add(-2 * time.Hour) }})
	if err := past.EnsureAgents(t.Context(), "A", "B"); err != nil {
		t.Fatal(err)
	}
	yes := true
	out := mail.Outgoing{}
	out.From, out.To, out.Subject, out.Body, out.AckRequired = "A", []string{"B"}, "hello", "x", &yes
	if _, err := past.Send(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	h := open(t, store, nil, server.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for e, err := range h.mail.Follow(ctx, 0) {
		if err != nil {
			t.Fatal(errors.Join(err, errors.New("no reminder came")))
		}
		if e.Kind == mail.EventMessage && e.Agent == mail.Operator {
			return
		}
	}
}
