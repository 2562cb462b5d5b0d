package mailtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// bareLog appends records to a file and syncs it, one sync for all that wait: the least that
// a durable log can do.
type bareLog struct {
	file   *os.File
	queue  chan bareRecord
	record []byte
}

type bareRecord struct {
	data []byte
	done chan error
}

func newBareLog(b *testing.B) *bareLog {
	file, err := os.Create(filepath.Join(b.TempDir(), "bare.log"))
	if err != nil {
		b.Fatal(err)
	}
	f := &fixture{TB: b}
	entry := f.benchEntry(1, 20)
	record, err := json.Marshal(entry.Message)
	if err != nil {
		b.Fatal(err)
	}
	l := &bareLog{file: file, queue: make(chan bareRecord, 256), record: append(record, '\n')}
	ended := make(chan struct{})
	go l.loop(ended)
	b.Cleanup(func() {
		close(l.queue)
		<-ended
		file.Close()
	})
	return l
}

func (l *bareLog) send(int64) error {
	r := bareRecord{bytes.Clone(l.record), make(chan error, 1)}
	l.queue <- r
	return <-r.done
}

func (l *bareLog) loop(ended chan struct{}) {
	defer close(ended)
	for first := range l.queue {
		runtime.Gosched()
		batch := []bareRecord{first}
		for len(batch) < 256 && len(l.queue) > 0 {
			batch = append(batch, <-l.queue)
		}
		var data []byte
		for _, r := range batch {
			data = append(data, r.data...)
		}
		_, err := l.file.Write(data)
		if err == nil {
			err = l.file.Sync()
		}
		for _, r := range batch {
			r.done <- err
		}
	}
}
