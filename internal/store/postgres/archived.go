package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
)

var _ mail.ThreadArchiver = (*Store)(nil)

// shelf is a pair of tables that hold messages and their deliveries, with the records they make.
type shelf struct {
	messages, deliveries string
	message              func(*mail.Message) mail.Record
	delivery             func(*mail.DeliveryRow) mail.Record
}

var (
	hot = shelf{
		"messages", "deliveries", func(m *mail.Message) mail.Record { return mail.Record{Message: m} },
		func(d *mail.DeliveryRow) mail.Record { return mail.Record{Delivery: d} },
	}
	cold = shelf{
		"archived_messages", "archived_deliveries", func(m *mail.Message) mail.Record { return mail.Record{ArchivedMessage: m} },
		func(d *mail.DeliveryRow) mail.Record { return mail.Record{ArchivedDelivery: d} },
	}
)

// archiving is the migration that brings archived threads.
const archiving = 6

// knowsArchives tells whether this program knows of archived threads.
func (s *Store) knowsArchives() bool { return len(s.steps()) >= archiving }

// messageTables are the tables in which a key may have been used.
func (s *Store) messageTables() []string {
	if s.knowsArchives() {
		return []string{hot.messages, cold.messages}
	}
	return []string{hot.messages}
}

const archivedColumns = "project_id, thread_id, head_id, chain_hash, title, crate, sha256, through_id, archived_by, archived_us"

func scanArchived(rows pgx.Rows) (a mail.ArchivedThread, err error) {
	var project, at int64
	var chain, sum []byte
	err = rows.Scan(&project, &a.ID, &a.HeadID, &chain, &a.Title, &a.Crate, &sum, &a.Through, &a.By, &at)
	a.Project, a.ChainHash, a.SHA256, a.At = mail.ProjectID(project), hash(chain), hash(sum), instant(at)
	return a, err
}

func (r reader) archivedWhere(ctx context.Context, condition string, args ...any) ([]mail.ArchivedThread, error) {
	return collect(ctx, r.db, scanArchived, "SELECT "+archivedColumns+" FROM archives"+condition+" ORDER BY project_id, thread_id", args...)
}

// checkPresent fails with THREAD_ARCHIVED for a thread that left the log.
func (r reader) checkPresent(ctx context.Context, project mail.ProjectID, thread string) error {
	found, err := collect(ctx, r.db, scanThread, r.store.threadQuery()+" WHERE project_id = $1 AND thread_id = $2", int64(project), thread)
	if err != nil || len(found) == 0 {
		return err
	}
	return found[0].CheckPresent()
}

// ArchivedThreads implements mail.ThreadArchiver.
func (s *Store) ArchivedThreads(ctx context.Context, project mail.ProjectID, ids ...string) (list []mail.ArchivedThread, err error) {
	err = s.read(ctx, "reading archived threads", func(r reader) (err error) {
		var w where
		w.add("project_id = ?", int64(project))
		if len(ids) > 0 {
			w.add("thread_id = ANY (?)", ids)
		}
		list, err = r.archivedWhere(ctx, w.String(), w.args...)
		list, err = orNoProject(ctx, r, project, list, err)
		return err
	})
	return list, err
}

func (tx *transaction) insertArchived(a *mail.ArchivedThread) {
	tx.queue("INSERT INTO archives ("+archivedColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		int64(a.Project), a.ID, a.HeadID, a.ChainHash[:], a.Title, a.Crate, a.SHA256[:], a.Through, a.By, a.At.UnixMicro())
}

// ArchiveThread implements mail.ThreadArchiver.
func (s *Store) ArchiveThread(ctx context.Context, project mail.ProjectID, thread string,
	seal func(thread mail.Thread, messages []mail.Message) (mail.ArchivedThread, error),
) (archived mail.ArchivedThread, err error) {
	err = s.writer.doAlone(ctx, "archiving a thread", func(ctx context.Context, tx *transaction) error {
		summary, messages, err := tx.wholeThread(ctx, project, thread)
		if err != nil {
			return err
		}
		if archived, err = seal(summary, messages); err != nil {
			return verbatim{err}
		}
		tx.archive(&archived, messages)
		return nil
	})
	return archived, err
}

