package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// What one step of the index takes.
const (
	stepRows  = 2000
	stepBytes = 8 << 20
)

// step indexes the messages behind the watermark, some thousands at most, in one transaction,
// and returns how many. It can be made again, so it does not wait for the disk.
func (ix *index) step(ctx context.Context) (n int, err error) {
	err = pgx.BeginFunc(ctx, ix.store.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit = off"); err != nil {
			return err
		}
		r := reader{plain{tx}, ix.store}
		watermark, err := number(ctx, r.db, "SELECT watermark FROM search_state WHERE only_row FOR UPDATE")
		if err != nil {
			return err
		}
		upTo, err := r.pageEnd(ctx, hot.messages, watermark, stepRows, stepBytes)
		if err != nil || upTo == 0 {
			return err
		}
		documents, err := r.documents(ctx, watermark, upTo)
		if err != nil {
			return err
		}
		n = len(documents)
		if err := insertDocuments(ctx, tx, documents); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE search_state SET watermark = $1 WHERE only_row", upTo)
		watermark = upTo
		ix.watermark.Store(watermark)
		return err
	})
	return n, err
}

// pageEnd returns the id of the last message of a page behind another message: as many as the
// limits allow, at least one. It is 0 if there is none.
func (r reader) pageEnd(ctx context.Context, table string, after int64, rows, bytes int) (int64, error) {
	return number(ctx, r.db, `SELECT max(id) FROM (
			SELECT id, row_number() OVER w AS n, sum(octet_length(body)) OVER w AS bytes
				FROM (SELECT id, body FROM `+table+` WHERE id > $1 ORDER BY id LIMIT $2) m WINDOW w AS (ORDER BY id)) page
		WHERE n = 1 OR bytes <= $3`, after, rows, bytes)
}

// document is a message as the index takes it.
type document struct {
	project, message int64
	whole            bool
	words            string // as tsvector reads it
}

func (r reader) documents(ctx context.Context, after, upTo int64) ([]document, error) {
	return collect(ctx, r.db, func(rows pgx.Rows) (document, error) {
		var (
			d                           document
			thread, kind, subject, body string
		)
		if err := rows.Scan(&d.message, &d.project, &thread, &kind, &subject, &body); err != nil {
			return d, err
		}
		return newDocument(d.message, mail.ProjectID(d.project), thread, protocol.MessageType(kind), subject, body), nil
	}, "SELECT id, project_id, thread_id, type, subject, body FROM messages WHERE id > $1 AND id <= $2 ORDER BY id", after, upTo)
}

func newDocument(id int64, project mail.ProjectID, thread string, kind protocol.MessageType, subject, body string) document {
	words, whole := vector(append(mail.Words(subject), mail.Words(body)...), projectWord(project), threadWord(thread), typeWord(kind))
	return document{int64(project), id, whole, words}
}

const documentInsert = `INSERT INTO search (project_id, message_id, whole, words)
	SELECT p, m, w, words::tsvector FROM unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::text[]) d (p, m, w, words)`

func documentValues(list []document) []any {
	return []any{
		column(list, func(d *document) int64 { return d.project }),
		column(list, func(d *document) int64 { return d.message }),
		column(list, func(d *document) bool { return d.whole }),
		column(list, func(d *document) string { return d.words }),
	}
}

func insertDocuments(ctx context.Context, tx pgx.Tx, list []document) error {
	_, err := tx.Exec(ctx, documentInsert, documentValues(list)...)
	return err
}

// The limits of a tsvector: a word is cut, and a message whose words are more than fit is not
// whole in the index.
const (
	maxWord   = 500
	maxVector = 900_000
)

// vector writes words as tsvector reads them, each once. If they do not fit only the names are
// there, with the word that says so.
func vector(words []string, names ...string) (text string, whole bool) {
	for i, w := range words {
		words[i] = cut(w)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	size := 0
	for _, w := range words {
		size += len(w)
	}
	if whole = size <= maxVector; !whole {
		words = []string{tooLarge}
	}
	var b strings.Builder
	b.Grow(size + 3*len(words) + 100)
	for _, list := range [][]string{words, names} {
		for _, w := range list {
			writeLexeme(&b, w)
			b.WriteByte(' ')
		}
	}
	return b.String(), whole
}

// cut shortens a word to what an index takes, at a character's border.
func cut(word string) string {
	if len(word) <= maxWord {
		return word
	}
	end := maxWord
	for !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

var lexemeEscapes = strings.NewReplacer(`'`, `''`, `\`, `\\`)

// writeLexeme quotes a word for a tsvector or a tsquery.
func writeLexeme(b *strings.Builder, word string) {
	b.WriteByte('\'')
	if strings.ContainsAny(word, `'\`) {
		word = lexemeEscapes.Replace(word)
	}
	b.WriteString(word)
	b.WriteByte('\'')
}

// The words that name project, thread and type of a message, and the one of a message that is
// too large. They begin with a control character, as no word of a text does.

const tooLarge = "\x01"

func projectWord(p mail.ProjectID) string { return "\x02" + strconv.FormatInt(int64(p), 10) }

func threadWord(thread string) string { return cut("\x03" + thread) }

func typeWord(t protocol.MessageType) string { return "\x04" + string(t) }
