package sqlite

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"brenner/internal/mail"
)

var _ mail.ThreadArchiver = (*Store)(nil)

const archivedColumns = "project_id, thread_id, head_id, chain_hash, title, crate, sha256, through_id, archived_by, archived_us"

func scanArchived(rows *sql.Rows) (a mail.ArchivedThread, err error) {
	var chain, sum []byte
	var at int64
	err = rows.Scan(&a.Project, &a.ID, &a.HeadID, &chain, &a.Title, &a.Crate, &sum, &a.Through, &a.By, &at)
	a.ChainHash, a.SHA256, a.At = hash(chain), hash(sum), instant(at)
	return a, err
}

func (r reader) archivedWhere(ctx context.Context, condition string, args ...any) ([]mail.ArchivedThread, error) {
	return collect(ctx, r.db, scanArchived, "SELECT "+archivedColumns+" FROM archives "+condition+" ORDER BY project_id, thread_id",
		args...)
}

// checkPresent fails with THREAD_ARCHIVED for a thread that left the log.
func (r reader) checkPresent(ctx context.Context, project mail.ProjectID, thread string) error {
	found, err := r.threadsWhere(ctx, "WHERE project_id = ? AND thread_id = ?", project, thread)
	if err != nil || len(found) == 0 {
		return err
	}
	return found[0].CheckPresent()
}

// ArchivedThreads implements mail.ThreadArchiver.
func (s *Store) ArchivedThreads(ctx context.Context, project mail.ProjectID, ids ...string) (list []mail.ArchivedThread, err error) {
	err = s.read(ctx, "reading archived threads", func(r reader) error {
		var w where
		w.add("project_id = ?", project)
		if len(ids) > 0 {
			w.in("thread_id", ids)
		}
		if list, err = r.archivedWhere(ctx, w.String(), w.args...); err == nil && len(list) == 0 {
			err = r.checkProject(ctx, project)
		}
		return err
	})
	return list, err
}

func (tx *transaction) insertArchived(a *mail.ArchivedThread) error {
	return tx.exec("INSERT INTO archives ("+archivedColumns+") VALUES (?,?,?,?,?,?,?,?,?,?)",
		a.Project, a.ID, a.HeadID, a.ChainHash[:], a.Title, a.Crate, a.SHA256[:], a.Through, a.By, a.At.UnixMicro())
}

// ArchiveThread implements mail.ThreadArchiver.
func (s *Store) ArchiveThread(ctx context.Context, project mail.ProjectID, thread string,
	seal func(thread mail.Thread, messages []mail.Message) (mail.ArchivedThread, error),
) (archived mail.ArchivedThread, err error) {
	var messages []mail.Message
	err = s.writer.do(ctx, "archiving a thread", func(tx *transaction) error {
		var summary mail.Thread
		if summary, messages, err = tx.wholeThread(ctx, project, thread); err != nil {
			return err
		}
		if archived, err = seal(summary, messages); err != nil {
			return err
		}
		return tx.archive(&archived, messages)
	})
	if err != nil {
		return mail.ArchivedThread{}, err
	}
	_ = s.index.remove(ctx, messages) // what stays in the index leads nowhere
	return archived, nil
}

