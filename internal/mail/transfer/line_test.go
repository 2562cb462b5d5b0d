package transfer_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

const minimal = `{"thread_id":"RS-20260110-some-thread","from":"BlueLake","subject":"INFO: ` +
	`x","body_md":"b","created_ts":"2026-01-10T10:00:00Z"}`

func TestMinimalLine(t *testing.T) {
	l, findings := transfer.ParseLine([]byte(minimal), 7)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	want := transfer.Line{
		Number: 7, ThreadID: "RS-20260110-some-thread", From: "BlueLake", Subject: "INFO: x", Body: "b",
		CreatedAt: time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC), Importance: message.Normal, Intake: protocol.Lenient,
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
	if m := l.Message(); m.ID != 7 || m.AckRequired {
		t.Errorf("as a message: %+v", m)
	}
}

// edit replaces or adds a key of the minimal line.
func edit(key, value string) string {
	return strings.TrimSuffix(minimal, "}") + fmt.Sprintf(",%q:%s}", key, value)
}

func TestLines(t *testing.T) {
	for _, c := range []struct{ what, line, want string }{
		{"unknown keys", edit("kind", `{"a":[1]}`), ""},
		{"null everywhere", edit("id", "null"), ""},
		{"no thread", edit("thread_id", "null"), ""},
		{"an id as text", edit("id", `"12"`), ""},
		{"one recipient as text", edit("to", `"RedSky"`), ""},
		{"an offset", edit("created_ts", `"2026-01-10T12:00:00.1234567+02:00"`), ""},
		{"another form of thread", edit("thread_id", `"FEAT-123"`), "INVALID_BEAD_ID warning thread_id"},
		{"a research thread of another form", edit("thread_id", `"RS-20251215-mRNA-decay-paradox"`),
			"INVALID_RS_THREAD_ID warning thread_id"},
		{"a thread that is no file name", edit("thread_id", `"../etc"`), "INVALID_BEAD_ID error thread_id"},
		{"a research thread that is no file name", edit("thread_id", `"RS-20251215-../../x"`), "INVALID_RS_THREAD_ID error thread_id"},
		{"no JSON", `{"thread_id": `, "INVALID_INPUT error "},
		{"a list", `[]`, "INVALID_INPUT error "},
		{"null", `null`, "INVALID_INPUT error "},
		{"bytes that are no text", minimal[:40] + "\xff" + minimal[40:], "INVALID_ENCODING error "},
		{"NUL", edit("body_md", `"a\u0000b"`), "INVALID_ENCODING error body_md"},
		{"half a pair", edit("body_md", `"a\ud83e b"`), "INVALID_ENCODING error "},
		{"half a pair, the second", edit("body_md", `"a\udd2c b"`), "INVALID_ENCODING error "},
		{"a whole pair", edit("body_md", `"a\ud83e\uddea b \\ud83e"`), ""},
		{"no subject", strings.Replace(minimal, `"subject":"INFO: x",`, "", 1), "INVALID_INPUT error subject"},
		{"no thread key", strings.Replace(minimal, `"thread_id":"RS-20260110-some-thread",`, "", 1), "INVALID_INPUT error thread_id"},
		{"a blank sender", edit("from", `" "`), "INVALID_INPUT error from"},
		{"no time", edit("created_ts", `"yesterday"`), "INVALID_INPUT error created_ts"},
		{"a number for text", edit("subject", `7`), "INVALID_INPUT error subject"},
		{"a wrong importance", edit("importance", `"very"`), "INVALID_INPUT error importance"},
		{"a wrong intake", edit("intake", `"loose"`), "INVALID_INPUT error intake"},
		{"a fraction as id", edit("id", `1.5`), "INVALID_INPUT error id"},
		{"an id out of range", edit("id", `9007199254740992`), "INVALID_INPUT error id"},
		{"a negative id", edit("reply_to", `-1`), "INVALID_INPUT error reply_to"},
		{"recipients that are no list", edit("to", `{}`), "INVALID_INPUT error to"},
		{"an empty recipient", edit("cc", `["RedSky",""]`), "INVALID_INPUT error cc"},
		{"a line feed in a name", edit("cc", `["Red\nSky"]`), "INVALID_INPUT error cc"},
		{"a short hash", edit("chain_hash", `"abc"`), "INVALID_INPUT error chain_hash"},
		{"text for a truth", edit("ack_required", `"yes"`), "INVALID_INPUT error ack_required"},
		{"broken deliveries", edit("deliveries", `{}`), "INVALID_INPUT error deliveries"},
		{"a broken time of a delivery", edit("deliveries", `[{"agent":"RedSky","kind":"to","read_ts":"x","ack_ts":null}]`),
			"INVALID_INPUT error deliveries"},
	} {
		_, findings := transfer.ParseLine([]byte(c.line), 3)
		var got []string
		for _, f := range findings {
			got = append(got, fmt.Sprintf("%s %s %s", f.Code, f.Severity, f.Path))
			if f.Line != 3 {
				t.Errorf("%s: the finding names line %d", c.what, f.Line)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestReadLinesReportsAll(t *testing.T) {
	text := minimal + "\n\n{\n" + minimal + "\r\n[]\n" + minimal // no line feed at the end
	lines, findings, err := transfer.ReadLines(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	for _, f := range findings {
		at = append(at, f.Line)
	}
	if len(lines) != 3 || lines[2].Number != 6 || fmt.Sprint(at) != "[3 5]" {
		t.Errorf("%d lines, the last of number %d, findings at %v", len(lines), lines[len(lines)-1].Number, at)
	}
	if _, _, err := transfer.ReadLines(iotest.ErrReader(errors.New("torn"))); protocol.CodeOf(err) != protocol.InvalidInput {
		t.Errorf("a reader that fails: %v", err)
	}
}

// TestReadLinesWithBOM: a byte order mark is read as nothing where the file begins, and nowhere else.
func TestReadLinesWithBOM(t *testing.T) {
	const mark = "\ufeff"
	lines, findings, err := transfer.ReadLines(strings.NewReader(mark + minimal + "\n" + mark + minimal + "\n"))
	if err != nil || len(lines) != 1 || lines[0].Number != 1 || len(findings) != 1 || findings[0].Line != 2 {
		t.Errorf("%d lines, %v, %v", len(lines), findings, err)
	}
	if lines, findings, err := transfer.ReadLines(strings.NewReader(mark)); err != nil || len(lines)+len(findings) > 0 {
		t.Errorf("a mark alone: %d lines, %v, %v", len(lines), findings, err)
	}
}

// TestLineRoundTrip: what is written is read back, whatever it holds.
func TestLineRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Map(rapid.OneOf(rapid.String(),
			rapid.SampledFrom([]string{"\x01\x1f\x7f\b\f\n\r\t\"\\/", "</script>&amp;", "\u2028\u2029", "🧪 \U0010ffff\ufffd"})),
			func(s string) string { return strings.ReplaceAll(s, "\x00", "") })
		id := rapid.Int64Range(0, 1<<53-1)
		m := mail.Message{ReplyOrigin: id.Draw(t, "reply"), Message: message.Message{
			ID: rapid.Int64Range(1, 1<<53-1).Draw(t, "id"), OriginalID: id.Draw(t, "original"),
			ThreadID: "RS-20260110-some-thread", From: "BlueLake", To: []string{"RedSky"}, Bcc: []string{"Ünal Ö"},
			Subject: text.Draw(t, "subject"), Body: text.Draw(t, "body"),
			CreatedAt:   time.UnixMicro(rapid.Int64Range(-1<<45, 1<<53).Draw(t, "at")).UTC(),
			AckRequired: rapid.Bool().Draw(t, "ack"), Importance: message.High, Intake: protocol.Lenient,
		}}
		m.ChainHash, m.ArtifactHash = mail.ChainNext(canon.Hash{}, &m), canon.Hash{1}
		at := m.CreatedAt.Add(time.Second)
		l := transfer.NewLine(&m, []mail.Delivery{
			{Agent: "RedSky", Kind: mail.To, DeliveredAt: at, ReadAt: at},
			{Agent: "Ünal Ö", Kind: mail.Bcc},
		})
		var b bytes.Buffer
		if err := transfer.WriteLine(&b, l); err != nil {
			t.Fatal(err)
		}
		lines, findings, err := transfer.ReadLines(&b)
		if err != nil || len(findings) > 0 || len(lines) != 1 {
			t.Fatalf("%d lines, %v, %v", len(lines), findings, err)
		}
		l.Number = 1
		if diff := cmp.Diff(l, lines[0]); diff != "" {
			t.Fatal(diff)
		}
		if v, err := transfer.VerifyLines(lines, nil); err == nil && v.FirstBad != nil &&
			v.FirstBad.Reason == "it does not match its chain hash" {
			t.Fatal("the line that was read does not match its chain hash")
		}
	})
}

func FuzzParseLine(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add([]byte(edit("deliveries", `[{"agent":"RedSky","kind":"to","read_ts":null,"ack_ts":"2026-01-10T10:00:00Z"}]`)))
	f.Add([]byte(edit("body_md", `"\ud83e\uddea"`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, findings := transfer.ParseLine(data, 1)
		if protocol.HasErrors(findings) {
			return
		}
		var b bytes.Buffer
		if err := transfer.WriteLine(&b, l); err != nil {
			t.Fatal(err)
		}
		again, findings := transfer.ParseLine(bytes.TrimSpace(b.Bytes()), 1)
		if protocol.HasErrors(findings) {
			t.Fatal(findings)
		}
		if diff := cmp.Diff(l, again); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestArrange(t *testing.T) {
	line := func(thread string, minute, id int, chain byte) transfer.Line {
		return transfer.Line{
			ThreadID: thread, ID: int64(id), CreatedAt: time.Date(2026, 1, 10, 10, minute, 0, 0, time.UTC), ChainHash: canon.Hash{chain},
		}
	}
	for _, c := range []struct {
		what  string
		lines []transfer.Line
		want  string
	}{
		{"by time, then by id", []transfer.Line{line("a", 2, 1, 0), line("a", 1, 9, 0), line("a", 1, 3, 0)}, "a3 a9 a1"},
		{"threads together", []transfer.Line{line("b", 2, 1, 0), line("a", 1, 2, 0), line("a", 3, 3, 0)}, "a2 b1 a3"},
		{"an export keeps its order", []transfer.Line{line("a", 3, 7, 1), line("a", 1, 8, 1), line("a", 2, 5, 1)}, "a7 a8 a5"},
		{"an export beside others", []transfer.Line{line("a", 3, 7, 1), line("a", 1, 8, 1), line("b", 2, 5, 0), line("b", 4, 1, 0)},
			"b5 a7 a8 b1"},
		{"lines added to an export", []transfer.Line{line("a", 1, 1, 1), line("a", 5, 2, 1), line("a", 3, 3, 0)}, "a1 a3 a2"},
		{"none", nil, ""},
	} {
		var got []string
		for _, l := range transfer.Arrange(c.lines) {
			got = append(got, fmt.Sprintf("%s%d", l.ThreadID, l.ID))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.what, got, c.want)
		}
	}
}

// A file of many blocks says what its lines say one by one, with their numbers, wherever the blocks end.
func TestReadLinesIsParseLineOfEach(t *testing.T) {
	var text bytes.Buffer
	for i := range 4000 {
		switch {
		case i%97 == 5:
			text.WriteString("\n")
		case i%131 == 7:
			text.WriteString("{\"from\": 3}\n")
		case i == 1000:
			text.WriteString(strings.Replace(minimal, "}", `,"note":"`+strings.Repeat("x", 1<<20)+`"}`, 1) + "\n")
		default:
			fmt.Fprintf(&text, "%s\r\n",
				strings.Replace(minimal, "}", fmt.Sprintf(`,"id":%d,"to":["BlueLake","Agent%d"],"cc":"RedSky","bcc":["\u0041"]}`, i+1, i),
					1))
		}
	}
	var want []transfer.Line
	var wrong []protocol.Finding
	for i, data := range bytes.Split(bytes.TrimSuffix(text.Bytes(), []byte("\n")), []byte("\n")) {
		if len(bytes.TrimSpace(data)) == 0 {
			continue
		}
		line, findings := transfer.ParseLine(data, i+1)
		if wrong = append(wrong, findings...); !protocol.HasErrors(findings) {
			want = append(want, line)
		}
	}
	lines, findings, err := transfer.ReadLines(iotest.HalfReader(&text))
	if err != nil || len(wrong) == 0 || len(want) < 3000 {
		t.Fatal(err, len(wrong), len(want))
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wrong, findings); diff != "" {
		t.Error(diff)
	}
}
