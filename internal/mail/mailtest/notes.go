package mailtest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func notes(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	put := func(now time.Time, n mail.Note) mail.Note {
		t.Helper()
		kept, err := f.store.PutNote(f.ctx, f.project, now, n)
		f.must(err)
		return kept
	}
	refused := func(what string, now time.Time, n mail.Note) {
		t.Helper()
		if _, err := f.store.PutNote(f.ctx, f.project, now, n); !errors.Is(err, mail.ErrNoteChanged) ||
			protocol.CodeOf(err) != protocol.Conflict {
			t.Errorf("%s: %v", what, err)
		}
	}
	get := func(q mail.NoteQuery) []mail.Note {
		t.Helper()
		q.Project = f.project
		list, err := f.store.Notes(f.ctx, q)
		f.must(err)
		return list
	}
	visit := mail.NoteQuery{Kind: "visit", At: start}
	f.same("none", len(get(visit)), 0)
	a := put(start, mail.Note{Kind: "visit", Key: "a", Expires: start.Add(time.Minute), Data: []byte{0, 1, 255}})
	b := put(start, mail.Note{Kind: "visit", Key: "b", Data: []byte("b")})
	put(start, mail.Note{Kind: "turn", Key: "a", Data: []byte("other")})
	f.same("all of a kind", get(visit), []mail.Note{a, b})
	f.same("one", get(mail.NoteQuery{Kind: "visit", At: start, Keys: []string{"b", "c"}}), []mail.Note{b})
	f.same("behind a key", get(mail.NoteQuery{Kind: "visit", At: start, After: "a"}), []mail.Note{b})
	f.same("a few", get(mail.NoteQuery{Kind: "visit", At: start, Limit: 1}), []mail.Note{a})
	f.same("when one has expired", get(mail.NoteQuery{Kind: "visit", At: start.Add(time.Minute)}), []mail.Note{b})

	refused("made again", start, mail.Note{Kind: "visit", Key: "a"})
	refused("made by nobody", start, mail.Note{Kind: "visit", Key: "c", Version: 7})
	refused("removed by nobody", start, mail.Note{Kind: "visit", Key: "b", Version: b.Version + 1, Expires: start})
	changed := a
	changed.Data = []byte("changed")
	changed = put(start, changed)
	if changed.Version <= a.Version {
		t.Errorf("version %d follows %d", changed.Version, a.Version)
	}
	refused("changed twice from the same", start, a)
	taken := put(start.Add(time.Hour), mail.Note{Kind: "visit", Key: "a", Expires: start.Add(2 * time.Hour), Data: []byte("taken")})
	refused("by who held it before", start.Add(time.Hour), changed)
	f.same("taken over", get(mail.NoteQuery{Kind: "visit", At: start.Add(time.Hour), Keys: []string{"a"}}), []mail.Note{taken})
	gone := taken
	gone.Expires = start
	put(start.Add(time.Hour), gone)
	again := put(start.Add(time.Hour+time.Second), mail.Note{Kind: "visit", Key: "a"})
	if again.Version <= taken.Version {
		t.Errorf("made again it has version %d after %d", again.Version, taken.Version)
	}
	refused("by who held it before it was removed", start.Add(time.Hour), taken)
	put(start, mail.Note{Kind: "visit", Key: "never there", Expires: start})
	refused("removing what is there as if it were not", start, mail.Note{Kind: "visit", Key: "b", Expires: start})

	for i := range 20 { // what has expired goes by itself
		put(start.Add(time.Duration(i)*time.Second),
			mail.Note{Kind: "short", Key: fmt.Sprint(i), Expires: start.Add(time.Duration(i+1) * time.Second)})
	}
	before := f.events(0)
	f.must(f.store.Rebuild(f.ctx))
	f.same("after a rebuild", get(mail.NoteQuery{Kind: "visit", At: start, Keys: []string{"b"}}), []mail.Note{b})
	f.same("events of notes", f.events(0), before)
	if to := f.again(); to != nil {
		seen, err := to.store.Notes(f.ctx, mail.NoteQuery{Project: f.project, Kind: "visit", At: start, Keys: []string{"b"}})
		f.must(err)
		f.same("seen by another process", seen, []mail.Note{b})
	}
	_, err := f.store.PutNote(f.ctx, f.project+99, start, mail.Note{Kind: "visit", Key: "a"})
	f.wantCode(err, protocol.NotFound)
	_, err = f.store.Notes(f.ctx, mail.NoteQuery{Project: f.project + 99, Kind: "visit"})
	f.wantCode(err, protocol.NotFound)
	f.must(f.store.Close())
	_, err = f.store.PutNote(f.ctx, f.project, start, b)
	f.wantCode(err, protocol.StoreUnavailable)
}

// contestedNote: of many who make or change one note at the same time, one wins each round.
func contestedNote(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	stores := []mail.Store{f.store}
	if other := f.again(); other != nil {
		stores = append(stores, other.store)
	}
	held := mail.Note{Kind: "turn", Key: "acks"}
	for round := range 5 {
		var (
			all sync.WaitGroup
			won atomic.Int64
			mu  sync.Mutex
			now mail.Note
		)
		for i := range 8 {
			all.Go(func() {
				mine := held
				mine.Data = []byte(fmt.Sprint(i))
				kept, err := stores[i%len(stores)].PutNote(f.ctx, f.project, start.Add(time.Duration(round)), mine)
				switch {
				case err == nil:
					won.Add(1)
					mu.Lock()
					now = kept
					mu.Unlock()
				case !errors.Is(err, mail.ErrNoteChanged):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Fatalf("round %d has %d winners", round, won.Load())
		}
		found, err := f.store.Notes(f.ctx, mail.NoteQuery{Project: f.project, Kind: "turn", At: start})
		f.must(err)
		f.same("what is kept", found, []mail.Note{now})
		held = now
	}
}
