package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"brenner/protocol"
)

// input is a file argument; "-" is stdin.
type input struct {
	path string
	max  int64         // in bytes
	over protocol.Code // what to say of more
}

// readAll reads the whole input, or refuses one that is larger than allowed. A file that
// does not exist is NOT_FOUND; one that cannot be read is a failure.
func (a *app) readAll(ctx context.Context, in input) ([]byte, error) {
	if in.path == "-" {
		return in.limited(interruptible(ctx, a.streams.In), 0)
	}
	f, err := os.Open(in.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no file %q", in.path)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "cannot read %q: %w", in.path, err)
	}
	defer f.Close()
	var size int64
	if info, err := f.Stat(); err == nil {
		size = min(info.Size(), in.max)
	}
	return in.limited(f, size)
}

// limited reads the input; size is how much is expected, 0 if that is unknown.
func (in input) limited(r io.Reader, size int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(size) + bytes.MinRead) // no second buffer to see the end
	_, err := buf.ReadFrom(io.LimitReader(r, in.max+1))
	data := buf.Bytes()
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "cannot read %q: %w", in.path, err)
	}
	if int64(len(data)) > in.max {
		f := protocol.NewFinding(in.over, "%q is larger than %d bytes", in.path, in.max)
		return nil, protocol.Errorf(in.over, "%s", f.Message).WithFindings([]protocol.Finding{f})
	}
	return data, nil
}

// interruptible lets an interrupt end a read that waits for a person to type. The read
// itself cannot be stopped; it ends with the process.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		type result struct {
			n   int
			err error
		}
		own := make([]byte, len(p)) // p may be reused after an interrupt
		done := make(chan result, 1)
		go func() {
			n, err := r.Read(own)
			done <- result{n, err}
		}()
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case got := <-done:
			return copy(p, own[:got.n]), got.err
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// readWords reads what a person says in a sentence or in a file: a value that names a file (or
// stdin) stands for its content, any other for itself.
func (a *app) readWords(ctx context.Context, value string) (string, error) {
	info, err := os.Stat(value)
	there := err == nil && !info.IsDir()
	if !there && (!isFile(value) || strings.ContainsAny(value, " \n")) {
		return value, nil
	}
	text, err := a.readAll(ctx, input{value, maxText, protocol.MessageTooLarge})
	return string(text), err
}