// wholeThread reads a thread that is in the log.
func (tx *transaction) wholeThread(ctx context.Context, project mail.ProjectID,
	thread string) (summary mail.Thread, messages []mail.Message, err error) {
	if err := tx.flush(ctx); err != nil {
		return summary, nil, err
	}
	threads, err := tx.Threads(ctx, mail.ThreadQuery{Project: project, IDs: []string{thread}})
	if err != nil {
		return summary, nil, err
	}
	if len(threads) == 0 {
		return summary, nil, mail.NoThread(thread)
	}
	messages, err = tx.Messages(ctx, mail.MessageQuery{Project: project, Thread: thread})
	return threads[0], messages, err
}

// archive moves the rows of a thread. A step of the search index that is under way is waited for.
func (tx *transaction) archive(a *mail.ArchivedThread, messages []mail.Message) {
	const ofThread = " FROM messages WHERE project_id = $1 AND thread_id = $2 AND thread_id <> ''"
	project, ids := int64(a.Project), column(messages, func(m *mail.Message) int64 { return m.ID })
	tx.queue("SELECT 1 FROM search_state WHERE only_row FOR UPDATE")
	tx.queue("DELETE FROM search WHERE project_id = $1 AND message_id = ANY ($2)", project, ids)
	tx.queue("INSERT INTO archived_messages ("+allMessageColumns+") SELECT "+strings.TrimSuffix(allMessageColumns, "body")+
		"CASE WHEN id <= $3 THEN '' ELSE body END"+ofThread, project, a.ID, a.Through)
	tx.queue("DELETE"+ofThread, project, a.ID)
	tx.moveDeliveries(hot, cold, ids)
	tx.queue("DELETE FROM projections WHERE project_id = $1 AND key = ANY ($2)", project, mail.KeptKeys(a.ID, messages))
	tx.queue("UPDATE threads SET crate = $3, archived_head = head_id WHERE project_id = $1 AND thread_id = $2", project, a.ID, a.Crate)
	tx.insertArchived(a)
	tx.insertEvents([]mail.Event{a.Event(mail.EventArchived, &messages[len(messages)-1], a.At)})
	tx.forget()
}

func (tx *transaction) moveDeliveries(from, to shelf, messages []int64) {
	ofMessages := " FROM " + from.deliveries + " WHERE message_id = ANY ($1)"
	tx.queue("INSERT INTO "+to.deliveries+" ("+allDeliveryColumns+") SELECT "+allDeliveryColumns+ofMessages, messages)
	tx.queue("DELETE"+ofMessages, messages)
}

// RestoreThread implements mail.ThreadArchiver.
func (s *Store) RestoreThread(ctx context.Context, project mail.ProjectID, thread string, at time.Time,
	refill func(archived mail.ArchivedThread, messages []mail.Message) error,
) error {
	// Indexing takes long: most of it is done before the log is locked.
	err := s.read(ctx, "restoring a thread", func(r reader) error {
		_, messages, err := r.refilled(ctx, project, thread, refill)
		if err != nil {
			return err
		}
		return s.index.ahead(ctx, messages)
	})
	if err != nil {
		return err
	}
	return s.writer.doAlone(ctx, "restoring a thread", func(ctx context.Context, tx *transaction) error {
		if err := tx.flush(ctx); err != nil {
			return err
		}
		archived, messages, err := tx.refilled(ctx, project, thread, refill)
		if err != nil {
			return err
		}
		return tx.restore(ctx, &archived, messages, at)
	})
}

// refilled reads an archived thread and lets refill give its messages their texts back.
func (r reader) refilled(ctx context.Context, project mail.ProjectID, thread string,
	refill func(archived mail.ArchivedThread, messages []mail.Message) error,
) (archived mail.ArchivedThread, messages []mail.Message, err error) {
	found, err := r.archivedWhere(ctx, " WHERE project_id = $1 AND thread_id = $2", int64(project), thread)
	if err != nil {
		return archived, nil, err
	}
	if len(found) == 0 {
		return archived, nil, mail.NotArchived(thread)
	}
	if messages, err = r.Messages(ctx, mail.MessageQuery{Project: project, Thread: thread, Archived: true}); err != nil {
		return archived, nil, err
	}
	if err := refill(found[0], messages); err != nil {
		return archived, nil, verbatim{err}
	}
	return found[0], messages, nil
}

