package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"brenner/internal/protocol"
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
	s, err := a.open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.all()
}

// stream is an input that is being read. A read fails with an error of the protocol.
type stream struct {
	input
	*bufio.Reader
	close func()
	size  int64 // what is expected; 0: unknown
	err   error // why reading failed
}

// open begins to read an input.
func (a *app) open(ctx context.Context, in input) (*stream, error) {
	if in.path == "-" {
		return newStream(in, a.stdin(ctx), func() {}), nil
	}
	f, err := os.Open(in.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.Errorf(protocol.NotFound, "there is no file %q", in.path)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "cannot read %q: %w", in.path, system(err))
	}
	s := newStream(in, f, func() { _ = f.Close() })
	if info, err := f.Stat(); err == nil {
		if info.IsDir() {
			s.close()
			return nil, protocol.Errorf(protocol.Unreadable, "%q is a folder, not a file", in.path)
		}
		s.size = min(info.Size(), in.max)
	}
	return s, nil
}

func newStream(in input, r io.Reader, end func()) *stream {
	s := &stream{input: in, close: end}
	var read int64
	s.Reader = bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if read += int64(n); read > s.max {
			f := protocol.NewFinding(in.over, "%q is larger than %d bytes", in.path, s.max)
			s.err = protocol.Errorf(in.over, "%s", f.Message).WithFindings([]protocol.Finding{f})
			return n, s.err
		}
		if err != nil && !errors.Is(err, io.EOF) {
			s.err = protocol.Errorf(protocol.Unreadable, "cannot read %q: %w", in.path, err)
			return n, s.err
		}
		return n, err
	}), 64<<10)
	return s
}

// system is what the system said, without the call that it said it to.
func system(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// all reads the rest of the input.
func (s *stream) all() ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(s.size) + bytes.MinRead) // no second buffer to see the end
	if _, err := buf.ReadFrom(s.Reader); err != nil {
		return nil, s.err
	}
	return buf.Bytes(), nil
}

// stdin is what is piped in, or what a person pastes until Ctrl-D.
func (a *app) stdin(ctx context.Context) io.Reader {
	if a.streams.Keyboard == nil {
		return interruptible(ctx, a.streams.In)
	}
	p := newPrinter(a)
	p.note("paste the text; Ctrl-D on a line of its own ends it")
	p.err.Flush()
	var rest string
	return readerFunc(func(b []byte) (int, error) {
		if rest == "" {
			var err error
			if rest, err = a.typed().next(ctx); rest == "" && err != nil {
				return 0, err
			}
		}
		n := copy(b, rest)
		rest = rest[n:]
		return n, nil
	})
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
// stdin) means its content, any other itself.
func (a *app) readWords(ctx context.Context, value string) (string, error) {
	info, err := os.Stat(value)
	there := err == nil && !info.IsDir()
	if !there && (!isFile(value) || strings.ContainsAny(value, " \n")) {
		return value, nil
	}
	text, err := a.readAll(ctx, input{value, maxText, protocol.MessageTooLarge})
	return string(text), err
}
