package sqlite_test

import (
	"database/sql"
	"fmt"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
	"brenner/internal/store/sqlite"
)

// TestTamper changes rows through a connection of its own. Left out are the columns that are
// not part of a message: its idempotency key, and whether it was imported.
func TestTamper(t *testing.T) {
	mailtest.RunTamper(t, engine(), func(t *testing.T, s mail.Store) mailtest.Tampering {
		db, err := sql.Open("sqlite", s.(*sqlite.Store).Path())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		exec := func(query string, args ...any) {
			t.Helper()
			if _, err := db.Exec(query, args...); err != nil {
				t.Fatal(err)
			}
		}
		return mailtest.Tampering{
			Columns: []string{
				"original_id", "created_us", "sender_id", "ack_required", "reply_to", "reply_origin", "version", "thread_id", "sender",
				"to_names", "cc_names", "bcc_names", "importance", "intake", "type", "chain_hash", "artifact_hash", "subject", "body",
			},
			Get: func(id int64, column string) (v any) {
				if err := db.QueryRow(fmt.Sprintf("SELECT %s FROM messages WHERE id = ?", column), id).Scan(&v); err != nil {
					t.Fatal(err)
				}
				return v
			},
			Set: func(id int64, column string, value any) {
				exec(fmt.Sprintf("UPDATE messages SET %s = ? WHERE id = ?", column), value, id)
			},
			Summary: func(thread, column string, value int64) {
				exec(fmt.Sprintf("UPDATE threads SET %s = ? WHERE thread_id = ?", column), value, thread)
			},
			Kept: func(kind mail.ProjectionKind, key string, data []byte) {
				exec("UPDATE projections SET data = ? WHERE kind = ? AND key = ?", append([]byte{}, data...), string(kind), key)
			},
			Delete: func(id int64) { exec("DELETE FROM messages WHERE id = ?", id) },
		}
	})
}
