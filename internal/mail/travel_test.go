package mail_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// line writes a message line as another program would.
func line(id int, thread, from, subject, body string, minute int, more string) string {
	text := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	return fmt.Sprintf(`{"id":%d,"thread_id":%s,"from":%s,"to":["RedSky"],"subject":%s,"body_md":%s,`+
		`"created_ts":"2026-01-01T10:%02d:00Z"%s}`+"\n",
		id, text(thread), text(from), text(subject), text(body), minute, more)
}

func (o *office) takeIn(text string) transfer.Imported {
	o.Helper()
	got, err := transfer.Import(o.ctx(), o.Service, strings.NewReader(text))
	o.must(err)
	return got
}

func (o *office) export(thread string) string {
	o.Helper()
	var b bytes.Buffer
	o.must(transfer.Export(o.ctx(), o.Service, thread, &b))
	return b.String()
}

func (o *office) verify(thread string) mail.Verification {
	o.Helper()
	v, err := o.Verify(o.ctx(), thread, nil)
	o.must(err)
	return v
}

func TestImport(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(draft("COORD-talk", "BlueLake", "INFO: before", "b", "RedSky")) // takes id 1 of this store
	text := line(2, research, "Newcomer", "DELTA[codex_cli]: x", "# D\n\n"+block(addHypothesis), 5, "") +
		line(1, research, "operator", "KICKOFF: x", kickoffBody, 1, `,"ack_required":true`) +
		line(3, research, "RedSky", "ACK: x", fmt.Sprintf(ackBody, 1), 7, `,"reply_to":1`)
	got := o.takeIn(text)
	o.same("imported", []any{got.Imported, got.Skipped, got.Threads}, []any{3, 0, []string{research}})
	thread, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	var order []string
	for _, m := range thread {
		order = append(order, fmt.Sprintf("%d<-%d %s %s", m.ID, m.OriginalID, m.Type, m.Intake))
	}
	o.same("the thread", order, []string{"2<-1 KICKOFF lenient", "3<-2 DELTA lenient", "4<-3 ACK lenient"})
	o.same("an answer", []int64{thread[2].ReplyTo, thread[2].ReplyOrigin}, []int64{2, 1})
	o.same("who owes", o.pending(mail.PendingQuery{}), []string{}) // the ACK that came along counts
	_, err = o.Agent(o.ctx(), "Newcomer")
	o.must(err)
	if !strings.Contains(codes(got.Findings), "INVALID_SUBJECT_PREFIX:w") || protocol.HasErrors(got.Findings) {
		t.Errorf("findings: %s", codes(got.Findings))
	}
	again := o.takeIn(text)
	o.same("imported again", []int{again.Imported, again.Skipped}, []int{0, 3})
	more := o.takeIn(text + line(4, research, "RedSky", "INFO: late", "l", 9, ""))
	o.same("imported with one more", []int{more.Imported, more.Skipped}, []int{1, 3})
	o.same("verified", o.verify(research).FirstBad, (*mail.Bad)(nil))
}

func TestImportConflicts(t *testing.T) {
	o := newOffice(t, mail.Options{})
	for range 3 {
		o.post(draft("COORD-talk", "BlueLake", "INFO: before", "b", "RedSky"))
	}
	first := line(2, "COORD-talk", "RedSky", "INFO: x", "one", 1, "")
	o.takeIn(first) // 2 is an id this store gave itself, which does not count
	before := o.stored()
	for what, text := range map[string]string{
		"another body": line(9, "COORD-talk", "RedSky", "INFO: y", "y", 2, "") + line(2, "COORD-talk", "RedSky", "INFO: x",
			"two", 1, ""),
		"another body and time": line(2, "COORD-talk", "RedSky", "INFO: x", "two", 8, ""),
		"two bodies in one file": line(7, "COORD-talk", "RedSky", "INFO: x", "a", 1, "") + line(7, "COORD-talk", "RedSky", "INFO: x",
			"b", 2, ""),
		"an original id, another one": line(70, "COORD-talk", "RedSky", "INFO: x", "c", 1, `,"original_id":2`),
	} {
		got, err := transfer.Import(o.ctx(), o.Service, strings.NewReader(text))
		if protocol.CodeOf(err) != protocol.Conflict || got.Imported != 0 || o.stored() != before {
			t.Errorf("%s: %v, %d imported, %d messages", what, err, got.Imported, o.stored())
		}
	}
	o.takeIn(line(2, "COORD-else", "RedSky", "INFO: x", "of another thread", 1, ""))
	o.takeIn(line(2, "COORD-talk", "RedSky", "INFO: another subject", "one", 1, "")) // the same body is no conflict
}

