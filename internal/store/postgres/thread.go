package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/store/membersql"
)

// threadQuery reads summaries. A program that does not know of archived threads does not ask for crates.
func (s *Store) threadQuery() string {
	crate := "crate"
	if !s.knowsArchives() {
		crate = "''"
	}
	return `SELECT project_id, thread_id, messages, first_id, first_type, head_id, chain_hash, latest_version,
		created_us, updated_us, ` + crate + " FROM threads"
}

func scanThread(rows pgx.Rows) (mail.Thread, error) {
	var (
		t                                            mail.Thread
		project, messages, version, created, updated int64
		kind                                         string
		chain                                        []byte
	)
	err := rows.Scan(&project, &t.ID, &messages, &t.FirstID, &kind, &t.HeadID, &chain, &version, &created, &updated, &t.Crate)
	t.Project, t.Messages, t.LatestVersion = mail.ProjectID(project), int(messages), int(version)
	t.FirstType, t.ChainHash = protocol.MessageType(kind), hash(chain)
	t.CreatedAt, t.UpdatedAt = instant(created), instant(updated)
	return t, err
}

// Threads implements mail.Reader.
func (s *Store) Threads(ctx context.Context, q mail.ThreadQuery) (list []mail.Thread, err error) {
	err = s.read(ctx, "reading threads", func(r reader) (err error) {
		list, err = r.Threads(ctx, q)
		return err
	})
	return list, err
}

func (r reader) Threads(ctx context.Context, q mail.ThreadQuery) ([]mail.Thread, error) {
	var w where
	w.add("project_id = ?", int64(q.Project))
	if q.IDs != nil {
		w.add("thread_id = ANY (?)", q.IDs)
	}
	if key := mail.NameKey(q.Member); q.Member != "" && !membersql.Everywhere(key) {
		w.add(membersql.Condition(""), key)
	}
	if q.Before > 0 {
		w.add("head_id < ?", q.Before)
	}
	list, err := collect(ctx, r.db, scanThread, r.store.threadQuery()+w.String()+" ORDER BY head_id DESC"+limit(q.Limit), w.args...)
	return orNoProject(ctx, r, q.Project, list, err)
}

func (tx *transaction) putThreads(list []*mail.Thread) {
	if len(list) == 0 {
		return
	}
	tx.queue(`INSERT INTO threads (project_id, thread_id, messages, first_id, first_type, head_id, chain_hash, latest_version,
		created_us, updated_us)
		SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bytea[], $8::bigint[],
		$9::bigint[], $10::bigint[])
		ON CONFLICT (project_id, thread_id) DO UPDATE SET messages = excluded.messages, head_id = excluded.head_id,
			chain_hash = excluded.chain_hash, latest_version = excluded.latest_version, updated_us = excluded.updated_us`,
		column(list, func(t **mail.Thread) int64 { return int64((*t).Project) }),
		column(list, func(t **mail.Thread) string { return (*t).ID }),
		column(list, func(t **mail.Thread) int64 { return int64((*t).Messages) }),
		column(list, func(t **mail.Thread) int64 { return (*t).FirstID }),
		column(list, func(t **mail.Thread) string { return string((*t).FirstType) }),
		column(list, func(t **mail.Thread) int64 { return (*t).HeadID }),
		column(list, func(t **mail.Thread) []byte { return (*t).ChainHash[:] }),
		column(list, func(t **mail.Thread) int64 { return int64((*t).LatestVersion) }),
		column(list, func(t **mail.Thread) int64 { return (*t).CreatedAt.UnixMicro() }),
		column(list, func(t **mail.Thread) int64 { return (*t).UpdatedAt.UnixMicro() }))
}

// withoutLoss deletes the summaries of threads but of those that knew more than the log has: they are all that is left of what
// was lost (PROTOCOL 14).
const withoutLoss = `DELETE FROM threads WHERE (project_id, thread_id) NOT IN (
	SELECT t.project_id, t.thread_id FROM threads t LEFT JOIN (
		SELECT project_id, thread_id, count(*) n, max(id) head, max(version) latest FROM (
			SELECT project_id, thread_id, id, version FROM messages UNION ALL SELECT project_id, thread_id, id, version
			FROM archived_messages) m
		GROUP BY project_id, thread_id) l ON l.project_id = t.project_id AND l.thread_id = t.thread_id
	WHERE coalesce(l.n, 0) < t.messages OR coalesce(l.head, 0) < t.head_id OR coalesce(l.latest, 0) < t.latest_version)`

// summarize makes the summaries of all threads again from their messages.
func (tx *transaction) summarize(ctx context.Context) error {
	if err := tx.flush(ctx); err != nil {
		return err
	}
	tx.queue(withoutLoss)
	tx.queue(`INSERT INTO threads (project_id, thread_id, messages, first_id, head_id, latest_version, first_type, chain_hash,
		created_us, updated_us)
		SELECT t.project_id, t.thread_id, t.n, t.first_id, t.head_id, t.latest, f.type, h.chain_hash, f.created_us, h.created_us
			FROM (SELECT project_id, thread_id, count(*) n, min(id) first_id, max(id) head_id, max(version) latest
				FROM messages WHERE thread_id <> '' GROUP BY project_id, thread_id) t
			JOIN messages f ON f.id = t.first_id JOIN messages h ON h.id = t.head_id
		ON CONFLICT DO NOTHING`)
	tx.summarizeArchived()
	tx.forget()
	return nil
}
