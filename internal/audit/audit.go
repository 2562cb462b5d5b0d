// Package audit keeps what operators did beside the mail they sent: requests that write, sign-ins, tokens. Each act
// is a note of its own in the project's store, never changed, so that every server of a team writes into one log.
package audit

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"brenner/mail"
	"brenner/protocol"
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

// OK is the code of an act that succeeded.
const OK = "ok"

// Entry is one act of an operator.
type Entry struct {
	At     time.Time `json:"at"`
	Who    string    `json:"who"` // name of the token, or of the person a trusted proxy named
	Via    Via       `json:"via"`
	From   string    `json:"from,omitempty"` // address of the machine
	Act    string    `json:"act"`
	Target string    `json:"target,omitempty"`
	Code   string    `json:"code"` // OK, the code of the failure, or the HTTP status
}

// CodeOf is the code of an entry about something that ended with an error, or with none.
func CodeOf(err error) string {
	if err == nil {
		return OK
	}
	return string(mail.CodeOf(err))
}

const (
	// mostText bounds each text of an entry: an address that was asked for may be long.
	mostText = 500
	// pageSize is how many entries are read at a time.
	pageSize = 1000
	// patience is how long Keep waits for the store.
	patience = 5 * time.Second
)

// Keep writes an entry of an act that is done: the one who acted may be gone meanwhile. A failure goes to the
// logger; nil: nowhere.
func Keep(ctx context.Context, m *mail.Service, logger *slog.Logger, e Entry) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := Write(ctx, m, e); err != nil && logger != nil {
		logger.Error("the audit log cannot be written", "who", e.Who, "act", e.Act, "error", err)
	}
}

// Write keeps an entry, durably. A zero At is now.
func Write(ctx context.Context, m *mail.Service, e Entry) error {
	if e.At.IsZero() {
		e.At = m.Now()
	}
	e.At = e.At.UTC().Truncate(time.Microsecond)
	for _, text := range []*string{&e.Who, &e.From, &e.Act, &e.Target, &e.Code} {
		*text = bounded(*text)
	}
	data, err := json.Marshal(e)
	if err != nil {
		return protocol.Errorf(protocol.Internal, "an entry of the audit log cannot be written: %w", err)
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return protocol.Errorf(protocol.Internal, "this machine gives no random numbers: %w", err)
	}
	note := mail.Note{Kind: mail.AuditNotes, Key: key(e.At) + hex.EncodeToString(random[:]), Data: data}
	_, err = m.Store().PutNote(ctx, m.Project().ID, e.At, note)
	return err
}

// Read returns entries since a time, oldest first; at most the last limit of them, all if that is 0.
func Read(ctx context.Context, m *mail.Service, since time.Time, limit int) ([]Entry, error) {
	after := ""
	if !since.IsZero() {
		after = key(since)
	}
	var entries []Entry
	for {
		notes, err := m.Store().Notes(ctx, mail.NoteQuery{Project: m.Project().ID, Kind: mail.AuditNotes, At: m.Now(), After: after, Limit: pageSize})
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
	if len(text) <= mostText {
		return text
	}
	end := mostText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
