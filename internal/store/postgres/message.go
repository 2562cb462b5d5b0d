package postgres

import (
	"context"
	"crypto/sha256"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

const messageColumns = `m.id, m.project_id, m.original_id, m.created_us, m.sender_id, m.reply_to, m.reply_origin, m.version,
	m.imported, m.ack_required, m.thread_id, m.sender, m.to_names, m.cc_names, m.bcc_names, m.importance, m.intake, m.type,
	m.chain_hash, m.artifact_hash, m.idem_key, m.payload, m.subject, m.body`

// messageRow receives the columns of a message.
type messageRow struct {
	m                                 mail.Message
	project, created, sender, version int64
	to, cc, bcc                       string
	importance, intake, kind          string
	key                               *string
	chain, artifact, payload          pgtype.DriverBytes // valid until the next row
}

func (r *messageRow) targets() []any {
	m := &r.m
	return []any{
		&m.ID, &r.project, &m.OriginalID, &r.created, &r.sender, &m.ReplyTo, &m.ReplyOrigin, &r.version,
		&m.Imported, &m.AckRequired, &m.ThreadID, &m.From, &r.to, &r.cc, &r.bcc, &r.importance, &r.intake, &r.kind,
		&r.chain, &r.artifact, &r.key, &r.payload, &m.Subject, &m.Body,
	}
}

func (r *messageRow) message() mail.Message {
	m := r.m
	m.Project, m.SenderID, m.Version = mail.ProjectID(r.project), mail.AgentID(r.sender), int(r.version)
	m.CreatedAt = instant(r.created)
	m.To, m.Cc, m.Bcc = split(r.to), split(r.cc), split(r.bcc)
	m.Importance, m.Intake, m.Type = message.Importance(r.importance), protocol.Intake(r.intake), protocol.MessageType(r.kind)
	if r.key != nil {
		m.Key = *r.key
	}
	m.ChainHash, m.ArtifactHash, m.Payload = hash(r.chain), hash(r.artifact), hash(r.payload)
	return m
}

func split(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, "\n")
}

func joined(names []string) string { return strings.Join(names, "\n") }

func scanMessage(rows pgx.Rows) (mail.Message, error) {
	var r messageRow
	if err := rows.Scan(r.targets()...); err != nil {
		return mail.Message{}, err
	}
	return r.message(), nil
}

// messageQuery reads from one of the tables of messages: those of the log, or the archived ones.
func messageQuery(table string) string { return "SELECT " + messageColumns + " FROM " + table + " m" }

func (r reader) messagesWhere(ctx context.Context, condition string, args ...any) ([]mail.Message, error) {
	return collect(ctx, r.db, scanMessage, messageQuery(hot.messages)+condition, args...)
}

// Messages implements mail.Reader.
func (s *Store) Messages(ctx context.Context, q mail.MessageQuery) (list []mail.Message, err error) {
	err = s.read(ctx, "reading messages", func(r reader) (err error) {
		list, err = r.Messages(ctx, q)
		return err
	})
	return list, err
}

func (r reader) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	var w where
	w.add("m.project_id = ?", int64(q.Project))
	if q.IDs != nil {
		w.add("m.id = ANY (?)", q.IDs)
	}
	if q.Keys != nil {
		w.add("m.key_hash IS NOT NULL AND m.key_hash = ANY (?)", keyHashes(q.Keys))
	}
	if q.Thread != "" {
		w.add("m.thread_id = ? AND m.thread_id <> ''", q.Thread)
	}
	if len(q.Types) > 0 {
		w.add("m.type = ANY (?)", typeNames(q.Types))
	}
	if q.From != "" {
		w.add("m.sender_id = (SELECT id FROM agents WHERE project_id = ? AND name_key = ?)", int64(q.Project), mail.NameKey(q.From))
	}
	if !q.At.IsZero() {
		at := q.At.UnixMicro()
		w.add("(NOT m.imported AND m.created_us = ? OR m.imported AND m.created_us = ?)", at, at)
	}
	if q.After > 0 {
		w.add("m.id > ?", q.After)
	}
	if q.Before > 0 {
		w.add("m.id < ?", q.Before)
	}
	order := " ORDER BY m.id"
	if q.Order == mail.NewestFirst {
		order += " DESC"
	}
	table := hot.messages
	if q.Archived {
		table = cold.messages
	}
	list, err := collect(ctx, r.db, scanMessage, messageQuery(table)+w.String()+order+limit(q.Limit), w.args...)
	if err == nil && len(list) == 0 && q.Thread != "" && !q.Archived {
		err = r.checkPresent(ctx, q.Project, q.Thread)
	}
	return orNoProject(ctx, r, q.Project, list, err)
}

