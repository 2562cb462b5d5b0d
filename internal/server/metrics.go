package server

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// Metrics count what the server does. Safe for concurrent use.
type Metrics struct {
	started time.Time

	mu          sync.Mutex
	requests    map[requestKind]uint64
	inFlight    int
	calls       map[callKind]uint64
	seconds     map[string]float64 // by tool
	reminders   uint64
	escalations uint64
}

type requestKind struct {
	route  route
	status int
}

type callKind struct {
	tool string
	code protocol.Code // empty: it worked
}

// NewMetrics begins to count. now is the clock; nil: time.Now.
func NewMetrics(now func() time.Time) *Metrics {
	if now == nil {
		now = time.Now
	}
	return &Metrics{
		started: now(), requests: map[requestKind]uint64{}, calls: map[callKind]uint64{}, seconds: map[string]float64{},
	}
}

func (m *Metrics) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

func (m *Metrics) end(at route, status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight--
	m.requests[requestKind{at, status}]++
}

func (m *Metrics) acks(reminders, escalations int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reminders += uint64(reminders)
	m.escalations += uint64(escalations)
}

// ToolCall counts a call of a known tool; an empty code says that it worked.
func (m *Metrics) ToolCall(tool string, took time.Duration, code protocol.Code) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[callKind{tool, code}]++
	m.seconds[tool] += took.Seconds()
}

// sending are the tools whose success sends a message.
var sending = map[string]bool{"send_message": true, "reply_message": true, "brenner_submit": true}

const readyHelp = "1 if the store proved that it can write."

// serveMetrics writes the text format of Prometheus.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	var page exposition
	s.metrics.write(&page, s.options.Now())
	if s.deps.Waiters != nil {
		page.gauge("brenner_waiters", "Calls that wait for mail.", float64(s.deps.Waiters()))
	}
	// Metrics come from a probe that is shared: a scraper never makes the store busy.
	status, err := s.ready.check(r.Context())
	if err != nil {
		page.gauge("brenner_store_ready", readyHelp, 0)
	} else {
		page.gauge("brenner_store_ready", readyHelp, 1)
		page.gauge("brenner_store_messages", "Id of the last message.", float64(status.Messages))
		page.gauge("brenner_search_lag_messages", "Messages that the search index is behind.", float64(status.Lag()))
	}
	processMetrics(&page)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(page.Bytes()) // the client is gone
}

func (m *Metrics) write(page *exposition, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	page.gauge("brenner_uptime_seconds", "Since the server started.", now.Sub(m.started).Seconds())
	page.gauge("brenner_http_requests_in_flight", "Requests under way.", float64(m.inFlight))
	page.head("brenner_http_requests_total", "counter", "Requests, by address and status.")
	for _, kind := range sortedKeys(m.requests, func(a, b requestKind) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	}) {
		page.sample("brenner_http_requests_total", float64(m.requests[kind]), "route", string(kind.route), "status",
			strconv.Itoa(kind.status))
	}
	m.writeCalls(page)
	page.counter("brenner_ack_reminders_total", "Reminders posted.", m.reminders)
	page.counter("brenner_ack_escalations_total", "Escalations posted.", m.escalations)
}

func (m *Metrics) writeCalls(page *exposition) {
	var sends, refusals uint64
	page.head("brenner_tool_calls_total", "counter", "Tool calls, by tool and code of the failure (ok: none).")
	for _, kind := range sortedKeys(m.calls, func(a, b callKind) int {
		return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.code, b.code))
	}) {
		n := m.calls[kind]
		page.sample("brenner_tool_calls_total", float64(n), "tool", kind.tool, "code", cmp.Or(string(kind.code), "ok"))
		switch {
		case !sending[kind.tool]:
		case kind.code == "":
			sends += n
		default:
			refusals += n
		}
	}
	page.head("brenner_tool_seconds_total", "counter", "Time spent in tool calls, by tool.")
	for _, tool := range slices.Sorted(maps.Keys(m.seconds)) {
		page.sample("brenner_tool_seconds_total", m.seconds[tool], "tool", tool)
	}
	page.counter("brenner_sends_total", "Messages sent through tools.", sends)
	page.counter("brenner_refusals_total", "Messages refused at the door, for whatever reason.", refusals)
}

func processMetrics(page *exposition) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	page.gauge("go_goroutines", "Goroutines.", float64(runtime.NumGoroutine()))
	page.gauge("go_memstats_heap_alloc_bytes", "Heap in use.", float64(mem.HeapAlloc))
	page.gauge("go_memstats_sys_bytes", "Memory taken from the system.", float64(mem.Sys))
	page.counter("go_gc_cycles_total", "Garbage collections.", uint64(mem.NumGC))
}

func sortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), compare)
}

// exposition is a page in the text format of Prometheus.
type exposition struct{ bytes.Buffer }

func (e *exposition) head(name, kind, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes one value; labels are pairs of name and value. None of them holds a quote, a
// backslash or a newline: tools, codes and routes are our own words.
func (e *exposition) sample(name string, value float64, labels ...string) {
	e.WriteString(name)
	for i := 0; i < len(labels); i += 2 {
		e.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(e, "%s=%q", labels[i], labels[i+1])
	}
	if len(labels) > 0 {
		e.WriteByte('}')
	}
	e.WriteByte(' ')
	e.WriteString(strconv.FormatFloat(value, 'g', -1, 64))
	e.WriteByte('\n')
}

func (e *exposition) gauge(name, help string, value float64) {
	e.head(name, "gauge", help)
	e.sample(name, value)
}

func (e *exposition) counter(name, help string, value uint64) {
	e.head(name, "counter", help)
	e.sample(name, float64(value))
}

// bytesText writes a size for a person.
func bytesText(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return strconv.FormatInt(n>>20, 10) + " MiB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
