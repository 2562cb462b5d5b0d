package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/store/membersql"
)

// queryer runs queries: on the readers, or inside the writer's transaction.
type queryer interface {
	query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// pool runs queries on the readers.
type pool struct{ files *files }

func (p pool) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := p.files.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// reader implements mail.Reader over either.
type reader struct {
	db    queryer
	store *Store
}

// read runs a function on the readers' connections.
func (s *Store) read(ctx context.Context, doing string, run func(r reader) error) error {
	f, release, err := s.use(ctx)
	if err != nil {
		return s.failure(doing, err)
	}
	err = run(reader{pool{f}, s})
	release()
	s.suspect(f, err)
	return s.failure(doing, err)
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, db queryer, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	return collectUpTo(ctx, db, 0, scan, query, args...)
}

// collectUpTo is collect, with room for as many rows as are expected.
func collectUpTo[T any](ctx context.Context, db queryer, expected int, scan func(*sql.Rows) (T, error), query string,
	args ...any) ([]T, error) {
	rows, err := db.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		if list == nil {
			list = make([]T, 0, max(1, expected))
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// number reads a query whose result is one integer.
func number(ctx context.Context, db queryer, query string, args ...any) (int64, error) {
	list, err := collect(ctx, db, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, query, args...)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[0], nil
}

// checkProject fails with NOT_FOUND for a project that is not there.
func (r reader) checkProject(ctx context.Context, project mail.ProjectID) error {
	n, err := number(ctx, r.db, "SELECT count(*) FROM projects WHERE id = ?", project)
	if err == nil && n == 0 {
		return mail.NoProject(project)
	}
	return err
}

// where builds the condition of a query.
type where struct {
	parts []string
	args  []any
}

func (w *where) add(part string, args ...any) {
	w.parts = append(w.parts, part)
	w.args = append(w.args, args...)
}

func (w *where) String() string {
	if len(w.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.parts, " AND ")
}

// limit ends a query; 0 is all.
func (w *where) limit(n int) string {
	if n <= 0 {
		return ""
	}
	w.args = append(slices.Clip(w.args), n)
	return limited
}

// limited ends a query with a number as its last argument. A bare parameter would make SQLite
// prepare the statement again on every run, to plan for that number.
const limited = " LIMIT ?+0"

// in restricts a column to a list, as one parameter: the text of the query stays the same
// whatever the length.
func (w *where) in(column string, list any) {
	w.add(column+" IN (SELECT value FROM json_each(?))", jsonList(list))
}

func jsonList(list any) string {
	data, _ := json.Marshal(list) // strings and integers only
	return string(data)
}

const messageColumns = `m.id, m.project_id, m.original_id, m.imported, m.created_us, m.sender_id, m.ack_required,
	m.reply_to, m.reply_origin, m.version, m.thread_id, m.sender, m.to_names, m.cc_names, m.bcc_names, m.importance,
	m.intake, m.type, m.chain_hash, m.artifact_hash, m.idem_key, m.payload, m.subject, m.body`

// messageRow receives the columns of a message.
type messageRow struct {
	m                        mail.Message
	created, imported, ack   int64
	to, cc, bcc              string
	key                      sql.NullString
	chain, artifact, payload sql.RawBytes
}

func (r *messageRow) targets() []any {
	m := &r.m
	return []any{
		&m.ID, &m.Project, &m.OriginalID, &r.imported, &r.created, &m.SenderID, &r.ack,
		&m.ReplyTo, &m.ReplyOrigin, &m.Version, &m.ThreadID, &m.From, &r.to, &r.cc, &r.bcc, &m.Importance,
		&m.Intake, &m.Type, &r.chain, &r.artifact, &r.key, &r.payload, &m.Subject, &m.Body,
	}
}

func (r *messageRow) message() mail.Message {
	m := r.m
	m.CreatedAt = instant(r.created)
	m.Imported, m.AckRequired = truth(r.imported), truth(r.ack)
	m.To, m.Cc, m.Bcc = split(r.to), split(r.cc), split(r.bcc)
	m.Key = r.key.String
	m.ChainHash, m.ArtifactHash, m.Payload = hash(r.chain), hash(r.artifact), hash(r.payload)
	return m
}

// truth reads a truth value. One that neither is 0 nor 1 was not written by us: it is read as
// what it was not, so that verification sees it.
func truth(v int64) bool {
	if v == 0 || v == 1 {
		return v == 1
	}
	return v&1 == 0
}

func split(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, "\n")
}

func hash(data []byte) (h canon.Hash) {
	copy(h[:], data)
	return h
}

// messageScanner reads row after row into the same targets.
func messageScanner() func(*sql.Rows) (mail.Message, error) {
	r := &messageRow{}
	targets := r.targets()
	return func(rows *sql.Rows) (mail.Message, error) {
		if err := rows.Scan(targets...); err != nil {
			return mail.Message{}, err
		}
		return r.message(), nil
	}
}

func (r reader) messagesWhere(ctx context.Context, condition string, args ...any) ([]mail.Message, error) {
	return r.messagesIn(ctx, "messages", condition, args...)
}

// messagesIn reads from one of the tables of messages: those of the log, or the archived ones.
func (r reader) messagesIn(ctx context.Context, table, condition string, args ...any) ([]mail.Message, error) {
	return collect(ctx, r.db, messageScanner(), "SELECT "+messageColumns+" FROM "+table+" m "+condition, args...)
}

// Messages implements mail.Reader.
func (s *Store) Messages(ctx context.Context, q mail.MessageQuery) (list []mail.Message, err error) {
	err = s.read(ctx, "reading messages", func(r reader) error {
		list, err = r.Messages(ctx, q)
		return err
	})
	return list, err
}

func (r reader) Messages(ctx context.Context, q mail.MessageQuery) ([]mail.Message, error) {
	var w where
	w.add("m.project_id = ?", q.Project)
	if q.IDs != nil {
		w.in("m.id", q.IDs)
	}
	if q.Keys != nil {
		w.add("m.idem_key IS NOT NULL")
		w.in("m.idem_key", q.Keys)
	}
	if q.Thread != "" {
		w.add("m.thread_id = ? AND m.thread_id <> ''", q.Thread)
	}
	if len(q.Types) > 0 {
		w.in("m.type", q.Types)
	}
	if q.From != "" {
		w.add("m.sender_id = (SELECT id FROM agents WHERE project_id = ? AND name_key = ?)", q.Project, mail.NameKey(q.From))
	}
	if !q.At.IsZero() {
		const at = "SELECT id FROM messages WHERE project_id = ? AND created_us = ? AND imported = "
		w.add("m.id IN ("+at+"0 UNION ALL "+at+"1)", q.Project, q.At.UnixMicro(), q.Project, q.At.UnixMicro())
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
	condition := w.String() + order + w.limit(q.Limit)
	table := "messages"
	if q.Archived {
		table = "archived_messages"
	}
	list, err := r.messagesIn(ctx, table, condition, w.args...)
	if err == nil && len(list) == 0 {
		err = r.checkProject(ctx, q.Project)
	}
	if err == nil && len(list) == 0 && q.Thread != "" && !q.Archived {
		err = r.checkPresent(ctx, q.Project, q.Thread)
	}
	return list, err
}

const threadColumns = `project_id, thread_id, messages, first_id, first_type, head_id, chain_hash, latest_version, created_us, ` +
	`updated_us, crate`

func scanThread(rows *sql.Rows) (mail.Thread, error) {
	var (
		t                mail.Thread
		chain            []byte
		created, updated int64
	)
	err := rows.Scan(&t.Project, &t.ID, &t.Messages, &t.FirstID, &t.FirstType, &t.HeadID, &chain, &t.LatestVersion, &created, &updated,
		&t.Crate)
	t.ChainHash, t.CreatedAt, t.UpdatedAt = hash(chain), instant(created), instant(updated)
	return t, err
}

func (r reader) threadsWhere(ctx context.Context, condition string, args ...any) ([]mail.Thread, error) {
	return collect(ctx, r.db, scanThread, "SELECT "+threadColumns+" FROM threads "+condition, args...)
}

// Threads implements mail.Reader.
func (s *Store) Threads(ctx context.Context, q mail.ThreadQuery) (list []mail.Thread, err error) {
	err = s.read(ctx, "reading threads", func(r reader) error {
		list, err = r.Threads(ctx, q)
		return err
	})
	return list, err
}

func (r reader) Threads(ctx context.Context, q mail.ThreadQuery) ([]mail.Thread, error) {
	var w where
	w.add("project_id = ?", q.Project)
	if q.IDs != nil {
		w.in("thread_id", q.IDs)
	}
	if key := mail.NameKey(q.Member); q.Member != "" && !membersql.Everywhere(key) {
		w.add(membersql.Condition("d.done IN (0, 1) AND"), key)
	}
	if q.Before > 0 {
		w.add("head_id < ?", q.Before)
	}
	condition := w.String() + " ORDER BY head_id DESC" + w.limit(q.Limit)
	list, err := r.threadsWhere(ctx, condition, w.args...)
	if err == nil && len(list) == 0 {
		err = r.checkProject(ctx, q.Project)
	}
	return list, err
}
