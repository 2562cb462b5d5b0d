package teamtest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var lasts = flag.Duration("lasts", 20*time.Second, "how long nodes and connections are killed")

const thread = "RS-20260110-team"

// deed is something that was acknowledged to an agent.
type deed struct {
	key string // of the message
	id  int64
}

// worker is an agent at work: it sends under keys, and waits for mail.
type worker struct {
	*agent
	others []string
	mu     sync.Mutex
	deeds  []deed
	got    map[int64]bool
}

// TestTeam: a session of three agents, a page that is read as a program reads it and one in a browser, through the proxy only,
// while nodes and connections are killed at random and the primary fails over once. Everything that was acknowledged is there
// exactly once, versions have no gaps, those who wait are served, the page is live again, nobody is reminded twice, and verify is clean.
func TestTeam(t *testing.T) {
	l := newLab(t, 3)
	names := []string{"BlueLake", "RedSky", "GreenHill"}
	tokens := map[string]string{}
	for _, name := range names {
		var made struct{ Token string }
		l.brenner(&made, "token", "create", name)
		tokens[name] = made.Token
	}
	var operator struct{ Token string }
	l.brenner(&operator, "token", "create", "--operator")
	for _, n := range l.nodes {
		n.start()
		t.Cleanup(func() { n.end(syscall.SIGTERM) })
	}
	t.Cleanup(l.logs)
	for _, n := range l.nodes {
		n.ready()
	}
	boss := &agent{lab: l, name: "Operator", token: operator.Token}
	roster := `[{"agentName":"BlueLake","role":"hypothesis_generator"},{"agentName":"RedSky","role":"test_designer"},` +
		`{"agentName":"GreenHill","role":"adversarial_critic"}]`
	_, err := boss.post("/api/v1/sessions", "kickoff", `{"question":"Who keeps the mail?","context":"Nodes die.","thread_id":"`+thread+
		`","roster":`+roster+`}`)
	l.must(err)

	var workers []*worker
	for _, name := range names {
		w := &worker{agent: &agent{lab: l, name: name, token: tokens[name]}, got: map[int64]bool{}}
		for _, other := range names {
			if other != name {
				w.others = append(w.others, other)
			}
		}
		workers = append(workers, w)
	}
	web := l.newPage(operator.Token)
	chromium := l.newBrowser()
	if chromium != nil {
		chromium.open(operator.Token)
	}
	listening, deaf := context.WithCancel(context.Background())
	defer deaf()
	var listeners, working, waiting sync.WaitGroup
	listeners.Go(func() { web.listen(listening) })

	var over, still atomic.Bool // nobody sends any more; nobody waits any more
	for _, w := range workers {
		working.Go(func() { w.work(&over) })
		waiting.Go(func() { w.wait(&still) })
	}
	var compiled atomic.Int64
	working.Go(func() {
		for i := 0; !over.Load(); i++ {
			if _, err := boss.post("/api/v1/sessions/"+thread+"/compile", fmt.Sprintf("compile %d", i), "{}"); err != nil {
				t.Error(err)
				return
			}
			compiled.Add(1)
			time.Sleep(300 * time.Millisecond)
		}
	})
	acts := l.havoc(*lasts)
	over.Store(true)
	working.Wait()

	// Quiet at last: what was asked for has to arrive.
	if chromium != nil {
		w := workers[0]
		l.must(w.call("send_message", map[string]any{
			"sender_name": w.name, "to": w.others, "thread_id": thread, "subject": "INFO: after the kills", "body_md": "Is the page live?",
			"idempotency_key": "after the kills",
		}, nil))
		chromium.sees("after the kills")
	}
	store := l.open()
	defer store.Close()
	messages := l.messages(store)
	last := messages[len(messages)-1].ID
	l.eventually("the page heard of the last message", func() bool {
		messages = l.messages(store) // reminders may still come
		last = messages[len(messages)-1].ID
		return web.last() == last
	})
	for _, w := range workers {
		l.eventually(w.name+" got all its mail", func() bool { return w.missing(messages) == 0 })
	}
	still.Store(true)
	waiting.Wait()
	deaf()
	listeners.Wait()
	if heard := len(web.seen); heard < len(messages) {
		t.Errorf("the page heard of %d messages of %d", heard, len(messages))
	}
	messages = l.messages(store) // reminders come as long as nobody acknowledges

	l.checkDeeds(workers, messages)
	l.checkVersions(messages)
	l.checkPage(web, messages)
	l.checkReminders(messages)
	var proved struct{ OK bool }
	l.brenner(&proved, "verify", thread)
	var calls, retries int64
	for _, a := range []*agent{workers[0].agent, workers[1].agent, workers[2].agent, boss, web.agent} {
		calls, retries = calls+a.calls.Load(), retries+a.retries.Load()
	}
	t.Logf("%d messages, %d compiles; %d calls, %d retries; the page was cut off %d times; %v", len(messages), compiled.Load(), calls,
		retries, web.cuts, acts)
}

