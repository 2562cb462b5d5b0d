package backup_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/backup"
	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

var start = time.Date(2026, 1, 10, 9, 0, 0, 123456000, time.UTC)

// filled is a store with something of everything.
func filled(t *testing.T) *memory.Store {
	t.Helper()
	store := memory.New()
	t.Cleanup(func() { _ = store.Close() })
	ctx := t.Context()
	project, err := store.EnsureProject(ctx, "/srv/cells", start)
	check(t, err)
	service := mail.NewService(store, project, mail.Options{Now: func() time.Time { return start }})
	for _, name := range []string{"BlueLake", "RedSky", "GreenValley"} {
		_, err := service.Register(ctx, mail.Registration{Name: name, Program: "codex-cli", Model: "gpt-5.2", Task: "turning"})
		check(t, err)
	}
	sent, err := service.Send(ctx, mail.Outgoing{Key: "once", Draft: message.Draft{
		From: "BlueLake", To: []string{"RedSky"}, Cc: []string{"BlueLake"}, Bcc: []string{"GreenValley"}, ThreadID: "COORD-turning",
		Subject: "QUESTION: Which strain?", Body: "# Question\n\n## Question\n\nWhich? <b>\u2028\n", Importance: message.High,
	}})
	check(t, err)
	_, err = service.Acknowledge(ctx, "RedSky", sent.Message.ID, "That one.")
	check(t, err)
	_, err = transfer.Import(ctx, service,
		strings.NewReader(`{"id":4,"thread_id":"RS-20260110-turning-cells","from":"Far","subject":"KICKOFF: x",`+
			`"body_md":"# x\n","created_ts":"2020-01-01T00:00:00Z"}`))
	check(t, err)
	_, err = service.Retire(ctx, "GreenValley")
	check(t, err)
	_, err = store.Reservations(ctx, project.ID, start, func([]mail.Reservation) ([]mail.Reservation, error) {
		return []mail.Reservation{{Project: project.ID, Agent: "BlueLake", Path: "*.md", Exclusive: true, CreatedAt: start,
			ExpiresAt: start.Add(time.Hour)}}, nil
	})
	check(t, err)
	_, err = store.ArchiveThread(ctx, project.ID, "RS-20260110-turning-cells",
		func(t mail.Thread, _ []mail.Message) (mail.ArchivedThread, error) {
			return mail.ArchivedThread{
				Project: t.Project, ID: t.ID, HeadID: t.HeadID, ChainHash: t.ChainHash, Title: "x", Crate: "x.zip", SHA256: canon.Hash{1},
				Through: t.HeadID, By: "alice", At: start,
			}, nil
		})
	check(t, err)
	_, err = store.PutNote(ctx, project.ID, start, mail.Note{Kind: mail.TokenNotes, Key: "00ff", Data: []byte(`{"name":"alice"}`)})
	check(t, err)
	return store
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, from mail.Archiver) []byte {
	t.Helper()
	var file bytes.Buffer
	seen := 0
	n, err := backup.Write(t.Context(), from, backup.Origin{Engine: "memory", At: start}, &file, func(n int) { seen = n })
	check(t, err)
	if n == 0 || seen != n || bytes.Count(file.Bytes(), []byte("\n")) != n+2 {
		t.Fatalf("%d records, %d seen, in\n%s", n, seen, file.Bytes())
	}
	return file.Bytes()
}

func records(t *testing.T, from mail.Archiver) []mail.Record {
	t.Helper()
	var list []mail.Record
	check(t, from.Dump(t.Context(), func(r mail.Record) error {
		list = append(list, r)
		return nil
	}))
	return list
}

// TestRoundTrip: a store that was restored is the store that was backed up, record by record.
func TestRoundTrip(t *testing.T) {
	before := filled(t)
	file := write(t, before)
	after := memory.New()
	defer after.Close()
	check(t, after.Load(t.Context(), backup.Read(bytes.NewReader(file))))
	if diff := cmp.Diff(records(t, before), records(t, after), cmp.Comparer(func(a, b canon.Hash) bool { return a == b })); diff != "" {
		t.Errorf("restored (-before +after):\n%s", diff)
	}
	if !bytes.Equal(file, write(t, after)) {
		t.Error("the backup of the restored store differs")
	}
}

// TestEveryFlaw: whatever is cut off, changed or added is noticed, and a store keeps nothing of it.
func TestEveryFlaw(t *testing.T) {
	file := write(t, filled(t))
	flawed := map[string][]byte{
		"empty":           {},
		"not a backup":    []byte("{\"ok\":true}\n"),
		"text":            []byte("hello\n"),
		"no last line":    file[:bytes.LastIndexByte(file[:len(file)-1], '\n')+1],
		"line left out":   append(append([]byte{}, file[:bytes.IndexByte(file, '\n')+1]...), file[secondLine(file):]...),
		"something after": append(append([]byte{}, file...), '\n'),
		"word changed":    bytes.Replace(file, []byte("That one."), []byte("This one."), 1),
		"unknown key":     bytes.Replace(file, []byte(`"path":`), []byte(`"paths":`), 1),
		"empty record":    bytes.Replace(file, []byte("\n"), []byte("\n{}\n"), 1),
	}
	for i := range 40 { // cut anywhere
		flawed["cut at "+string(rune('a'+i))] = file[:i*len(file)/40]
	}
	for name, data := range flawed {
		t.Run(name, func(t *testing.T) {
			store := memory.New()
			defer store.Close()
			err := store.Load(t.Context(), backup.Read(bytes.NewReader(data)))
			if protocol.CodeOf(err) != protocol.InvalidInput {
				t.Errorf("loading gives %v", err)
			}
			if left := records(t, store); len(left) != 0 {
				t.Errorf("%d records are left", len(left))
			}
		})
	}
}

func secondLine(file []byte) int {
	first := bytes.IndexByte(file, '\n') + 1
	return first + bytes.IndexByte(file[first:], '\n') + 1
}

func TestNewerFormat(t *testing.T) {
	for _, err := range backup.Read(strings.NewReader("{\"brenner_backup\":2}\n")) {
		if protocol.CodeOf(err) != protocol.SchemaTooNew {
			t.Errorf("got %v", err)
		}
	}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("device gone") }

func TestUnreadable(t *testing.T) {
	for _, err := range backup.Read(failingReader{}) {
		if protocol.CodeOf(err) != protocol.Unreadable {
			t.Errorf("got %v", err)
		}
	}
}

// TestInterrupted: a dump that ends early writes no last line.
func TestInterrupted(t *testing.T) {
	store := filled(t)
	ctx, cancel := context.WithCancel(t.Context())
	var file bytes.Buffer
	_, err := backup.Write(ctx, stopping{store, cancel}, backup.Origin{Engine: "memory", At: start}, &file, nil)
	if !errors.Is(err, context.Canceled) || bytes.Contains(file.Bytes(), []byte(`"end"`)) {
		t.Errorf("%v\n%s", err, file.Bytes())
	}
}

// stopping cancels after the first record.
type stopping struct {
	mail.Archiver
	cancel context.CancelFunc
}

func (s stopping) Dump(ctx context.Context, emit func(mail.Record) error) error {
	return s.Archiver.Dump(ctx, func(r mail.Record) error {
		s.cancel()
		return errors.Join(ctx.Err(), emit(r))
	})
}
