package merge_test

import (
	"path/filepath"
	"testing"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"

	"github.com/rogpeppe/go-internal/txtar"
)

func vectors(t testing.TB) [][]message.Message {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	var threads [][]message.Message
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var thread []message.Message
		for _, f := range archive.Files {
			if f.Name != "want" {
				thread = append(thread, readMessage(t, f))
			}
		}
		threads = append(threads, thread)
	}
	return threads
}

// FuzzFold folds two arbitrary messages after a thread that has everything in it: no panic,
// counts add up, the state survives saving, and the artifact has a hash.
func FuzzFold(f *testing.F) {
	base := merge.New("RS-20251230-cell-fate")
	for _, thread := range vectors(f) {
		for _, m := range thread {
			base.Fold(m)
			f.Add(m.Subject, m.Body, m.From, m.Intake == protocol.Lenient)
		}
	}
	saved := base.Save()
	f.Fuzz(func(t *testing.T, subject, body, from string, lenient bool) {
		s, err := merge.Load(saved)
		if err != nil {
			t.Fatal(err)
		}
		m := post(1000, from, subject, body)
		if lenient {
			m.Intake = protocol.Lenient
		}
		for range 2 {
			r := s.Fold(m)
			m.ID++
			if r.Receipt != nil && (r.Receipt.Found != r.Receipt.Accepted+r.Receipt.Rejected || r.Receipt.Accepted != r.Applied+r.Skipped) {
				t.Fatalf("counts do not add up: %+v", r)
			}
		}
		if _, err := s.Artifact().Hash(); err != nil {
			t.Fatal(err)
		}
		again, err := merge.Load(s.Save())
		if err != nil {
			t.Fatal(err)
		}
		if string(again.Save()) != string(s.Save()) || len(again.Window().Findings) != len(s.Window().Findings) {
			t.Fatal("a loaded state differs")
		}
	})
}

// FuzzLoad reads arbitrary bytes as a state: an error or a state that works, never a panic.
func FuzzLoad(f *testing.F) {
	threads := vectors(f)
	for _, thread := range threads {
		s := merge.New("RS-20251230-cell-fate")
		for _, m := range thread {
			s.Fold(m)
		}
		f.Add(s.Save())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := merge.Load(data)
		if err != nil {
			if protocol.CodeOf(err) != protocol.InvalidInput {
				t.Fatal(err)
			}
			return
		}
		s.Window()
		s.Document()
		for _, m := range threads[0] {
			s.Fold(m)
		}
		s.Window()
		if _, err := merge.Load(s.Save()); err != nil {
			t.Fatal(err)
		}
	})
}
