package fold

import (
	"cmp"
	"crypto/sha256"
	"slices"

	"brenner/internal/canon"
	"brenner/internal/kept"
	"brenner/internal/protocol"
)

// windowDetail is how much a window keeps: about fifty messages of ten changes each, as many as a page shows.
const windowDetail = 1000

// Window is what folding some messages in a row came to. It is kept apart from the fold and read by those who show it.
type Window struct {
	Last int64      // the last of the messages
	Sum  canon.Hash // of Data
	Data []byte     // what Records reads; nil where the fold was loaded: then it is kept
}

// recent is what folding the messages since the last window came to.
type recent struct {
	records []Record
	detail  int
}

func (r *recent) add(record Record) {
	r.records = append(r.records, record)
	r.detail += record.detail()
}

// close makes a window of the recent records.
func (v *View) close(last int64) {
	f := kept.Writer(nil)
	kept.List(f, &v.recent.records, func(r *Record) { r.keep(f) })
	v.Windows = append(v.Windows, Window{last, sha256.Sum256(f.Bytes()), f.Bytes()})
	v.recent = recent{}
}

// WindowOf returns the closed window that a message is in; false: it is in none yet.
func (v *View) WindowOf(id int64) (Window, bool) {
	at, _ := slices.BinarySearchFunc(v.Windows, id, func(w Window, id int64) int { return cmp.Compare(w.Last, id) })
	if at == len(v.Windows) {
		return Window{}, false
	}
	return v.Windows[at], true
}

// Records reads the window from what was kept of it. KEPT_MISMATCH: it is of another window, or damaged.
func (w *Window) Records(data []byte) ([]Record, error) {
	if sha256.Sum256(data) != w.Sum {
		return nil, protocol.Errorf(protocol.KeptMismatch, "what is kept of the messages up to %d is of others", w.Last)
	}
	f := kept.Reader(string(data))
	var records []Record
	kept.List(f, &records, func(r *Record) { r.keep(f) })
	return records, f.End()
}

// keepHistory writes or reads which windows there are, and the recent records.
func (v *View) keepHistory(f *kept.Form) {
	kept.List(f, &v.Windows, func(w *Window) {
		f.Int64(&w.Last)
		sum := string(w.Sum[:])
		f.Text(&sum)
		copy(w.Sum[:], sum)
	})
	f.Int(&v.recent.detail)
	kept.List(f, &v.recent.records, func(r *Record) { r.keep(f) })
}

// Fresh are the windows that were closed since the fold was loaded.
func (v *View) Fresh() []Window {
	loaded := slices.IndexFunc(v.Windows, func(w Window) bool { return w.Data != nil })
	if loaded < 0 {
		return nil
	}
	return v.Windows[loaded:]
}
