// Package audit keeps what operators did beside the mail they sent: requests and commands that write, sign-ins,
// tokens. Each act is a note of its own in the project's store, so that every server of a team writes into one log.
// The note is written before the act begins and once more when it has ended: a process that is killed between the
// two leaves a line that says so.
package audit

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Via is the way by which an operator acted.
type Via string

// The ways.
const (
	CommandLine Via = "cli"
	API         Via = "api"
	MCP         Via = "mcp"
	Browser     Via = "web"
)

// Codes beside those of failures and of HTTP.
const (
	OK    = "ok"
	Begun = "begun" // it has not ended, or its process was killed meanwhile
)

// Entry is one act of an operator.
type Entry struct {
	At     time.Time `json:"at"`
	Who    string    `json:"who"` // name of the token, or of the person a trusted proxy named
	Via    Via       `json:"via"`
	From   string    `json:"from,omitempty"` // address of the machine
	Act    string    `json:"act"`
	Target string    `json:"target,omitempty"`
	Code   string    `json:"code"`             // OK, Begun, the code of the failure, or the HTTP status
	Thread string    `json:"thread,omitempty"` // that it touches
	Agent  string    `json:"agent,omitempty"`  // in whose name it was done
}

// CodeOf is the code of an entry about something that ended with an error, or with none.
func CodeOf(err error) string {
	if err == nil {
		return OK
	}
	return string(mail.CodeOf(err))
}

const (
	// maxText bounds each text of an entry: an address that was asked for may be long.
	maxText = 500
	// pageSize is how many entries are read at a time.
	pageSize = 1000
	// patience is how long the end of an act waits for the store.
	patience = 5 * time.Second
)

// Act is an act that has begun.
type Act struct {
	mail  *mail.Service
	entry Entry
	note  mail.Note
}

// Begin writes, durably, that an act begins now. The act must not be done if that fails. NOT_ALLOWED: the store is
// another server's, which keeps no such log.
func Begin(ctx context.Context, m *mail.Service, e Entry) (*Act, error) {
	e.At, e.Code = m.Now(), Begun
	note, err := noteOf(&e)
	if err != nil {
		return nil, err
	}
	note, err = m.Store().PutNote(ctx, m.Project().ID, e.At, note)
	return &Act{m, e, note}, err
}

// carried is the key of the act in a context.
type carried struct{}

// Carry gives the act to those who carry it out.
func (a *Act) Carry(ctx context.Context) context.Context { return context.WithValue(ctx, carried{}, a) }

// Carried tells whether what is done in ctx is an act of the audit log.
func Carried(ctx context.Context) bool { return ctx.Value(carried{}) != nil }

// Touch writes, durably, what only those know who carry the act of ctx out: the thread that it touches and the agent in
// whose name it is done; what is empty stays as it was. The act must not be done if that fails. Where ctx carries no act
// there is nothing to write.
func Touch(ctx context.Context, thread, agent string) error {
	a, ok := ctx.Value(carried{}).(*Act)
	if !ok {
		return nil
	}
	before := a.entry
	a.entry.Thread, a.entry.Agent = cmp.Or(bounded(thread), a.entry.Thread), cmp.Or(bounded(agent), a.entry.Agent)
	if a.entry == before {
		return nil
	}
	return a.write(ctx)
}

// End writes how the act ended. The one who acted may be gone meanwhile: a ctx that has ended does not matter.
func (a *Act) End(ctx context.Context, code string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	a.entry.Code = bounded(code)
	return a.write(ctx)
}

// write replaces the note of the act.
func (a *Act) write(ctx context.Context) error {
	data, err := json.Marshal(a.entry)
	if err != nil {
		return unwritten(err)
	}
	note := a.note
	note.Data = data
	if note, err = a.mail.Store().PutNote(ctx, a.mail.Project().ID, a.mail.Now(), note); err == nil {
		a.note = note
	}
	return err
}

// EndLogged is End for those who can do nothing about a failure but log it; nil: not even that.
func (a *Act) EndLogged(ctx context.Context, code string, logger *slog.Logger) {
	if err := a.End(ctx, code); err != nil && logger != nil {
		logger.Error("the audit log cannot be written", "who", a.entry.Who, "act", a.entry.Act, "ended", code, "error", err)
	}
}

// Row is the entry of an act that succeeds if and only if the transaction does that writes the row.
func Row(project mail.ProjectID, e Entry) (mail.NoteRow, error) {
	e.Code = OK
	note, err := noteOf(&e)
	note.Version = note.Next(e.At)
	return mail.NoteRow{Project: project, Note: note}, err
}

// noteOf makes a note of a new entry.
func noteOf(e *Entry) (mail.Note, error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return mail.Note{}, protocol.Errorf(protocol.Internal, "this machine gives no random numbers: %w", err)
	}
	e.At = e.At.UTC().Truncate(time.Microsecond)
	for _, text := range []*string{&e.Who, &e.From, &e.Act, &e.Target, &e.Thread, &e.Agent} {
		*text = bounded(*text)
	}
	data, err := json.Marshal(e)
	if err != nil {
		return mail.Note{}, unwritten(err)
	}
	return mail.Note{Kind: mail.AuditNotes, Key: key(e.At) + hex.EncodeToString(random[:]), Data: data}, nil
}

func unwritten(err error) error {
	return protocol.Errorf(protocol.Internal, "an entry of the audit log cannot be written: %w", err)
}

// Read returns entries since a time, oldest first; at most the last limit of them, all if that is 0.
func Read(ctx context.Context, m *mail.Service, since time.Time, limit int) ([]Entry, error) {
	after := ""
	if !since.IsZero() {
		after = key(since)
	}
	var entries []Entry
	for {
		notes, err := m.Store().Notes(ctx, mail.NoteQuery{Project: m.Project().ID, Kind: mail.AuditNotes, At: m.Now(), After: after,
			Limit: pageSize})
		if err != nil {
			return nil, err
		}
		for i := range notes {
			var e Entry
			if err := json.Unmarshal(notes[i].Data, &e); err != nil {
				return nil, protocol.Errorf(protocol.Internal, "entry %s of the audit log cannot be read: %w", notes[i].Key, err)
			}
			entries = append(entries, e)
			after = notes[i].Key
		}
		if limit > 0 && len(entries) > limit {
			entries = append(entries[:0:0], entries[len(entries)-limit:]...)
		}
		if len(notes) < pageSize {
			return entries, nil
		}
	}
}

// key orders entries by time.
func key(at time.Time) string { return fmt.Sprintf("%016x-", at.UnixMicro()) }

func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