// havoc kills nodes and connections for a while, and lets the primary fail over once. It returns what it did, counted.
func (l *lab) havoc(lasts time.Duration) map[string]int {
	acts := map[string]int{}
	primary := l.primary
	begun := time.Now()
	for failed := false; time.Since(begun) < lasts; {
		time.Sleep(time.Duration(300+rand.IntN(700)) * time.Millisecond)
		n := l.nodes[rand.IntN(len(l.nodes))]
		switch kind := rand.IntN(5); {
		case !failed && time.Since(begun) > lasts/2:
			failed = true
			primary.Crash(l)
			time.Sleep(300 * time.Millisecond)
			l.standby.Promote(l)
			primary = l.standby
			acts["failover"]++
		case kind < 2:
			n.end(syscall.SIGKILL)
			acts["kill"]++
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
			n.start()
		case kind == 2:
			n.end(syscall.SIGTERM)
			acts["stop"]++
			n.start()
		case kind == 3:
			primary.Sever(l)
			acts["sever"]++
		default:
			l.client.CloseIdleConnections()
		}
	}
	for _, n := range l.nodes {
		n.start()
		n.ready()
	}
	return acts
}

// work sends mail and contributions, each under a key of its own.
func (w *worker) work(over *atomic.Bool) {
	for i := 0; !over.Load(); i++ {
		key := fmt.Sprintf("%s %d", w.name, i)
		var sent struct {
			Deliveries []struct {
				Payload struct{ ID int64 }
			}
			MessageID int64 `json:"message_id"`
		}
		var err error
		switch i % 4 {
		case 0:
			err = w.call("brenner_submit", map[string]any{
				"thread_id": thread, "sender_name": w.name, "title": key, "idempotency_key": key,
				"deltas": []any{map[string]any{"operation": "ADD", "section": "assumption_ledger", "rationale": "r",
					"payload": map[string]any{
						"name": key, "statement": "Nothing is lost: " + key, "load": "all", "test": "this one", "status": "unchecked",
					}}},
			}, &sent)
		default:
			err = w.call("send_message", map[string]any{
				"sender_name": w.name, "to": []string{w.others[i%2]}, "subject": "INFO: " + key,
				"body_md":         strings.Repeat("x", rand.IntN(2000)),
				"idempotency_key": key, "ack_required": i%8 == 1,
			}, &sent)
		}
		if err != nil && strings.Contains(err.Error(), "SECTION_LIMIT") || err != nil &&
			strings.Contains(err.Error(), "VALIDATION_FAILED") {
			continue // refused, and so not there
		}
		if err != nil {
			w.Error(err)
			return
		}
		id := sent.MessageID
		if len(sent.Deliveries) > 0 {
			id = sent.Deliveries[0].Payload.ID
		}
		w.mu.Lock()
		w.deeds = append(w.deeds, deed{key, id})
		w.mu.Unlock()
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
	}
}

// wait takes mail as it comes. The agent keeps its own place: what a dying node had marked as fetched comes again.
func (w *worker) wait(over *atomic.Bool) {
	for after := int64(0); !over.Load(); {
		var arrived struct {
			Messages []struct{ ID int64 }
			AfterID  int64 `json:"after_id"`
		}
		if err := w.call("brenner_wait", map[string]any{"agent_name": w.name, "after_id": after, "timeout_seconds": 3, "limit": 50},
			&arrived); err != nil {
			w.Error(err)
			return
		}
		after = max(after, arrived.AfterID)
		w.mu.Lock()
		for _, m := range arrived.Messages {
			if w.got[m.ID] {
				w.Errorf("%s got message %d twice after %d", w.name, m.ID, after)
			}
			w.got[m.ID] = true
		}
		w.mu.Unlock()
	}
}

// missing counts the mail that has not reached the worker.
func (w *worker) missing(messages []mail.Message) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for i := range messages {
		if slices.Contains(messages[i].To, w.name) && !w.got[messages[i].ID] {
			n++
		}
	}
	return n
}

func (l *lab) eventually(what string, done func() bool) {
	l.Helper()
	for end := time.Now().Add(60 * time.Second); !done(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			l.Errorf("it never happened that %s", what)
			return
		}
	}
}

