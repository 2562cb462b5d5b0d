package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/mail/mailtest"
)

// TestTamper changes rows through a connection of its own. Left out are the columns that are
// not part of a message: its idempotency key, and whether it was imported.
func TestTamper(t *testing.T) {
	mailtest.RunTamper(t, engine(), func(t *testing.T, s mail.Store) mailtest.Tampering {
		address, schema := parts(s.(opened).dsn)
		conn, err := pgx.Connect(t.Context(), address+"&search_path="+schema)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(t.Context()) })
		exec := func(query string, args ...any) {
			t.Helper()
			if _, err := conn.Exec(t.Context(), query, args...); err != nil {
				t.Fatal(err)
			}
		}
		return mailtest.Tampering{
			Columns: []string{
				"original_id", "created_us", "sender_id", "ack_required", "reply_to", "reply_origin", "version", "thread_id", "sender",
				"to_names", "cc_names", "bcc_names", "importance", "intake", "type", "chain_hash", "artifact_hash", "subject", "body",
			},
			Get: func(id int64, column string) (v any) {
				if err := conn.QueryRow(t.Context(), fmt.Sprintf("SELECT %s FROM messages WHERE id = $1", column), id).
					Scan(&v); err != nil {
					t.Fatal(err)
				}
				if flag, ok := v.(bool); ok {
					return map[bool]int64{false: 0, true: 1}[flag]
				}
				return v
			},
			Set: func(id int64, column string, value any) {
				exec(fmt.Sprintf("UPDATE messages SET %s = $1 WHERE id = $2", column), storable(column, value), id)
			},
			Summary: func(thread, column string, value int64) {
				exec(fmt.Sprintf("UPDATE threads SET %s = $1 WHERE thread_id = $2", column), value, thread)
			},
			Kept: func(kind mail.ProjectionKind, key string, data []byte) {
				exec("UPDATE projections SET data = $1 WHERE kind = $2 AND key = $3", append([]byte{}, data...), string(kind), key)
			},
			Delete: func(id int64) { exec("DELETE FROM messages WHERE id = $1", id) },
		}
	})
}

// storable is a value that the column can hold, and as wrong as the one given: the server
// itself refuses text that is not UTF-8, or a flag beside its two values.
func storable(column string, value any) any {
	switch v := value.(type) {
	case string:
		return strings.ReplaceAll(strings.ToValidUTF8(v, "?"), "\x00", "?")
	case int64:
		if column == "ack_required" { // 0 and 1 as they are; a bit turned in 0 or in 1
			return v == 1 || v > 1 && v%2 == 0
		}
	}
	return value
}
