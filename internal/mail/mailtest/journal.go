package mailtest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

var journaling = []testCase{
	{"kinds of leaves", leafKinds},
	{"no leaf of a refused call", leavesOfRefused},
	{"two nodes", leavesOfTwoNodes},
	{"dump and load", leavesTravel},
	{"a store from before", leavesFromBefore},
	{"archived threads", leavesStay},
}

const (
	resultBody = "```delta\n{\"operation\": \"EDIT\", \"section\": \"discriminative_tests\", \"target_id\": \"T1\", \"payload\": " +
		"{\"status\": \"passed\"}, \"rationale\": \"r\"}\n```\n"
	wagerBody = "```delta\n{\"operation\": \"EDIT\", \"section\": \"discriminative_tests\", \"target_id\": \"T1\", \"payload\": " +
		"{\"name\": \"A cross\"}, \"rationale\": \"r\"}\n```\n"
)

// typed is a letter of a type.
func (f *fixture) typed(t protocol.MessageType, subject, body string) mail.Entry {
	e := f.entry(journalThread, subject)
	e.Type, e.Message.Body, e.Message.Intake = t, body, protocol.Strict
	if t == protocol.TypeCompiled {
		e.Version = 1
	}
	return e
}

const journalThread = "RS-20260110-journal-kept"

// story is a thread with every kind of leaf, and what has none.
func (f *fixture) story() []mail.Entry {
	opener := f.typed(protocol.TypeKickoff, "KICKOFF: x", "x")
	opener.Message.From = "Operator"
	done := f.typed(protocol.TypeInfo, "INFO: Session complete at v1", "x")
	early, stranger := done, done
	done.Message.From, early.Message.From = "Operator", "Operator"
	return []mail.Entry{
		f.typed(protocol.TypeInfo, "INFO: before", "x"), opener, opener, early,
		f.typed(protocol.TypeDelta, "DELTA[gpt]: a", wagerBody), f.typed(protocol.TypeDelta, "DELTA[gpt]: b", "no block"),
		f.typed(protocol.TypeDelta, "DELTA[gpt]: c", resultBody), f.typed(protocol.TypeCompiled, "COMPILED: v1 x", "x"), stranger, done,
		done,
	}
}

func (f *fixture) leaves() []mail.LeafRow {
	f.Helper()
	list, err := f.store.(mail.Journalist).Leaves(f.ctx, f.project, 0, 0)
	f.must(err)
	return list
}

func leafKinds(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	f.append(f.story()[:3]...)
	for _, e := range f.story()[3:] { // one by one, and together above
		f.append(e)
	}
	var got []string
	for _, l := range f.leaves() {
		got = append(got, fmt.Sprintf("%d %s #%d %d/%d %t", l.N, l.Kind, l.MessageID, l.Begun, l.Completed, l.Imported))
	}
	f.same("leaves", got, []string{
		"0 start #2 1/0 false", "1 prediction #5 1/0 false", "2 result #7 1/0 false", "3 version #8 1/0 false",
		"4 complete #10 1/1 false", "5 complete #11 1/1 false",
	})
	f.checkJournal()
}

func leavesOfRefused(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	story := f.story()
	f.append(story[1])
	f.refuse(protocol.UnknownAgent, append(story[4:8:8], f.entryFrom("Nobody", "BlueLake"))...)
	f.append(story[7], story[9])
	f.same("leaves", len(f.leaves()), 3)
	f.checkJournal()
}

// leavesOfTwoNodes: two processes append at once; every leaf is there once, in the order of the ids.
func leavesOfTwoNodes(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	nodes := []*fixture{f, f}
	if engine.Again != nil {
		nodes[1] = f.again()
	}
	var all sync.WaitGroup
	for i, node := range nodes {
		for range 3 {
			all.Go(func() {
				for k := range 20 {
					e := f.typed(protocol.TypeDelta, "DELTA[gpt]: n", resultBody)
					e.Message.ThreadID = fmt.Sprintf("RS-20260110-node-n%d", (i+k)%3)
					if _, err := node.store.Append(f.ctx, f.project, time.Now(), e); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	f.same("leaves", len(f.leaves()), 120)
	f.checkJournal()
}

func (f *fixture) load(into mail.Store, records []mail.Record) *fixture {
	f.Helper()
	f.must(into.(mail.Archiver).Load(f.ctx, func(yield func(mail.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
	}))
	loaded := *f
	loaded.store = into
	return &loaded
}

func leavesTravel(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	f.append(f.story()...)
	to := f.load(engine.New(t), f.dump(f.store.(mail.Archiver)))
	f.same("leaves after a restore", to.leaves(), f.leaves())
	to.append(to.story()[6])
	to.checkJournal()
}

// leavesFromBefore: records without leaves get them once, as imported.
func leavesFromBefore(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	f.append(f.story()...)
	records := slices.DeleteFunc(f.dump(f.store.(mail.Archiver)), func(r mail.Record) bool { return r.Leaf != nil })
	to := f.load(engine.New(t), records)
	want := f.leaves()
	for i := range want {
		want[i].Imported = true
	}
	f.same("leaves", to.leaves(), want)
	to.append(to.story()[6])
	f.same("the next leaf is imported", to.leaves()[len(want)].Imported, false)
	to.checkJournal()
}

// leavesStay: a thread that was archived is not lost.
func leavesStay(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	f.register("Operator")
	f.append(f.story()...)
	before := f.leaves()
	_, err := f.store.(mail.ThreadArchiver).ArchiveThread(f.ctx, f.project, journalThread,
		func(t mail.Thread, _ []mail.Message) (mail.ArchivedThread, error) {
			return mail.ArchivedThread{Project: t.Project, ID: t.ID, HeadID: t.HeadID, ChainHash: t.ChainHash, Crate: "c.zip",
				Through: t.HeadID, At: start}, nil
		})
	f.must(err)
	f.same("leaves of an archived thread", f.leaves(), before)
	f.checkJournal()
}

// checkJournal: every leaf exactly once, as the log gives it.
func (f *fixture) checkJournal() {
	f.Helper()
	proof, err := mail.NewService(f.store, mail.Project{ID: f.project}, mail.Options{}).VerifyJournal(f.ctx, "")
	f.must(err)
	for _, finding := range proof.Findings {
		f.Errorf("%s: %s", finding.Code, finding.Message)
	}
	if proof.Tree.Size() == 0 {
		f.Error("the journal is empty")
		return
	}
	last := proof.Tree.Checkpoint(proof.Tree.Size())
	if again, err := journal.ParseNote(last.Note()); err != nil || again != last {
		f.Errorf("%v: %q", err, last.Note())
	}
}
