package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"iter"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

// Read hands out the records of a backup. The last one is followed by an error unless the whole
// file is there and nothing in it was changed: who loads the records must keep none of them then.
// INVALID_INPUT: this is no backup, or not a whole one.
func Read(r io.Reader) iter.Seq2[mail.Record, error] {
	return func(yield func(mail.Record, error) bool) {
		in := &reader{buffer: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
		if err := in.header(); err != nil {
			yield(mail.Record{}, err)
			return
		}
		for {
			record, done, err := in.next()
			if done && err == nil {
				return
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

type reader struct {
	buffer *bufio.Reader
	sum    hash.Hash // of all lines before this one
	number int       // of the line
	count  int       // of records
}

// line reads the next line; the hash does not cover it yet.
func (r *reader) line() ([]byte, error) {
	data, err := r.buffer.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		return nil, broken("it ends before its last line: it was cut off")
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "the backup cannot be read: %w", err)
	}
	r.number++
	return data, nil
}

func broken(format string, args ...any) error {
	return protocol.Errorf(protocol.InvalidInput, "this is no whole backup: "+format, args...)
}

func (r *reader) header() error {
	data, err := r.line()
	if err != nil {
		return err
	}
	var h header
	switch {
	case json.Unmarshal(data, &h) != nil || h.Format == 0:
		return broken("its first line does not say brenner_backup")
	case h.Format > format:
		return protocol.Errorf(protocol.SchemaTooNew, "the backup has format %d; this brenner reads formats up to %d", h.Format, format)
	}
	r.sum.Write(data)
	return nil
}

// next reads a record, or the last line.
func (r *reader) next() (mail.Record, bool, error) {
	data, err := r.line()
	if err != nil {
		return mail.Record{}, false, err
	}
	var line row
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&line); err != nil {
		return mail.Record{}, false, broken("line %d cannot be read: %v", r.number, err)
	}
	if line.End != nil {
		return mail.Record{}, true, r.end(*line.End)
	}
	r.sum.Write(data)
	r.count++
	record, err := line.record()
	if err != nil {
		return mail.Record{}, false, broken("line %d: %v", r.number, err)
	}
	return record, false, nil
}

// end compares the last line with what came before, and makes sure that it is the last.
func (r *reader) end(f footer) error {
	switch {
	case f.Records != r.count:
		return broken("it has %d records where %d were written", r.count, f.Records)
	case f.SHA256 != hex.EncodeToString(r.sum.Sum(nil)):
		return broken("it was changed after it was written")
	}
	if _, err := r.buffer.Peek(1); !errors.Is(err, io.EOF) {
		return broken("something follows its last line")
	}
	return nil
}