func TestImportAllOrNothing(t *testing.T) {
	o := newOffice(t, mail.Options{})
	good := line(1, research, "Newcomer", "INFO: x", "b", 1, "")
	for _, c := range []struct {
		what, bad string
		code      protocol.Code
	}{
		{"no JSON", "{\n", protocol.InvalidInput},
		{"a NUL", line(2, research, "Newcomer", "INFO: x", "a\x00", 2, ""), protocol.InvalidEncoding},
		{"no UTF-8", strings.Replace(good, "INFO", "INF\xff", 1), protocol.InvalidEncoding},
		{"no file name", line(2, "a/b", "Newcomer", "INFO: x", "a", 2, ""), protocol.InvalidInput},
	} {
		got, err := transfer.Import(o.ctx(), o.Service, strings.NewReader(good+c.bad))
		o.wantCode(err, c.code)
		if len(got.Findings) == 0 || got.Findings[0].Line != 2 {
			t.Errorf("%s: findings %v", c.what, got.Findings)
		}
	}
	o.same("messages", o.stored(), 0)
	_, err := o.Agent(o.ctx(), "Newcomer")
	o.wantCode(err, protocol.UnknownAgent)
	large := o.takeIn(line(5, research, "Newcomer", "DELTA[gpt]: large", strings.Repeat("x", 1<<20+1), 3, ""))
	o.same("a large message is kept", []any{large.Imported, codes(large.Findings)}, []any{1, "MESSAGE_TOO_LARGE:w"})
	o.takeIn("")
}

// conversation is a thread with everything a line can hold.
func (o *office) conversation() {
	o.Helper()
	o.post(draft("COORD-talk", "BlueLake", "INFO: takes an id", "b", "RedSky"))
	k := kickoff(research)
	k.Cc, k.Bcc, k.Importance = []string{"GreenHill"}, []string{"RedSky", "Operator"}, message.Urgent
	o.post(k)
	o.now = o.now.Add(time.Minute)
	o.post(contribution(research))
	_, err := o.Acknowledge(o.ctx(), "BlueLake", 2, "I see.")
	o.must(err)
	_, err = o.Fetch(o.ctx(), mail.InboxQuery{Agent: "GreenHill"})
	o.must(err)
	_, err = o.MarkRead(o.ctx(), "RedSky", 2)
	o.must(err)
	o.must(o.publish(o.Service, research))
	_, err = o.Reply(o.ctx(), 3, "", draft("", "GreenHill", "", "Why \u2028 so? <b>\r\n</b> 🧪"))
	o.must(err)
}

// publish posts the next version, which names the messages before it.
func (o *office) publish(s *mail.Service, thread string) error {
	_, err := s.Publish(o.ctx(), thread, "Operator", func(ctx context.Context, tx mail.Tx, t mail.Thread) (*mail.Publication, error) {
		before, err := tx.Messages(ctx, mail.MessageQuery{Project: t.Project, Thread: thread})
		if err != nil {
			return nil, err
		}
		n := t.LatestVersion + 1
		c := message.Compiled{
			ThreadID: thread, Version: n, Previous: n - 1, CompiledAt: tx.Time(), Compiler: "Operator", Through: before[len(before)-1].ID,
			Contributors: []message.Contribution{{Agent: "BlueLake", Deltas: 1}},
			Validation:   message.Validation{Schema: message.Pass, ThirdAlternative: message.Missing},
			Artifact:     fmt.Sprintf("---\nsession_id: %s\nversion: %d\n---\n\n# Brenner Protocol Artifact: %s\n", thread, n, thread),
		}
		return &mail.Publication{Subject: fmt.Sprintf("COMPILED: v%d x", n), Body: message.RenderCompiled(c),
			ArtifactHash: canon.Hash{byte(n)},
			Participants: []string{"Operator", "BlueLake", "redsky", "GreenHill"}}, nil
	})
	return err
}

