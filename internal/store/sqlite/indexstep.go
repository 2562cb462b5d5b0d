package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// document is what the index takes of a message.
type document struct {
	id            int64
	project       mail.ProjectID
	thread        string
	kind          protocol.MessageType
	subject, body string
}

// meta is what the index knows of a document beside its text.
func (d *document) meta() string {
	return projectWord(d.project) + " " + threadWord(d.thread) + " " + typeWord(d.kind)
}

// remove takes messages out of the index. It has to be told the words it was given.
func (ix *index) remove(ctx context.Context, messages []mail.Message) error {
	db, err := ix.open(ctx)
	if err != nil {
		return err
	}
	return locked(ctx, db, func(conn *sql.Conn) error {
		var watermark int64
		if err := conn.QueryRowContext(ctx, "SELECT watermark FROM state").Scan(&watermark); err != nil {
			return err
		}
		for i := range messages {
			m := &messages[i]
			if m.ID > watermark {
				break
			}
			d := document{project: m.Project, thread: m.ThreadID, kind: m.Type}
			if _, err := conn.ExecContext(ctx, "INSERT INTO words (words, rowid, meta, subject, body) VALUES ('delete',?,?,?,?)",
				m.ID, d.meta(), strings.ToLower(m.Subject), strings.ToLower(m.Body)); err != nil {
				return err
			}
		}
		return nil
	})
}

// step indexes the messages behind the watermark, some thousands at most, in one transaction,
// and returns how many. Several processes may do so at once: each looks at the watermark
// behind the lock.
func (ix *index) step(ctx context.Context) (int, error) {
	db, err := ix.open(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	err = locked(ctx, db, func(conn *sql.Conn) (err error) {
		n, err = ix.stepInside(ctx, conn)
		return err
	})
	return n, err
}

func (ix *index) stepInside(ctx context.Context, conn *sql.Conn) (int, error) {
	var watermark int64
	if err := conn.QueryRowContext(ctx, "SELECT watermark FROM state").Scan(&watermark); err != nil {
		return 0, err
	}
	var documents []document
	err := ix.store.read(ctx, "indexing messages", func(r reader) (err error) {
		documents, err = collect(ctx, r.db, func(rows *sql.Rows) (d document, err error) {
			return d, rows.Scan(&d.id, &d.project, &d.thread, &d.kind, &d.subject, &d.body)
		}, "SELECT id, project_id, thread_id, type, subject, body FROM messages WHERE id > ? ORDER BY id"+limited, watermark, indexStep)
		return err
	})
	if err != nil || len(documents) == 0 {
		return 0, err
	}
	stmt, err := conn.PrepareContext(ctx, "INSERT INTO words (rowid, meta, subject, body) VALUES (?,?,?,?)")
	if err != nil {
		return 0, err
	}
	defer stmt.Close()
	background := context.Background() // one watcher for each row would cost more than the row
	for i := range documents {
		d := &documents[i]
		if _, err := stmt.ExecContext(background, d.id, d.meta(), strings.ToLower(d.subject), strings.ToLower(d.body)); err != nil {
			return 0, err
		}
		if i%64 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	_, err = conn.ExecContext(ctx, "UPDATE state SET watermark = ?", documents[len(documents)-1].id)
	return len(documents), err
}

// The words that are indexed for project, thread and type of a message.

func projectWord(p mail.ProjectID) string { return fmt.Sprintf("p%d", p) }

func threadWord(thread string) string {
	h := fnv.New64a()
	h.Write([]byte(thread))
	return fmt.Sprintf("t%016x", h.Sum64())
}

func typeWord(t protocol.MessageType) string { return "k" + strings.ToLower(string(t)) }
