package teamtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// layout is what a store is filled with. Sessions are worked on a hundred at a time, each by three agents, and are as long as each
// other.
type layout struct{ messages, sessions, agents int }

// active is how many sessions are under way at a time.
func (l layout) active() int { return min(100, l.sessions) }

// place returns the session of a message and its place there. What comes after the fill goes to the last sessions.
func (l layout) place(i int) (session, place int) {
	active := l.active()
	length := l.messages / l.sessions
	block := min(i/(active*length), l.sessions/active-1)
	return block*active + i%active, (i - block*active*length) / active
}

// rare is how many words there are that twenty messages have each.
func (l layout) rare() int { return l.messages / 20 }

// depot is a store with agents, as a node has it.
type depot struct {
	testing.TB
	layout
	store       mail.Store
	dsn         string
	projectPath string
	project     mail.ProjectID
	sent        atomic.Int64 // after the fill
	node        *node        // from serve on
	page        *page
}

func openDepot(b testing.TB, dsn string, l layout) *depot {
	b.Helper()
	store, err := app.OpenStore(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	d := &depot{TB: b, layout: l, store: store, dsn: dsn, projectPath: filepath.Join(os.TempDir(), "brenner-scale")}
	if err := os.MkdirAll(d.projectPath, 0o755); err != nil {
		b.Fatal(err)
	}
	project, err := store.EnsureProject(b.Context(), d.projectPath, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	d.project = project.ID
	for i := range l.agents {
		_, err := store.PutAgent(b.Context(), mail.Agent{Project: project.ID, Name: agentName(i), InceptionAt: time.Now(),
			LastActiveAt: time.Now()})
		if err != nil && protocol.CodeOf(err) != protocol.Conflict {
			b.Fatal(err)
		}
	}
	return d
}

func agentName(i int) string { return fmt.Sprintf("Agent%d", i) }

func sessionName(i int) string { return fmt.Sprintf("RS-20260110-scale-%05d", i) }

const kickoffBody = "# Cells\n\n## Research Question\nDo cells keep their fate when they are moved?\n\n## Context\nTwo accounts make the " +
	"same prediction.\n\n" +
	"## Excerpt\n> A cell can remember who its ancestors were. (§42)\n\n" +
	"## Requested Outputs\nThree hypotheses, and tests that tell them apart.\n"

const deltaBody = "# Delta Contribution\n\n## Deltas\n\n```delta\n" +
	`{"operation":"ADD","section":"discriminative_tests","target_id":null,"payload":{"name":"Transplant",` +
	`"procedure":"Move cells at five delays","discriminates":"H1 vs H2","expected_outcomes":{"H1":"they switch","H2":"they stay"},` +
	`"score":{"likelihood_ratio":2,"cost":1}},"rationale":"It tells them apart."}` + "\n```\n"

// entry is message i: a KICKOFF, a DELTA, then ordinary messages of about a kilobyte with words that are common, one that a thousandth
// of the messages has, and one that twenty have.
func (d *depot) entry(i int) mail.Entry {
	session, place := d.place(i)
	e := mail.Entry{Message: message.Message{
		ThreadID: sessionName(session), From: d.member(session, i), To: []string{d.member(session, i+1)}, Importance: message.Normal,
		Intake: protocol.Strict,
	}}
	switch place {
	case 0:
		e.Type, e.Message.Subject, e.Message.Body = protocol.TypeKickoff, "KICKOFF: cells", kickoffBody
	case 1:
		e.Type, e.Message.Subject, e.Message.Body = protocol.TypeDelta, "DELTA[gpt]: one test", deltaBody
	default:
		e.Type, e.Message.Subject = protocol.TypeInfo, fmt.Sprintf("INFO: message %d", i)
		e.Message.Body = strings.Repeat("cells keep their fate when moved late and lose it when moved early ", 14) +
			fmt.Sprintf("some%d rare%d", i%1000, i%d.rare())
	}
	return e
}

// member is one of the three agents of a session.
func (d *depot) member(session, i int) string { return agentName((session*3 + i%3) % d.agents) }

// send sends message i.
func (d *depot) send(i int) error {
	_, err := d.store.Append(d.Context(), d.project, time.Now(), d.entry(i))
	return err
}

// next is the number of a message after the fill.
func (d *depot) next() int { return d.messages + int(d.sent.Add(1)) }

// fill sends what the layout has and the store has not.
func (d *depot) fill() {
	d.Helper()
	status, err := d.store.Status(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	const page = 2000
	began, from := time.Now(), int(status.Messages)
	for i := from; i < d.messages; i += page {
		entries := make([]mail.Entry, 0, page)
		for j := i; j < min(d.messages, i+page); j++ {
			entries = append(entries, d.entry(j))
		}
		if _, err := d.store.Append(d.Context(), d.project, time.Now(), entries...); err != nil {
			d.Fatal(err)
		}
		if n := i + page - from; n%100_000 == 0 {
			d.Logf("%d messages, %.0f a second", from+n, float64(n)/time.Since(began).Seconds())
		}
	}
	for range 6000 { // the index is written behind
		if status, err := d.store.Status(d.Context()); err == nil && status.Lag() == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	d.Fatal("the search index does not catch up")
}