// wholeThread reads a thread that is in the log.
func (tx *transaction) wholeThread(ctx context.Context, project mail.ProjectID,
	thread string) (summary mail.Thread, messages []mail.Message, err error) {
	if err := tx.flush(); err != nil {
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

// archive moves the rows of a thread.
func (tx *transaction) archive(a *mail.ArchivedThread, messages []mail.Message) error {
	const ofThread = " FROM messages WHERE project_id = ? AND thread_id = ? AND thread_id <> ''"
	const kept = "DELETE FROM projections WHERE project_id = ? AND key IN (SELECT value FROM json_each(?))"
	ids := jsonList(idsOf(messages))
	received := " FROM deliveries WHERE agent_id IN (SELECT id FROM agents WHERE project_id = ? AND name_key IN (SELECT value FROM " +
		"json_each(?)))" +
		" AND done IN (0, 1) AND message_id IN (SELECT value FROM json_each(?))"
	names := jsonList(recipients(messages))
	for _, s := range []statement{
		{"INSERT INTO archived_messages (" + allMessageColumns + ") SELECT " + strings.TrimSuffix(allMessageColumns, "body") +
			"iif(id <= ?, '', body)" + ofThread, []any{a.Through, a.Project, a.ID}},
		{"DELETE" + ofThread, []any{a.Project, a.ID}},
		{"INSERT INTO archived_deliveries (" + allDeliveryColumns + ") SELECT " + allDeliveryColumns + received,
			[]any{a.Project, names, ids}},
		{"DELETE" + received, []any{a.Project, names, ids}},
		{kept, []any{a.Project, jsonList(mail.KeptKeys(a.ID, messages))}},
		{"UPDATE threads SET crate = ? WHERE project_id = ? AND thread_id = ?", []any{a.Crate, a.Project, a.ID}},
	} {
		if err := tx.exec(s.text, s.args...); err != nil {
			return err
		}
	}
	if err := tx.insertArchived(a); err != nil {
		return err
	}
	if err := tx.insertEvents([]mail.Event{a.Event(mail.EventArchived, &messages[len(messages)-1], a.At)}); err != nil {
		return err
	}
	return tx.forget()
}

type statement struct {
	text string
	args []any
}

func idsOf(messages []mail.Message) []int64 {
	ids := make([]int64, len(messages))
	for i := range messages {
		ids[i] = messages[i].ID
	}
	return ids
}

// recipients are the name keys of all recipients.
func recipients(messages []mail.Message) []string {
	seen := map[string]bool{}
	keys := []string{}
	for i := range messages {
		_, named := mail.Addressed(&messages[i].Message)
		for _, key := range named {
			if !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// RestoreThread implements mail.ThreadArchiver.
func (s *Store) RestoreThread(ctx context.Context, project mail.ProjectID, thread string, at time.Time,
	refill func(archived mail.ArchivedThread, messages []mail.Message) error,
) error {
	return s.writer.do(ctx, "restoring a thread", func(tx *transaction) error {
		if err := tx.flush(); err != nil {
			return err
		}
		found, err := tx.archivedWhere(ctx, "WHERE project_id = ? AND thread_id = ?", project, thread)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return mail.NotArchived(thread)
		}
		messages, err := tx.Messages(ctx, mail.MessageQuery{Project: project, Thread: thread, Archived: true})
		if err == nil {
			err = refill(found[0], messages)
		}
		if err != nil {
			return err
		}
		return tx.restore(&found[0], messages, at)
	})
}

// restore moves the rows of a thread back. The index, which went beyond its messages long ago, is made anew.
func (tx *transaction) restore(a *mail.ArchivedThread, messages []mail.Message, at time.Time) error {
	if err := tx.insertMessages(messages); err != nil {
		return err
	}
	ids := jsonList(idsOf(messages))
	for _, s := range []statement{
		{"DELETE FROM archived_messages WHERE project_id = ? AND thread_id = ?", []any{a.Project, a.ID}},
		{"INSERT INTO deliveries (" + allDeliveryColumns + ") SELECT " + allDeliveryColumns +
			" FROM archived_deliveries WHERE message_id IN (SELECT value FROM json_each(?))", []any{ids}},
		{"DELETE FROM archived_deliveries WHERE message_id IN (SELECT value FROM json_each(?))", []any{ids}},
		{"DELETE FROM archives WHERE project_id = ? AND thread_id = ?", []any{a.Project, a.ID}},
		{"UPDATE threads SET crate = '' WHERE project_id = ? AND thread_id = ?", []any{a.Project, a.ID}},
		{"UPDATE meta SET value = abs(random()) WHERE key = 'identity'", nil},
	} {
		if err := tx.exec(s.text, s.args...); err != nil {
			return err
		}
	}
	if err := tx.insertEvents([]mail.Event{a.Event(mail.EventRestored, &messages[len(messages)-1], at)}); err != nil {
		return err
	}
	return tx.forget()
}

// summarizeArchived makes the summaries of archived threads again.
func (tx *transaction) summarizeArchived() error {
	return tx.exec(`INSERT OR IGNORE INTO threads (project_id, thread_id, messages, first_id, head_id, latest_version, first_type,
		chain_hash, created_us, updated_us, crate)
		SELECT a.project_id, a.thread_id, t.n, t.first_id, t.head_id, t.latest, f.type, h.chain_hash, f.created_us, h.created_us, a.crate
			FROM archives a JOIN (SELECT project_id, thread_id, count(*) n, min(id) first_id, max(id) head_id, max(version) latest
				FROM archived_messages GROUP BY project_id, thread_id) t ON t.project_id = a.project_id AND t.thread_id = a.thread_id
			JOIN archived_messages f ON f.id = t.first_id JOIN archived_messages h ON h.id = t.head_id`)
}
