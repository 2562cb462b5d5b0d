package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// MaxOutput is how much of an output is kept: its beginning and its end.
const MaxOutput = 64 << 20

// Output is what a command wrote, in a file that goes away when it is closed.
type Output struct {
	File  *os.File
	Bytes int64 // that were written
	Cut   bool  // the file has only the beginning and the end of them

	mu     sync.Mutex
	live   io.Writer
	head   int64  // bytes in the file
	tail   []byte // a ring with the last bytes
	at     int    // where the next one goes
	failed error
}

// markRoom is kept free for the line that says how much is left out.
const markRoom = 128

func newOutput(live io.Writer) (*Output, error) {
	f, err := os.CreateTemp("", "brenner-run-")
	if err != nil {
		return nil, err
	}
	return &Output{File: f, live: live}, nil
}

// Write takes what the command writes. It never fails: a command is not ended for its output.
func (o *Output) Write(data []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.live != nil {
		_, _ = o.live.Write(data)
	}
	o.Bytes += int64(len(data))
	rest := data
	if room := MaxOutput/2 - o.head; room > 0 {
		n, err := o.File.Write(rest[:min(int64(len(rest)), room)])
		o.head, rest, o.failed = o.head+int64(n), rest[n:], errors.Join(o.failed, err)
	}
	o.keep(rest)
	return len(data), nil
}

// keep puts bytes into the ring.
func (o *Output) keep(data []byte) {
	const size = MaxOutput/2 - markRoom
	if len(data) > size {
		data = data[len(data)-size:]
	}
	if room := size - len(o.tail); room > 0 {
		n := min(room, len(data))
		o.tail, data = append(o.tail, data[:n]...), data[n:]
	}
	for len(data) > 0 {
		n := copy(o.tail[o.at:], data)
		o.at, data = (o.at+n)%len(o.tail), data[n:]
	}
}

// finish writes the end behind the beginning.
func (o *Output) finish() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if left := o.Bytes - o.head - int64(len(o.tail)); left > 0 {
		o.Cut = true
		_, err := fmt.Fprintf(o.File, "\n[… %d bytes left out …]\n", left)
		o.failed = errors.Join(o.failed, err)
	}
	_, err := o.File.Write(append(o.tail[o.at:len(o.tail):len(o.tail)], o.tail[:o.at]...))
	o.tail = nil
	return errors.Join(o.failed, err)
}

func (o *Output) close() {
	_ = o.File.Close()
	_ = os.Remove(o.File.Name())
}

// LastLine returns the rest of the last line that begins with a prefix; false if there is none.
func (o *Output) LastLine(prefix string) (string, bool) {
	if _, err := o.File.Seek(0, io.SeekStart); err != nil {
		return "", false
	}
	found, ok := "", false
	in := bufio.NewReaderSize(o.File, 1<<16)
	for begins := true; ; {
		line, more, err := in.ReadLine()
		if err != nil {
			return found, ok
		}
		if rest, has := strings.CutPrefix(string(line), prefix); begins && has && strings.TrimSpace(rest) != "" {
			found, ok = strings.ToValidUTF8(strings.TrimSpace(rest), "\uFFFD"), true
		}
		begins = !more
	}
}
