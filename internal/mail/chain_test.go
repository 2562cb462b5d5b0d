package mail_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// chainByLibrary makes the chain hash the long way: the line as JSON, its canonical form by the
// library that knows RFC 8785, the hash over it.
func chainByLibrary(t interface{ Fatal(args ...any) }, previous canon.Hash, m *mail.Message) canon.Hash {
	orNull := func(v any, absent bool) any {
		if absent {
			return nil
		}
		return v
	}
	names := func(list []string) []string { return append([]string{}, list...) }
	line, err := json.Marshal(map[string]any{
		"id": m.OriginID(), "thread_id": orNull(m.ThreadID, m.ThreadID == ""), "from": m.From,
		"to": names(m.To), "cc": names(m.Cc), "bcc": names(m.Bcc), "subject": m.Subject, "body_md": m.Body,
		"created_ts": m.CreatedAt.Format("2006-01-02T15:04:05.000000Z"), "ack_required": m.AckRequired, "importance": m.Importance,
		"reply_to": orNull(m.ReplyOrigin, m.ReplyOrigin == 0), "intake": m.Intake,
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := canon.Sum(previous[:], line)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// anyText draws text that a message may hold: UTF-8 without NUL.
func anyText() *rapid.Generator[string] {
	return rapid.Map(rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"", "\x01\x1f\x7f\b\f\n\r\t\"\\/", "</script>&amp;", "\u2028\u2029", "é\u0301 🧪 \U0010ffff",
			"\ufeff\ufffd"}),
	), func(s string) string { return strings.ReplaceAll(s, "\x00", "") })
}

func anyMessage() *rapid.Generator[mail.Message] {
	return rapid.Custom(func(t *rapid.T) mail.Message {
		names := rapid.SliceOfN(anyText(), 0, 3)
		id := rapid.Int64Range(0, 1<<53-1)
		return mail.Message{
			ReplyOrigin: id.Draw(t, "reply"),
			Message: message.Message{
				ID: rapid.Int64Range(1, 1<<53-1).Draw(t, "id"), OriginalID: id.Draw(t, "original"),
				ThreadID: anyText().Draw(t, "thread"), From: anyText().Draw(t, "from"),
				To: names.Draw(t, "to"), Cc: names.Draw(t, "cc"), Bcc: names.Draw(t, "bcc"),
				Subject: anyText().Draw(t, "subject"), Body: anyText().Draw(t, "body"),
				CreatedAt:   time.UnixMicro(rapid.Int64Range(-1<<45, 1<<53).Draw(t, "at")).UTC(),
				AckRequired: rapid.Bool().Draw(t, "ack"), Importance: message.High, Intake: protocol.Lenient,
			},
		}
	})
}

func TestChainIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMessage().Draw(t, "message")
		previous := canon.Hash(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "previous"))
		if got, want := mail.ChainNext(previous, &m), chainByLibrary(t, previous, &m); got != want {
			t.Fatalf("chain hash %s, want %s", got, want)
		}
	})
}

func TestChainOfFirstMessage(t *testing.T) {
	m := mail.Message{Message: message.Message{
		ID: 9, OriginalID: 4, ThreadID: "RS-20260110-some-thread", From: "BlueLake", To: []string{"RedSky"},
		Subject: "INFO: x", Body: "line\nwith \"quotes\"", CreatedAt: time.Date(2026, 1, 10, 10, 0, 0, 5000, time.UTC),
		Importance: message.Normal, Intake: protocol.Strict,
	}}
	const line = `{"ack_required":false,"bcc":[],"body_md":"line\nwith \"quotes\"","cc":[],"created_ts":"2026-01-10T10:00:00.000005Z",` +
		`"from":"BlueLake","id":4,"importance":"normal","intake":"strict","reply_to":null,"subject":"INFO: x",` +
		`"thread_id":"RS-20260110-some-thread","to":["RedSky"]}`
	zero := canon.Hash{}
	want, err := canon.Sum(zero[:], []byte(line))
	if err != nil {
		t.Fatal(err)
	}
	if got := mail.ChainNext(zero, &m); got != want {
		t.Errorf("chain hash %s, want %s", got, want)
	}
}

func BenchmarkChain(b *testing.B) {
	m := mail.Message{Message: message.Message{
		ID: 9, ThreadID: "RS-20260110-some-thread", From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: x",
		Body: strings.Repeat("some words of a message\n", 40), CreatedAt: time.Unix(1, 0), Importance: message.Normal,
		Intake: protocol.Strict,
	}}
	b.ReportAllocs()
	for b.Loop() {
		m.ChainHash = mail.ChainNext(m.ChainHash, &m)
	}
}
