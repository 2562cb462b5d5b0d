// Package backup is the file form of a whole store: JSON Lines, one record each, between a line
// that says what it is and a line that proves it is whole. It is the same for every engine, so
// that a backup of one can be restored into another.
package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"time"

	"brenner/internal/mail"
)

// format is the version of the form. A reader refuses what it does not know.
const format = 1

// header is the first line.
type header struct {
	Format    int    `json:"brenner_backup"`
	CreatedAt string `json:"created_at"`
	Engine    string `json:"engine"`
}

// footer is the last line: how many records came before it, and the hash of all bytes before it.
type footer struct {
	Records int    `json:"records"`
	SHA256  string `json:"sha256"`
}

// Origin says where a backup comes from.
type Origin struct {
	Engine string
	At     time.Time
}

// Write copies a store to w, as of one moment while the store stays in use. progress is told how
// many records are written; it may be nil. The result is their number.
func Write(ctx context.Context, from mail.Archiver, origin Origin, w io.Writer, progress func(n int)) (int, error) {
	out := &writer{buffer: bufio.NewWriterSize(w, 1<<16), sum: sha256.New()}
	if err := out.line(header{format, mail.FormatTime(origin.At), origin.Engine}); err != nil {
		return 0, err
	}
	n := 0
	err := from.Dump(ctx, func(r mail.Record) error {
		if err := out.line(newRow(r)); err != nil {
			return err
		}
		if n++; progress != nil {
			progress(n)
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	if err := out.line(row{End: &footer{n, hex.EncodeToString(out.sum.Sum(nil))}}); err != nil {
		return n, err
	}
	return n, out.buffer.Flush()
}

// writer writes lines and hashes them.
type writer struct {
	buffer *bufio.Writer
	sum    hash.Hash
}

func (w *writer) line(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	data = append(data, '\n')
	w.sum.Write(data)
	_, err = w.buffer.Write(data)
	return err
}