// restore moves the rows of a thread back.
func (tx *transaction) restore(ctx context.Context, a *mail.ArchivedThread, messages []mail.Message, at time.Time) error {
	tx.queue("SELECT 1 FROM search_state WHERE only_row FOR UPDATE")
	if err := tx.writeMessages(ctx, messages); err != nil {
		return err
	}
	if err := tx.indexAgain(ctx, messages); err != nil {
		return err
	}
	tx.written = messages[:1]
	tx.queue("DELETE FROM archived_messages WHERE project_id = $1 AND thread_id = $2", int64(a.Project), a.ID)
	tx.moveDeliveries(cold, hot, column(messages, func(m *mail.Message) int64 { return m.ID }))
	tx.queue("DELETE FROM archives WHERE project_id = $1 AND thread_id = $2", int64(a.Project), a.ID)
	tx.queue("UPDATE threads SET crate = '', archived_head = NULL WHERE project_id = $1 AND thread_id = $2", int64(a.Project), a.ID)
	tx.insertEvents([]mail.Event{a.Event(mail.EventRestored, &messages[len(messages)-1], at)})
	tx.forget()
	return nil
}

// unindexed tells which of some messages the search index has passed without taking them.
func unindexed(ctx context.Context, db queryer, messages []mail.Message) (list []document, err error) {
	missing := map[int64]bool{}
	err = db.each(ctx, func(rows pgx.Rows) error {
		var id int64
		err := rows.Scan(&id)
		missing[id] = true
		return err
	}, `SELECT m FROM unnest($1::bigint[]) m WHERE m <= (SELECT watermark FROM search_state WHERE only_row)
		AND NOT EXISTS (SELECT 1 FROM search WHERE project_id = $2 AND message_id = m)`,
		column(messages, func(m *mail.Message) int64 { return m.ID }), int64(messages[0].Project))
	for i := range messages {
		if m := &messages[i]; missing[m.ID] {
			list = append(list, newDocument(m.ID, m.Project, m.ThreadID, m.Type, m.Subject, m.Body))
		}
	}
	return list, err
}

// aheadRows is how many messages are indexed in one transaction before they are in the log.
const aheadRows = 500

// ahead indexes messages that are about to come back. Should they not, what it wrote leads nowhere.
func (ix *index) ahead(ctx context.Context, messages []mail.Message) error {
	for some := range slices.Chunk(messages, aheadRows) {
		err := pgx.BeginFunc(ctx, ix.store.pool, func(tx pgx.Tx) error {
			for _, statement := range []string{"SET LOCAL synchronous_commit = off",
				"SELECT 1 FROM search_state WHERE only_row FOR UPDATE"} {
				if _, err := tx.Exec(ctx, statement); err != nil {
					return err
				}
			}
			documents, err := unindexed(ctx, plain{tx}, some)
			if err != nil || len(documents) == 0 {
				return err
			}
			return insertDocuments(ctx, tx, documents)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// indexAgain gives the search index what it has passed and ahead did not know.
func (tx *transaction) indexAgain(ctx context.Context, messages []mail.Message) error {
	for some := range slices.Chunk(messages, chunkRows) {
		documents, err := unindexed(ctx, tx, some)
		if err != nil {
			return err
		}
		if len(documents) > 0 {
			tx.queue(documentInsert, documentValues(documents)...)
		}
	}
	return nil
}

// summarizeArchived makes the summaries of archived threads again.
func (tx *transaction) summarizeArchived() {
	tx.queue(`INSERT INTO threads (project_id, thread_id, messages, first_id, head_id, latest_version, first_type, chain_hash,
		created_us, updated_us,
			crate, archived_head)
		SELECT a.project_id, a.thread_id, t.n, t.first_id, t.head_id, t.latest, f.type, h.chain_hash, f.created_us, h.created_us,
		a.crate, t.head_id
			FROM archives a JOIN (SELECT project_id, thread_id, count(*) n, min(id) first_id, max(id) head_id, max(version) latest
				FROM archived_messages GROUP BY project_id, thread_id) t ON t.project_id = a.project_id AND t.thread_id = a.thread_id
			JOIN archived_messages f ON f.id = t.first_id JOIN archived_messages h ON h.id = t.head_id
		ON CONFLICT DO NOTHING`)
}
