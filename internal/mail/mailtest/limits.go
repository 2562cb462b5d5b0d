package mailtest

import (
	"fmt"
	"strings"
	"testing"

	"brenner/internal/mail"
)

var limits = []testCase{
	{"large bodies", largeBodies},
	{"many recipients", manyRecipients},
	{"a long import", longImport},
	{"hostile text", hostileText},
	{"many threads", manyThreads},
}

func largeBodies(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	for _, size := range []int{0, 1, 4096, 1 << 20, 3 << 20} {
		e := f.entry("COORD-a1", "INFO: large")
		e.Message.Body = strings.Repeat("wörter ", size/8)
		m := f.append(e)[0]
		f.same("the body", f.messages(mail.MessageQuery{IDs: []int64{m.ID}})[0].Body == e.Message.Body, true)
	}
	f.checkChain("COORD-a1")
	f.same("found", len(f.search("wörter")), 3)
}

func manyRecipients(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	e := f.asking("COORD-a1")
	for i := range 300 {
		name := fmt.Sprintf("Agent%03d", i)
		f.register(name)
		switch i % 3 {
		case 0:
			e.Message.To = append(e.Message.To, name)
		case 1:
			e.Message.Cc = append(e.Message.Cc, name)
		default:
			e.Message.Bcc = append(e.Message.Bcc, name)
		}
	}
	m := f.append(e)[0]
	f.same("the recipients", f.messages(mail.MessageQuery{IDs: []int64{m.ID}})[0], m)
	f.same("who owes", len(f.deliveries(mail.DeliveryQuery{Owed: true})), 200)
	all := f.deliveries(mail.DeliveryQuery{Messages: []int64{m.ID}})
	f.same("deliveries", len(all), 300)
	f.same("the order", []string{all[0].Agent, all[100].Agent, all[200].Agent}, []string{"Agent000", "Agent001", "Agent002"})
}

func longImport(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	var entries []mail.Entry
	for i := range 5000 {
		entries = append(entries, f.imported(fmt.Sprintf("COORD-t%d", i%7), int64(i+1), start))
	}
	messages := f.append(entries...)
	f.same("the last id", messages[4999].ID, int64(5000))
	f.checkChain("COORD-t3")
	f.same("a page of the middle", idsOf(f.messages(mail.MessageQuery{After: 2500, Limit: 2})), []int64{2501, 2502})
	f.same("the inbox", receivedIDs(f.inbox(mail.InboxQuery{Agent: "RedSky", Limit: 2})), []int64{5000, 4999})
}

func hostileText(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	for i, text := range []string{
		`'; DROP TABLE messages; --`, `"quoted" 'text' \ back\\slash`, "line\r\nbreaks\tand\x01controls\x7f", "%s %d %% _ ? $1 :name @x",
		"emoji 🧪👩‍🔬 and مرحبا and \u202eright to left", "\u2028 \u2029 \ufeff \ufffd", `{"json": ["null", null]}`, "e\u0301 é \u1e9e ſ İı",
		" leading and trailing ",
	} {
		thread := fmt.Sprintf("COORD-x%d", i)
		e := f.entry(thread, text)
		e.Message.Body, e.Key = strings.Repeat(text, 3), text
		m := f.append(e)[0]
		f.same("a hostile text", f.messages(mail.MessageQuery{Keys: []string{text}}), []mail.Message{m})
		f.same("its thread", f.checkChain(thread), []mail.Message{m})
		f.must(f.store.PutProjection(f.ctx, f.project, mail.Projection{Kind: mail.ProjectionKind(text), Key: text, Data: []byte(text)}))
		if expr, err := mail.ParseSearch(text); err == nil {
			found, err := f.store.Search(f.ctx, mail.SearchQuery{Project: f.project, Expr: expr, Thread: thread, Limit: 5})
			f.must(err)
			f.same("found by its own text: "+text, idsOf(found), []int64{m.ID})
		}
	}
	e := f.entry("Ünïcode thread 🧵", "INFO: x")
	f.append(e)
	f.checkChain("Ünïcode thread 🧵")
}

func manyThreads(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	var entries []mail.Entry
	for i := range 1000 {
		entries = append(entries, f.entry(fmt.Sprintf("COORD-n%d", i), "INFO: x"))
	}
	f.append(entries...)
	threads, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: f.project})
	f.must(err)
	f.same("threads", len(threads), 1000)
	f.same("the latest", threads[0].ID, "COORD-n999")
}
