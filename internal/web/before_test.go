package web

import (
	"strings"
	"testing"
	"time"

	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// A version that follows a gap links to what changed since the version before it, which is not the number before.
func TestTimelineComparesWithTheVersionBefore(t *testing.T) {
	const thread = "RS-20260110-turning-cells"
	v := fold.NewView(thread)
	var last mail.Message
	for i, subject := range []string{"KICKOFF: x", "COMPILED: v1 one", "COMPILED: v3 two"} {
		kind := protocol.TypeCompiled
		if i == 0 {
			kind = protocol.TypeKickoff
		}
		last = mail.Message{Type: kind, Version: []int{0, 1, 3}[i], Message: message.Message{
			ID: int64(i + 1), ThreadID: thread, From: mail.Operator, To: []string{"Alpha"}, Subject: subject, Body: "# x\n",
			Intake: protocol.Lenient, Imported: true,
			CreatedAt: time.Date(2026, 1, 10, 9, i, 0, 0, time.UTC),
		}}
		session.Fold(v, last)
	}
	if n := len(v.Versions()); n != 2 {
		t.Fatalf("the thread has %d versions", n)
	}
	w := &Web{}
	entry := w.readerOf(v, onTimeline).entry(session.Entry{Message: last})
	if !strings.HasSuffix(entry.Diff, "/diff?from=1&to=3") {
		t.Errorf("the link leads to %s", entry.Diff)
	}
}
