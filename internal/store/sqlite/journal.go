package sqlite

import (
	"context"
	"database/sql"

	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

var _ mail.Journalist = (*Store)(nil)

var leafTable = &table{"INSERT INTO journal (project_id, n, message_id, thread_id, kind, leaf)", 6, ""}

func (tx *transaction) insertLeaves(rows []mail.LeafRow) error {
	return tx.write(leafTable, len(rows), func(args *arguments, i int) {
		l := &rows[i]
		args.add(int64(l.Project), l.N, l.Message, l.ThreadID, string(l.Kind), l.Line())
	})
}

// Leaves implements mail.Journalist.
func (s *Store) Leaves(ctx context.Context, project mail.ProjectID, n int64, limit int) (list []mail.LeafRow, err error) {
	err = s.read(ctx, "reading the journal", func(r reader) error {
		var w where
		w.add("project_id = ? AND n >= ?", project, n)
		if list, err = r.leaves(ctx, w.String()+" ORDER BY n"+w.limit(limit), w.args...); err == nil && len(list) == 0 {
			err = r.checkProject(ctx, project)
		}
		return err
	})
	return list, err
}

func (r reader) leaves(ctx context.Context, condition string, args ...any) ([]mail.LeafRow, error) {
	return collect(ctx, r.db, func(rows *sql.Rows) (l mail.LeafRow, err error) {
		var line string
		if err = rows.Scan(&l.Project, &l.Message, &line); err == nil {
			l.Leaf = journal.ReadLeaf(line)
		}
		return l, err
	}, "SELECT project_id, message_id, leaf FROM journal "+condition, args...)
}

// tellJournal tells the plan what it wants to know of the journal, with everything that was sent before.
func (tx *transaction) tellJournal(project mail.ProjectID, wants *planner.Wants) error {
	ctx := context.Background()
	if wants.Journal {
		last, err := tx.leaves(ctx, "WHERE project_id = ? ORDER BY n DESC LIMIT 1", project)
		if err != nil {
			return commitqueue.Fault(err)
		}
		var head journal.Head
		if len(last) > 0 {
			head = last[0].After()
		}
		tx.plan.KnowJournal(project, head)
	}
	for _, thread := range wants.Stories {
		story, err := tx.story(ctx, project, thread)
		if err != nil {
			return commitqueue.Fault(err)
		}
		tx.plan.KnowStory(project, thread, story)
	}
	return nil
}

func (tx *transaction) story(ctx context.Context, project mail.ProjectID, thread string) (story journal.Story, err error) {
	told, err := tx.query(ctx, `SELECT sender, type, version FROM messages
		WHERE project_id = ? AND thread_id = ? AND thread_id <> '' AND type IN ('KICKOFF', 'COMPILED') ORDER BY id`, project, thread)
	if err != nil {
		return story, err
	}
	defer told.Close()
	for told.Next() {
		var from string
		var kind protocol.MessageType
		var version int
		if err := told.Scan(&from, &kind, &version); err != nil {
			return story, err
		}
		story.Tell(from, kind, version, journal.None)
	}
	if err := told.Err(); err != nil {
		return story, err
	}
	n, err := number(ctx, tx, "SELECT count(*) FROM journal WHERE project_id = ? AND thread_id = ? AND kind = 'complete'", project, thread)
	story.Completed = n > 0
	return story, err
}

const everyMessage = "(SELECT " + allMessageColumns + " FROM messages UNION ALL SELECT " + allMessageColumns + " FROM archived_messages)"

// backfill gives the messages of a store from before their leaves.
func (r reader) backfill(ctx context.Context, write func([]mail.LeafRow) error) error {
	var fill mail.Backfill
	for after := int64(0); ; {
		page, err := r.messagesIn(ctx, everyMessage, "WHERE m.id > ? ORDER BY m.id"+limited, after, dumpPage)
		if err != nil || len(page) == 0 {
			return err
		}
		var rows []mail.LeafRow
		for i := range page {
			after = page[i].ID
			if row, ok := fill.Next(&page[i]); ok {
				rows = append(rows, row)
			}
		}
		if err := write(rows); err != nil {
			return err
		}
	}
}

// journaled is the migration that brings the journal.
const journaled = 6

// migrating runs queries on the connection that migrates.
type migrating struct{ conn *sql.Conn }

func (m migrating) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return m.conn.QueryContext(ctx, query, args...)
}

// writeLeaves writes leaves while the store is migrated.
func (m migrating) writeLeaves(ctx context.Context) func([]mail.LeafRow) error {
	return func(rows []mail.LeafRow) error {
		for i := range rows {
			l := &rows[i]
			_, err := m.conn.ExecContext(ctx, leafTable.insert+" VALUES (?,?,?,?,?,?)",
				int64(l.Project), l.N, l.Message, l.ThreadID, string(l.Kind), l.Line())
			if err != nil {
				return err
			}
		}
		return nil
	}
}
