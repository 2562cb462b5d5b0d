package mailtest

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/mail"
)

var crashCycles = flag.Int("crash.cycles", 200, "how often RunCrash kills a sending process")

// What the parent tells a child process.
const (
	crashPlace = "BRENNER_CRASH_PLACE"
	crashName  = "BRENNER_CRASH_NAME"
	crashTask  = "BRENNER_CRASH_TASK" // archiving; otherwise it sends
)

// RunCrash kills processes in the middle of sending, again and again, two at a time on the same
// data, and checks that everything they were told was accepted is there, once, with its chain
// and with versions without gaps. place names the data of a store in a form that CrashChild's open
// understands.
func RunCrash(t *testing.T, engine Engine, place func(s mail.Store) string) {
	f := newFixture(t, engine)
	for _, thread := range crashThreads {
		f.send(thread, 1)
	}
	h := &crashHarness{fixture: f, place: place(f.store), told: map[string]bool{}}
	begun := time.Now()
	var wg sync.WaitGroup
	for slot := range 2 {
		wg.Go(func() {
			for i := slot; i < *crashCycles && !t.Failed(); i += 2 {
				h.cycle(i)
			}
		})
	}
	wg.Wait()
	h.check()
	t.Logf("%d kills in %s, %d messages told, %d there", *crashCycles, time.Since(begun).Round(time.Millisecond), len(h.told),
		len(f.messages(mail.MessageQuery{})))
}

type crashHarness struct {
	*fixture
	place string
	mu    sync.Mutex
	told  map[string]bool // keys that a child was told were accepted
}

// cycle starts a child, kills it at a random moment after its first message, and looks for what it
// was told.
func (h *crashHarness) cycle(n int) {
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), crashPlace+"="+h.place, fmt.Sprintf("%s=c%d", crashName, n))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		h.Error(err)
		return
	}
	var told []string
	var once sync.Once
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadString('\n')
		if err != nil { // a torn line was not told
			break
		}
		told = append(told, strings.TrimSpace(line))
		once.Do(func() {
			time.AfterFunc(time.Duration(rand.Int64N(int64(60*time.Millisecond))), func() { _ = child.Process.Kill() })
		})
	}
	_ = child.Wait() // killed, as it should be
	if len(told) == 0 {
		h.Errorf("cycle %d: the child was told nothing", n)
	}
	h.find(n, told)
}

// find checks that all keys are there, once.
func (h *crashHarness) find(n int, told []string) {
	found, err := h.store.Messages(h.ctx, mail.MessageQuery{Project: h.project, Keys: told})
	if err != nil {
		h.Error(err)
		return
	}
	if len(found) != len(told) {
		h.Errorf("cycle %d: %d messages were accepted, %d are there", n, len(told), len(found))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range told {
		h.told[key] = true
	}
}

// check looks at everything once all is over.
func (h *crashHarness) check() {
	h.Helper()
	all := h.messages(mail.MessageQuery{})
	keys := map[string]bool{}
	for i, m := range all {
		if m.ID != int64(i+1) {
			h.Fatalf("message %d is the %dth", m.ID, i+1)
		}
		if m.Key != "" && keys[m.Key] {
			h.Fatalf("key %s is there twice", m.Key)
		}
		keys[m.Key] = true
	}
	for key := range h.told {
		if !keys[key] {
			h.Errorf("%s was accepted and is gone", key)
		}
	}
	for _, thread := range crashThreads {
		h.checkVersions(h.checkChain(thread))
	}
	h.checkDerived(all)
	h.checkJournal()
}

func (h *crashHarness) checkVersions(messages []mail.Message) {
	h.Helper()
	version := 0
	for i, m := range messages {
		if m.Version > 0 {
			version++
			h.same("a version", m.Version, version)
			h.same("what a version covers", m.Body, coverage(messages[:i]))
		}
	}
	if version == 0 {
		h.Error("no version was published")
	}
}

// checkDerived: each message has its event and its delivery.
func (h *crashHarness) checkDerived(all []mail.Message) {
	h.Helper()
	seen := map[int64]int{}
	for _, e := range h.events(0) {
		if e.Kind == mail.EventMessage {
			seen[e.Message]++
		}
	}
	for _, m := range all {
		if seen[m.ID] != 1 {
			h.Fatalf("message %d has %d events", m.ID, seen[m.ID])
		}
	}
	h.same("deliveries", len(h.inbox(mail.InboxQuery{Agent: "RedSky"})), len(all))
}