func TestPublish(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.wantCode(o.publish(o.Service, research), protocol.NotFound)
	o.conversation()
	_, err := o.Retire(o.ctx(), "GreenHill")
	o.must(err)
	o.must(o.publish(o.Service, research))
	thread, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	last := thread[len(thread)-1]
	o.same("the second version", []any{last.Version, last.To, last.AckRequired, last.ArtifactHash, last.Intake},
		[]any{2, []string{"BlueLake", "RedSky"}, false, canon.Hash{2}, protocol.Strict})
	if !strings.Contains(last.Body, last.CreatedAt.Format("2006-01-02T15:04:05")) {
		t.Errorf("the body does not have the message's own time %s", last.CreatedAt)
	}
	stop := errors.New("stop")
	_, err = o.Publish(o.ctx(), research, "Operator", func(context.Context, mail.Tx, mail.Thread) (*mail.Publication, error) {
		return nil, stop
	})
	if !errors.Is(err, stop) {
		t.Errorf("the compiler's own error came back as %v", err)
	}
	v, err := o.Publish(o.ctx(), research, "Operator", func(context.Context, mail.Tx, mail.Thread) (*mail.Publication, error) {
		return nil, nil
	})
	o.must(err)
	o.same("nothing to publish", v.Message.ID, int64(0))
	_, err = o.Publish(o.ctx(), research, "Operator", func(context.Context, mail.Tx, mail.Thread) (*mail.Publication, error) {
		return &mail.Publication{Subject: "COMPILED: v9 x", Body: "# no\n"}, nil
	})
	o.wantCode(err, protocol.ValidationFailed)
	_, err = o.Publish(o.ctx(), research, "Nobody", func(context.Context, mail.Tx, mail.Thread) (*mail.Publication, error) {
		return &mail.Publication{}, nil
	})
	o.wantCode(err, protocol.UnknownAgent)
}

