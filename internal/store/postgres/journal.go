package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/mail/planner"
	"brenner/internal/protocol"
	"brenner/internal/store/commitqueue"
)

var _ mail.Journalist = (*Store)(nil)

// journaled is the migration that brings the journal.
const journaled = 7

// knowsJournal tells whether this program keeps a journal.
func (s *Store) knowsJournal() bool { return len(s.steps()) >= journaled }

const leafInsert = `INSERT INTO journal (project_id, n, message_id, thread_id, kind, leaf)
	SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[])`

func leafColumns(rows []mail.LeafRow) []any {
	return []any{
		column(rows, func(l *mail.LeafRow) int64 { return int64(l.Project) }),
		column(rows, func(l *mail.LeafRow) int64 { return l.N }),
		column(rows, func(l *mail.LeafRow) int64 { return l.Message }),
		column(rows, func(l *mail.LeafRow) string { return l.ThreadID }),
		column(rows, func(l *mail.LeafRow) string { return string(l.Kind) }),
		column(rows, func(l *mail.LeafRow) string { return l.Line() }),
	}
}

func (tx *transaction) insertLeaves(rows []mail.LeafRow) {
	if len(rows) > 0 && tx.store.knowsJournal() {
		tx.queue(leafInsert, leafColumns(rows)...)
	}
}

const leafQuery = "SELECT project_id, message_id, leaf FROM journal"

func scanLeaf(rows pgx.Rows) (l mail.LeafRow, err error) {
	var project int64
	var line string
	if err = rows.Scan(&project, &l.Message, &line); err == nil {
		l.Project, l.Leaf = mail.ProjectID(project), journal.ReadLeaf(line)
	}
	return l, err
}

// Leaves implements mail.Journalist.
func (s *Store) Leaves(ctx context.Context, project mail.ProjectID, n int64, most int) (list []mail.LeafRow, err error) {
	err = s.read(ctx, "reading the journal", func(r reader) (err error) {
		list, err = collect(ctx, r.db, scanLeaf, leafQuery+" WHERE project_id = $1 AND n >= $2 ORDER BY n"+limit(most), int64(project), n)
		list, err = orNoProject(ctx, r, project, list, err)
		return err
	})
	return list, err
}

// told is a letter of a thread as its story needs it, or the thread's complete leaf.
type told struct {
	project  mail.ProjectID
	thread   string
	from     string
	kind     protocol.MessageType
	version  int
	complete bool
}

func scanTold(rows pgx.Rows) (t told, err error) {
	var project int64
	var kind string
	err = rows.Scan(&project, &t.thread, &t.from, &kind, &t.version, &t.complete)
	t.project, t.kind = mail.ProjectID(project), protocol.MessageType(kind)
	return t, err
}

const storyQuery = `SELECT project_id, thread_id, sender, type, version, complete FROM (
	SELECT project_id, thread_id, sender, type, version, false AS complete, id FROM messages
		WHERE project_id = $1 AND thread_id = ANY ($2) AND thread_id <> '' AND type IN ('KICKOFF', 'COMPILED')
	UNION ALL SELECT project_id, thread_id, '', '', 0, true, message_id FROM journal
		WHERE project_id = $1 AND thread_id = ANY ($2) AND kind = 'complete') t ORDER BY id`

// queueJournal adds the queries for what a plan wants to know of a journal.
func (f *facts) queueJournal(s *Store, w *commitqueue.Wants, batch *pgx.Batch) (scans []func(rows pgx.Rows) error) {
	if !s.knowsJournal() {
		return nil
	}
	if w.Journal {
		batch.Queue(leafQuery+" WHERE project_id = $1 ORDER BY n DESC LIMIT 1", int64(w.Project))
		scans = append(scans, into(&f.leaves, scanLeaf))
	}
	if len(w.Stories) > 0 {
		batch.Queue(storyQuery, int64(w.Project), w.Stories)
		scans = append(scans, into(&f.stories, scanTold))
	}
	return scans
}

// tellJournal tells the plan what was found of the journals.
func (f *facts) tellJournal(plan *planner.Plan) {
	for i := range f.wants {
		w := &f.wants[i]
		if w.Journal {
			plan.KnowJournal(w.Project, journal.Head{})
		}
		for _, thread := range w.Stories {
			var story journal.Story
			for _, t := range f.stories {
				if t.project == w.Project && t.thread == thread {
					story.Tell(t.from, t.kind, t.version, journal.None)
					story.Completed = story.Completed || t.complete
				}
			}
			plan.KnowStory(w.Project, thread, story)
		}
	}
	for i := range f.leaves {
		plan.KnowJournal(f.leaves[i].Project, f.leaves[i].After())
	}
}

const everyMessage = "(SELECT " + allMessageColumns + " FROM messages UNION ALL SELECT " + allMessageColumns + " FROM archived_messages)"

// backfill gives the messages of a store from before their leaves.
func (r reader) backfill(ctx context.Context, write func([]mail.LeafRow) error) error {
	var fill mail.Backfill
	for after := int64(0); ; {
		page, err := collect(ctx, r.db, scanMessage, messageQuery(everyMessage)+" WHERE m.id > $1 ORDER BY m.id LIMIT $2", after, dumpRows)
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

// backfillIn is backfill while the store is migrated.
func (s *Store) backfillIn(ctx context.Context, tx pgx.Tx) error {
	return reader{plain{tx}, s}.backfill(ctx, func(rows []mail.LeafRow) error {
		if len(rows) == 0 {
			return nil
		}
		_, err := tx.Exec(ctx, leafInsert, leafColumns(rows)...)
		return err
	})
}
