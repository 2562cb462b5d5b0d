package api_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/api"
	"brenner/internal/mail"
	"brenner/internal/message"
)

// listener reads server-sent events.
type listener struct {
	lines  chan string
	cancel context.CancelFunc
	status int
}

func (p *project) listen(t *testing.T, query string, header ...string) *listener {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/v1/events"+query, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req) //nolint:bodyclose // cancel closes it
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{lines: make(chan string, 1000), status: resp.StatusCode}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(l.lines)
		for scan := bufio.NewScanner(resp.Body); scan.Scan(); {
			l.lines <- scan.Text()
		}
	}()
	l.cancel = func() { cancel(); resp.Body.Close(); <-done }
	t.Cleanup(l.cancel)
	return l
}

// next returns the next line that begins with a word.
func (l *listener) next(t *testing.T, prefix string) string {
	t.Helper()
	for line := range l.lines {
		if rest, ok := strings.CutPrefix(line, prefix+": "); ok {
			return rest
		}
	}
	t.Fatalf("the stream ended before %q", prefix)
	return ""
}

func (p *project) post(t *testing.T, threadID, text string) mail.Message {
	t.Helper()
	sent, err := p.sessions.Mail().Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		ThreadID: threadID, From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: " + text, Body: "# News\n\n" + text,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return sent.Message
}

// TestEvents: who listens hears of what happens, also of one thread alone, and goes on without a gap.
func TestEvents(t *testing.T) {
	p := newProject(t, api.Options{})
	p.populate(t)
	all, one := p.listen(t, ""), p.listen(t, "?thread="+thread)
	place := one.next(t, "id") // the place of the beginning
	p.post(t, "", "elsewhere")
	m := p.post(t, thread, "here")
	all.next(t, "id")
	if data := all.next(t, "data"); !strings.Contains(data, `"thread_id":""`) {
		t.Errorf("the first event: %s", data)
	}
	all.next(t, "data")
	if event := one.next(t, "event"); event != "message" {
		t.Errorf("event %s", event)
	}
	if data := one.next(t, "data"); !strings.Contains(data, fmt.Sprintf(`"message_id":%d`, m.ID)) ||
		!strings.Contains(data, `"agent":"BlueLake"`) {
		t.Errorf("the event: %s", data)
	}
	if _, err := p.sessions.Mail().MarkRead(t.Context(), "RedSky", m.ID); err != nil {
		t.Fatal(err)
	}
	if data := one.next(t, "data"); !strings.Contains(data, `"state":"read"`) || !strings.Contains(data, `"agent":"RedSky"`) {
		t.Errorf("the delivery: %s", data)
	}
	again := p.listen(t, "?after=0", "Last-Event-ID", place)
	if data := again.next(t, "data"); !strings.Contains(data, `"thread_id":""`) {
		t.Errorf("going on after %s began with %s", place, data)
	}
	other := p.listen(t, "?after="+place, "Test-Caller", "BlueLake")
	other.next(t, "data")
	other.next(t, "data")
	if data := other.next(t, "data"); !strings.Contains(data, `"agent":""`) {
		t.Errorf("an agent hears who read what: %s", data)
	}
}

// TestEventsFromTheBeginning: a place far behind is caught up from the store, in order and once.
func TestEventsFromTheBeginning(t *testing.T) {
	p := newProject(t, api.Options{})
	p.populate(t)
	const many = 600 // more than a page
	all := make([]mail.Outgoing, many)
	for i := range all {
		all[i].Draft = message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: " + strconv.Itoa(i), Body: "x"}
	}
	if _, err := p.sessions.Mail().SendAll(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
	l := p.listen(t, "?after=0")
	last := int64(-1)
	for range many {
		id, err := strconv.ParseInt(l.next(t, "id"), 10, 64)
		if err != nil || id <= last {
			t.Fatalf("event %d after %d (%v)", id, last, err)
		}
		last = id
	}
}

// TestEventBounds: places that cannot be are refused or harmless, and no more than so many may listen.
func TestEventBounds(t *testing.T) {
	p := newProject(t, api.Options{Listeners: 2})
	p.populate(t)
	for _, query := range []string{"?after=x", "?after=-1", "?since=1"} {
		if a := p.do(t, http.MethodGet, "/api/v1/events"+query, ""); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d", query, a.status)
		}
	}
	if a := p.do(t, http.MethodHead, "/api/v1/events", ""); a.status != http.StatusOK ||
		a.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %d %v", a.status, a.header) // and it ends
	}
	future := p.listen(t, "?after=99999999")
	future.next(t, "id")
	second := p.listen(t, "")
	second.next(t, "id")
	if third := p.listen(t, ""); third.status != http.StatusServiceUnavailable {
		t.Errorf("a third: %d", third.status)
	}
	p.post(t, thread, "news")
	future.next(t, "data")
	second.cancel()
	deadline := time.Now().Add(10 * time.Second)
	for {
		l := p.listen(t, "")
		if l.status == http.StatusOK {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the place of one who left stays taken")
		}
	}
}

// TestEventsSlowReader: a client that does not read delays no other.
func TestEventsSlowReader(t *testing.T) {
	p := newProject(t, api.Options{})
	p.populate(t)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/api/v1/events?after=0", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Body.Close()
	defer cancel()
	quick := p.listen(t, "")
	quick.next(t, "id")
	const many = 2000
	all := make([]mail.Outgoing, many)
	for i := range all {
		all[i].Draft = message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: " + strconv.Itoa(i), Body: "x"}
	}
	if _, err := p.sessions.Mail().SendAll(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
	for range many {
		quick.next(t, "data")
	}
}

// TestEventsShared: many who listen, come and go while mail arrives; all that stay hear of everything, and
// nothing is left behind (goleak).
func TestEventsShared(t *testing.T) {
	p := newProject(t, api.Options{})
	p.populate(t)
	const listeners, messages = 20, 30
	all := make([]*listener, listeners)
	for i := range all {
		all[i] = p.listen(t, "?thread="+thread)
		all[i].next(t, "id")
	}
	for i := range messages {
		p.post(t, thread, strconv.Itoa(i))
		if i == messages/2 {
			all[0].cancel()
		}
	}
	var wait sync.WaitGroup
	for _, l := range all[1:] {
		wait.Go(func() {
			for range messages {
				l.next(t, "data")
			}
		})
	}
	wait.Wait()
	p.api.Close()
	for range all[1].lines { // the stream ends with the API
	}
	if a := p.do(t, http.MethodGet, "/api/v1/events", ""); a.status != http.StatusServiceUnavailable {
		t.Errorf("a closed API: %d", a.status)
	}
}