func TestPublishRace(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.conversation()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 5 {
				if err := o.publish(o.Service, research); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	thread, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	version := 0
	for _, m := range thread {
		if m.Type == protocol.TypeCompiled {
			version++
			o.same("a version", m.Version, version)
		}
	}
	o.same("versions", version, 31)
	o.same("verified", o.verify(research).FirstBad, (*mail.Bad)(nil))
}

// TestExportAndBack: another store that takes the export in has the same thread, chain,
// versions and states, and exports the same again.
func TestExportAndBack(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.conversation()
	text := o.export(research)
	o.same("imported where it comes from", o.takeIn(text).Imported, 0)

	there := newOffice(t, mail.Options{})
	for range 5 {
		there.post(draft("COORD-talk", "BlueLake", "INFO: takes an id", "b", "RedSky"))
	}
	got := there.takeIn(text)
	o.same("imported", []any{got.Imported, got.Skipped, codes(got.Findings)}, []any{5, 0, ""})
	o.same("verified there", there.verify(research).FirstBad, (*mail.Bad)(nil))
	here, err := o.ThreadMessages(o.ctx(), research)
	o.must(err)
	copied, err := there.ThreadMessages(o.ctx(), research)
	o.must(err)
	for i := range here {
		o.same("origin id, chain, version", []any{copied[i].OriginID(), copied[i].ChainHash, copied[i].Version, copied[i].ArtifactHash,
			copied[i].Intake},
			[]any{here[i].ID, here[i].ChainHash, here[i].Version, here[i].ArtifactHash, here[i].Intake})
	}
	o.same("the answer there", copied[4].ReplyTo, copied[1].ID)

	back := there.export(research)
	lines, _, err := transfer.ReadLines(strings.NewReader(text))
	o.must(err)
	again, _, err := transfer.ReadLines(strings.NewReader(back))
	o.must(err)
	for i := range again {
		o.same("the original id", again[i].OriginalID, lines[i].ID)
		again[i].ID, again[i].OriginalID = lines[i].ID, 0
	}
	o.same("exported again, but for ids", again, lines)

	third := newOffice(t, mail.Options{})
	third.takeIn(back)
	further, first := third.verify(research), o.verify(research)
	o.same("what is claimed a store further", further.Claims[0].Code, protocol.RecordImported)
	o.same("what is claimed where it was sent", first.Claims[0].Code, protocol.SendersUnproven)
	proved := func(v mail.Verification) []any { return []any{v.Messages, v.Versions, v.FirstBad, v.Findings} }
	o.same("the chain a store further", proved(further), proved(first))
	there.post(contribution(research))
	far := there.export(research)
	o.same("brought back, only what is new", o.takeIn(far).Imported, 1)
	o.same("verified at the end", o.verify(research).FirstBad, (*mail.Bad)(nil))
}

// TestOriginIDsThatCollide: a store may give a number that an import on the same thread had
// where it came from. An export of that thread still travels.
func TestOriginIDsThatCollide(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.takeIn(line(2, "COORD-talk", "RedSky", "INFO: x", "imported, original id 2", 1, ""))
	o.post(draft("COORD-talk", "BlueLake", "INFO: y", "sent here under id 2", "RedSky"))
	text := o.export("COORD-talk")
	there := newOffice(t, mail.Options{})
	o.same("imported", there.takeIn(text).Imported, 2)
	o.same("imported again", there.takeIn(text).Skipped, 2)
	o.same("verified", there.verify("COORD-talk").FirstBad, (*mail.Bad)(nil))
	_, err := transfer.Import(o.ctx(), there.Service, strings.NewReader(strings.Replace(text, "sent here", "changed here", 1)))
	o.wantCode(err, protocol.Conflict)
}

func TestExportOfAReply(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(draft("COORD-talk", "BlueLake", "INFO: takes an id", "b", "RedSky"))
	o.post(draft("", "BlueLake", "INFO: alone", "b", "RedSky"))
	_, err := o.Reply(o.ctx(), 2, "", draft("", "RedSky", "", "answer"))
	o.must(err)
	text := o.export("2")
	there := newOffice(t, mail.Options{})
	o.same("imported", there.takeIn(text).Imported, 2)
	o.same("imported again", there.takeIn(text).Skipped, 2)
	thread, err := there.ThreadMessages(o.ctx(), "2")
	o.must(err)
	o.same("the thread with its root", []string{thread[0].Subject, thread[1].Subject}, []string{"INFO: alone", "Re: INFO: alone"})
	o.same("verified", there.verify("2").FirstBad, (*mail.Bad)(nil))
	o.wantCode(transfer.Export(o.ctx(), o.Service, "COORD-none", &bytes.Buffer{}), protocol.NotFound)
	_, err = o.Verify(o.ctx(), "COORD-none", nil)
	o.wantCode(err, protocol.NotFound)
}

// TestVerifyFile changes an export in many ways and wants the first bad line named.
func TestVerifyFile(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.conversation()
	text := o.export(research)
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	swap := func(i, k int) string {
		changed := append([]string{}, lines...)
		changed[i], changed[k] = strings.TrimSuffix(changed[k], "\n")+"\n", strings.TrimSuffix(changed[i], "\n")+"\n"
		return strings.Join(changed, "")
	}
	ids := []int64{2, 3, 4, 5, 6}
	for _, c := range []struct {
		what, text string
		want       int64
	}{
		{"nothing", text, 0},
		{"a body", strings.Replace(text, "Why?", "Why!", 1), ids[0]},
		{"a subject", strings.Replace(text, "DELTA[gpt]: one", "DELTA[gpt]: two", 1), ids[1]},
		{"a time", strings.Replace(text, `"created_ts":"2026-01-10T10:01:00`, `"created_ts":"2026-01-10T10:01:01`, 1), ids[1]},
		{"a recipient", strings.Replace(text, `"bcc":["Operator"]`, `"bcc":["Operatot"]`, 1), ids[0]},
		{"an intake", strings.Replace(text, `"intake":"strict"`, `"intake":"lenient"`, 1), ids[0]},
		{"a hash", strings.Replace(text, `"chain_hash":"`, `"chain_hash":"0000`, 1), -1},
		{"a hash removed", chainHash.ReplaceAllString(lines[0], `"chain_hash":null`) + strings.Join(lines[1:], ""), ids[0]},
		{"a later hash zeroed", lines[0] + chainHash.ReplaceAllString(lines[1], `"chain_hash":"`+strings.Repeat("0", 64)+`"`) +
			strings.Join(lines[2:], ""), ids[1]},
		{"a line less", strings.Join(lines[1:], ""), ids[1]},
		{"a line in between less", lines[0] + strings.Join(lines[2:], ""), ids[2]},
		{"two lines swapped", swap(1, 2), ids[2]},
		{"a state", strings.Replace(text, `"read_ts":null`, `"read_ts":"2026-01-10T10:00:00.000000Z"`, 1), 0},
	} {
		read, findings, err := transfer.ReadLines(strings.NewReader(c.text))
		o.must(err)
		if c.want < 0 {
			if !protocol.HasErrors(findings) {
				t.Errorf("%s changed: it can still be read", c.what)
			}
			continue
		}
		v, err := transfer.VerifyLines(read, nil)
		o.must(err)
		got := int64(0)
		if v.FirstBad != nil {
			got = v.FirstBad.Message
		}
		if got != c.want {
			t.Errorf("%s changed: first bad is %d, want %d", c.what, got, c.want)
		}
	}
	foreign, _, err := transfer.ReadLines(strings.NewReader(line(1, research, "RedSky", "INFO: x", "b", 1, "")))
	o.must(err)
	for _, lines := range [][]transfer.Line{foreign, nil} {
		v, err := transfer.VerifyLines(lines, nil)
		o.same("lines of others", []any{v.Messages, v.FirstBad == nil, protocol.CodeOf(err)},
			[]any{len(lines), true, protocol.NotVerifiable})
	}
}

var chainHash = regexp.MustCompile(`"chain_hash":"[0-9a-f]{64}"`)
