package mailtest

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"brenner/internal/mail"
)

const (
	archivingTask = "archive"
	crashMessages = 200 // of the thread that comes and goes
)

// RunArchiveCrash kills a process that archives and restores a thread, again and again, and checks each time that the
// thread is there whole, or archived whole. place is that of RunCrash.
func RunArchiveCrash(t *testing.T, engine Engine, place func(s mail.Store) string) {
	f := newFixture(t, engine)
	before := f.send(shelved, crashMessages)
	archived := 0
	kills := max(10, *crashCycles/10)
	for range kills {
		f.killArchiving(place(f.store))
		if f.thread(shelved).Crate != "" {
			archived++
		}
		f.wholeOrArchived(before)
	}
	t.Logf("archived after %d of %d kills", archived, kills)
}

// killArchiving starts a child and kills it at a random moment after its first act.
func (f *fixture) killArchiving(place string) {
	f.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), crashPlace+"="+place, crashTask+"="+archivingTask)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	f.must(err)
	f.must(child.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	time.Sleep(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
	_ = child.Process.Kill()
	_ = child.Wait() // killed, as it should be
	f.must(err)
	// A server may be at its last transaction still: whoever writes waits for its end.
	_, err = f.store.Compose(f.ctx, f.project, start, func(context.Context, mail.Tx) ([]mail.Entry, error) { return nil, nil })
	f.must(err)
}

// wholeOrArchived checks that nothing of the thread is in both places, or in none.
func (f *fixture) wholeOrArchived(before []mail.Message) {
	f.Helper()
	stubs, err := f.threadArchiver().ArchivedThreads(f.ctx, f.project)
	f.must(err)
	cold := f.messages(mail.MessageQuery{Thread: shelved, Archived: true})
	received := len(f.inbox(mail.InboxQuery{Agent: "RedSky"}))
	found := len(f.search("body"))
	if f.thread(shelved).Crate == "" {
		f.same("the whole thread", f.checkChain(shelved), before)
		f.same("beside it", []int{len(stubs), len(cold), received}, []int{0, 0, len(before)})
		if found == 0 {
			f.Fatal("a thread that is there is not found")
		}
		return
	}
	f.same("the archived thread", idsOf(cold), idsOf(before))
	f.same("beside the archive", []int{len(stubs), len(f.messages(mail.MessageQuery{})), received, found}, []int{1, 0, 0, 0})
}

func archiveUntilKilled(open func(ctx context.Context, place string) (mail.Store, error), place, _ string) error {
	ctx := context.Background()
	s, err := open(ctx, place)
	if err != nil {
		return err
	}
	p, err := s.EnsureProject(ctx, "/srv/Lab One", start)
	if err != nil {
		return err
	}
	f := &fixture{store: s, project: p.ID, ctx: ctx}
	time.AfterFunc(30*time.Second, func() { os.Exit(2) }) // should nobody kill it
	archiver := s.(mail.ThreadArchiver)
	threads, err := s.Threads(ctx, mail.ThreadQuery{Project: p.ID, IDs: []string{shelved}})
	if err != nil {
		return err
	}
	for there := threads[0].Crate == ""; ; there = !there {
		if there {
			_, err = archiver.ArchiveThread(ctx, p.ID, shelved, func(t mail.Thread, _ []mail.Message) (mail.ArchivedThread, error) {
				stub := f.stub(t)
				stub.Through = t.HeadID
				return stub, nil
			})
		} else {
			err = archiver.RestoreThread(ctx, p.ID, shelved, start, func(_ mail.ArchivedThread, messages []mail.Message) error {
				for i := range messages {
					messages[i].Body = "body of " + messages[i].Subject // as entry writes it
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stdout, "done")
	}
}