func typeNames(types []protocol.MessageType) []string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return names
}

const allMessageColumns = `id, project_id, original_id, created_us, sender_id, reply_to, reply_origin, version, imported, ack_required,
	thread_id, sender, to_names, cc_names, bcc_names, importance, intake, type, chain_hash, artifact_hash, idem_key, key_hash, payload,
	subject, body`

func (tx *transaction) insertMessages(table string, list []mail.Message) {
	tx.queue("INSERT INTO "+table+" ("+allMessageColumns+`)
		SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
			$9::boolean[], $10::boolean[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
			$18::text[],
			$19::bytea[], $20::bytea[], $21::text[], $22::bytea[], $23::bytea[], $24::text[], $25::text[])`,
		column(list, func(m *mail.Message) int64 { return m.ID }),
		column(list, func(m *mail.Message) int64 { return int64(m.Project) }),
		column(list, func(m *mail.Message) int64 { return m.OriginalID }),
		column(list, func(m *mail.Message) int64 { return m.CreatedAt.UnixMicro() }),
		column(list, func(m *mail.Message) int64 { return int64(m.SenderID) }),
		column(list, func(m *mail.Message) int64 { return m.ReplyTo }),
		column(list, func(m *mail.Message) int64 { return m.ReplyOrigin }),
		column(list, func(m *mail.Message) int64 { return int64(m.Version) }),
		column(list, func(m *mail.Message) bool { return m.Imported }),
		column(list, func(m *mail.Message) bool { return m.AckRequired }),
		column(list, func(m *mail.Message) string { return m.ThreadID }),
		column(list, func(m *mail.Message) string { return m.From }),
		column(list, func(m *mail.Message) string { return joined(m.To) }),
		column(list, func(m *mail.Message) string { return joined(m.Cc) }),
		column(list, func(m *mail.Message) string { return joined(m.Bcc) }),
		column(list, func(m *mail.Message) string { return string(m.Importance) }),
		column(list, func(m *mail.Message) string { return string(m.Intake) }),
		column(list, func(m *mail.Message) string { return string(m.Type) }),
		column(list, func(m *mail.Message) []byte { return m.ChainHash[:] }),
		column(list, func(m *mail.Message) []byte { return hashOrNull(m.ArtifactHash) }),
		column(list, keyOrNull),
		column(list, func(m *mail.Message) []byte { return keyHash(m.Key) }),
		column(list, payloadOrNull),
		column(list, func(m *mail.Message) string { return m.Subject }),
		column(list, func(m *mail.Message) string { return m.Body }))
}

func keyOrNull(m *mail.Message) *string {
	if m.Key == "" {
		return nil
	}
	return &m.Key
}

// keyHash is what a key is found by, nil if there is none.
func keyHash(key string) []byte {
	if key == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

func keyHashes(keys []string) [][]byte {
	hashes := make([][]byte, len(keys))
	for i, key := range keys {
		hashes[i] = keyHash(key)
	}
	return hashes
}

// payloadOrNull is the payload of a message with a key; a zero one is stored too.
func payloadOrNull(m *mail.Message) []byte {
	if m.Key == "" {
		return nil
	}
	return m.Payload[:]
}
