package mcpclient

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"sync"
	"time"

	"brenner/internal/protocol"
)

// StdioOptions say which program answers MCP on its stdin and stdout.
type StdioOptions struct {
	Args     []string
	Dir      string        // working directory; empty: this process's
	Env      []string      // whole environment; nil: this process's
	Stderr   io.Writer     // nil: thrown away
	Patience time.Duration // with one call; 0: half a minute
}

// Stdio starts a server. It ends with Close, or with the context.
func Stdio(ctx context.Context, o StdioOptions) (*Client, error) {
	cmd := exec.CommandContext(ctx, o.Args[0], o.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stderr = o.Dir, o.Env, o.Stderr
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "%w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, unavailable("%s does not start: %w", o.Args[0], err)
	}
	w := &stdioWire{cmd: cmd, in: in, waiting: map[string]chan answer{}, ended: make(chan struct{})}
	go w.read(out)
	return &Client{wire: w, patience: cmp.Or(o.Patience, patience)}, nil
}

type stdioWire struct {
	cmd     *exec.Cmd
	writing sync.Mutex
	in      io.WriteCloser

	mu      sync.Mutex
	waiting map[string]chan answer // by the id of the call
	ended   chan struct{}          // closed when the server's output ends
}

func (w *stdioWire) opened() {}
func (w *stdioWire) forget() {}

// close tells the server that nothing more comes, and waits for it.
func (w *stdioWire) close() error {
	w.writing.Lock()
	err := w.in.Close()
	w.writing.Unlock()
	<-w.ended
	return errors.Join(err, w.cmd.Wait())
}

// read hands each answer to the call that waits for it. Lines that are no answers are passed over:
// requests and notifications of the server need none from a client that offers nothing.
func (w *stdioWire) read(out io.Reader) {
	defer close(w.ended)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxAnswer)
	for lines.Scan() {
		var got answer
		if json.Unmarshal(lines.Bytes(), &got) != nil {
			continue
		}
		w.mu.Lock()
		to := w.waiting[string(got.ID)]
		delete(w.waiting, string(got.ID))
		w.mu.Unlock()
		if to != nil {
			to <- got
		}
	}
}

func (w *stdioWire) notify(_ context.Context, r request) error { return w.write(r) }

func (w *stdioWire) write(r request) error {
	line, err := json.Marshal(r)
	if err != nil {
		return protocol.Errorf(protocol.Internal, "%w", err)
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		return unavailable("the server does not listen any more: %w", err)
	}
	return nil
}

func (w *stdioWire) round(ctx context.Context, r request) (answer, error) {
	id, err := json.Marshal(r.ID)
	if err != nil {
		return answer{}, protocol.Errorf(protocol.Internal, "%w", err)
	}
	to := make(chan answer, 1)
	w.mu.Lock()
	w.waiting[string(id)] = to
	w.mu.Unlock()
	if err := w.write(r); err != nil {
		return answer{}, err
	}
	select {
	case got := <-to:
		return got, nil
	case <-w.ended:
		select {
		case got := <-to: // it came with the last line
			return got, nil
		default:
			return answer{}, unavailable("the server ended without an answer to %s", r.Method)
		}
	case <-ctx.Done():
		w.mu.Lock()
		delete(w.waiting, string(id))
		w.mu.Unlock()
		return answer{}, ctx.Err()
	}
}
