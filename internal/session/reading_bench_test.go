package session_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/session"
)

// BenchmarkThreadFile reads and folds a thread file of 10,000 EDITs, ten a message, in one page and message by
// message, in turns; "x-ahead" is how much longer the latter takes.
func BenchmarkThreadFile(b *testing.B) {
	text := threadFile(1000, 10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	paged, single := time.Hour, time.Hour // the quickest of all rounds
	for b.Loop() {
		start := time.Now()
		messages := threadMessages(b, text)
		read := time.Since(start)
		start = time.Now()
		session.Fold(fold.NewView("RS-20260110-speed-sample"), messages...)
		paged = min(paged, read+time.Since(start))
		start = time.Now()
		v := fold.NewView("RS-20260110-speed-sample")
		for _, m := range messages {
			session.Fold(v, m)
		}
		single = min(single, read+time.Since(start))
		if applied := v.Fold.Pending().Applied; applied != 10_001 {
			b.Fatal(applied)
		}
	}
	b.ReportMetric(single.Seconds()/paged.Seconds(), "x-ahead")
}

func threadMessages(b *testing.B, text string) []mail.Message {
	lines, findings, err := transfer.ReadLines(strings.NewReader(text))
	if err != nil || len(findings) > 0 {
		b.Fatal(len(findings), err)
	}
	messages := make([]mail.Message, len(lines))
	for i := range lines {
		messages[i].Message = lines[i].Message()
	}
	return messages
}

// threadFile is a thread that adds a hypothesis and edits it again and again.
func threadFile(messages, blocks int) string {
	var text strings.Builder
	write := func(n int, body string) {
		fmt.Fprintf(&text, `{"id":%d,"thread_id":"RS-20260110-speed-sample","from":"BlueLake","subject":"DELTA[gpt]: `+
			`x","body_md":%q,"created_ts":%q}`+"\n",
			n, body, time.UnixMilli(int64(n)).UTC().Format(time.RFC3339Nano))
	}
	write(1, hypothesis("Gravity", "It pulls."))
	for n := range messages {
		var body strings.Builder
		for i := range blocks {
			fmt.Fprintf(&body, "\n```delta\n"+`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"It `+
				`pulls %d times, and %d more."},"rationale":"r"}`+"\n```\n", n, i)
		}
		write(n+2, body.String())
	}
	return text.String()
}