func (l *lab) open() mail.Store {
	l.Helper()
	store, err := app.OpenStore(l.Context(), l.dsn)
	l.must(err)
	return store
}

func (l *lab) messages(store mail.Store) []mail.Message {
	l.Helper()
	projects, err := store.Projects(l.Context())
	l.must(err)
	messages, err := store.Messages(l.Context(), mail.MessageQuery{Project: projects[0].ID})
	l.must(err)
	return messages
}

// checkDeeds: what was acknowledged is there, under its id, and under its key once.
func (l *lab) checkDeeds(workers []*worker, messages []mail.Message) {
	l.Helper()
	byKey := map[string][]int64{}
	for i := range messages {
		if m := &messages[i]; m.Key != "" {
			byKey[m.Key] = append(byKey[m.Key], m.ID)
		}
		if m := &messages[i]; m.ID != int64(i+1) {
			l.Fatalf("message %d stands at place %d", m.ID, i+1)
		}
	}
	n := 0
	for _, w := range workers {
		for _, d := range w.deeds {
			n++
			if ids := byKey["key:"+d.key]; len(ids) != 1 || ids[0] != d.id {
				l.Errorf("%q was acknowledged as message %d; there are %v", d.key, d.id, ids)
			}
		}
	}
	if n < 50 {
		l.Errorf("only %d messages were acknowledged: that proves little", n)
	}
}

// checkVersions: they count without gaps.
func (l *lab) checkVersions(messages []mail.Message) {
	l.Helper()
	want := 1
	for i := range messages {
		if m := &messages[i]; m.Type == protocol.TypeCompiled {
			if m.Version != want {
				l.Errorf("version %d comes after %d", m.Version, want-1)
			}
			want = m.Version + 1
		}
	}
	if want < 3 {
		l.Errorf("%d versions prove little", want-1)
	}
}

// checkPage: it heard of every message up to its end, once and in order, and shows the latest version.
func (l *lab) checkPage(web *page, messages []mail.Message) {
	l.Helper()
	for i, id := range web.seen {
		if i >= len(messages) || id != messages[i].ID {
			l.Errorf("at place %d of %d the page heard of message %d", i, len(messages), id)
			break
		}
		if i > 0 && number(web.ids[i]) <= number(web.ids[i-1]) {
			l.Errorf("event %s follows %s", web.ids[i], web.ids[i-1])
		}
	}
	latest := 0
	for i := range messages {
		latest = max(latest, messages[i].Version)
	}
	shown, err := web.show("/t/" + thread)
	if err != nil || !strings.Contains(shown, fmt.Sprintf("v%d", latest)) {
		l.Errorf("the page of the session does not show version %d: %v", latest, err)
	}
}

// checkReminders: nobody is reminded of the same twice, nor more often than the policy says, nor escalated twice.
func (l *lab) checkReminders(messages []mail.Message) {
	l.Helper()
	reminders, escalations := map[int64]int{}, map[int64]int{}
	for i := range messages {
		m := &messages[i]
		switch {
		case !strings.EqualFold(m.From, mail.Operator) || m.ReplyTo == 0 || m.Key == "":
		case m.Type == protocol.TypeBlocked:
			escalations[m.ReplyTo]++
		case m.Type == protocol.TypeInfo:
			reminders[m.ReplyTo]++
		}
	}
	for id, n := range reminders {
		if n > 2 {
			l.Errorf("message %d has %d reminders", id, n)
		}
	}
	for id, n := range escalations {
		if n > 1 {
			l.Errorf("message %d was escalated %d times", id, n)
		}
	}
	if len(reminders) == 0 || len(escalations) == 0 && *lasts >= 20*time.Second {
		l.Errorf("%d messages with reminders, %d with escalations: that proves little", len(reminders), len(escalations))
	}
	keys := map[string]bool{}
	for i := range messages {
		if k := messages[i].Key; k != "" && keys[k] {
			l.Errorf("the key %q is there twice", k)
		} else {
			keys[k] = true
		}
	}
}

// logs judges what the servers had to say, and shows it if the test failed.
func (l *lab) logs() {
	files, _ := filepath.Glob(filepath.Join(l.dir, "*.log"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		l.must(err)
		if at := bytes.Index(text, []byte("WARNING: DATA RACE")); at >= 0 {
			l.Errorf("%s: %s", filepath.Base(file), text[at:min(len(text), at+6000)])
		}
		if l.Failed() {
			l.Logf("%s ends with: %s", filepath.Base(file), text[max(0, len(text)-3000):])
		}
	}
}
