//go:build unix

package session_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/session"
	"brenner/internal/store/sqlite"
	"brenner/internal/worktree"
)

// meter is a store that counts the bytes of kept projections.
type meter struct {
	mail.Store
	kept atomic.Int64
}

func (m *meter) PutProjection(ctx context.Context, project mail.ProjectID, p mail.Projection) error {
	m.kept.Add(int64(len(p.Data)))
	return m.Store.PutProjection(ctx, project, p)
}

// lab is a project on disk, as a server has it.
type lab struct {
	*session.Sessions
	b       *testing.B
	store   *meter
	project mail.Project
	service *mail.Service
}

func newLab(b *testing.B) *lab {
	b.Helper()
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "mail.db"), sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	l := &lab{b: b, store: &meter{Store: store}}
	if l.project, err = store.EnsureProject(b.Context(), b.TempDir(), time.Now()); err != nil {
		b.Fatal(err)
	}
	l.restart()
	for _, name := range []string{"BlueLake", "RedSky"} {
		if _, err := l.service.Register(b.Context(), mail.Registration{Name: name, Program: "codex-cli"}); err != nil {
			b.Fatal(err)
		}
	}
	return l
}

// restart does what a new process does: nothing is known but what the store has.
func (l *lab) restart() {
	door := &session.Door{}
	l.service = mail.NewService(l.store, l.project, mail.Options{Door: door})
	l.Sessions = session.New(l.service, nil, session.Settings{})
	door.Attach(l.Sessions)
}

// fill makes a thread with so many assumptions, some of them in a message.
func (l *lab) fill(threadID string, items, some int) {
	l.b.Helper()
	if _, err := l.Start(l.b.Context(), session.StartRequest{
		From: mail.Operator, Question: "Why do cells turn?", Context: "They do.", ThreadID: threadID,
		Roster: session.RosterRequest{Recipients: []string{"BlueLake"}},
	}); err != nil {
		l.b.Fatal(err)
	}
	var lines []transfer.Line
	for from := 0; from < items; from += some {
		var body strings.Builder
		body.WriteString("# Delta Contribution\n\n## Deltas\n")
		for i := from; i < min(items, from+some); i++ {
			fmt.Fprintf(&body, "\n```delta\n"+`{"operation":"ADD","section":"assumption_ledger","target_id":null,"payload":{"name":"A %d",`+
				`"statement":"It holds for all cells that were looked at.","load":"H1 needs it","test":"Look at `+
				`others","status":"unchecked"},"rationale":"It is used."}`+"\n```\n", i)
		}
		lines = append(lines, transfer.Line{ThreadID: threadID, From: "BlueLake", To: []string{"RedSky"},
			Subject: "DELTA[gpt]: assumptions", Body: body.String(), CreatedAt: time.Now()})
	}
	if _, err := transfer.ImportLines(l.b.Context(), l.service, lines, nil); err != nil {
		l.b.Fatal(err)
	}
}

// edit sends a DELTA that edits one item.
func (l *lab) edit(threadID string, n int) {
	body := fmt.Sprintf("# Delta Contribution\n\n## Deltas\n\n```delta\n"+`{"operation":"EDIT","section":"assumption_ledger",`+
		`"target_id":"A%d","payload":{"test":"Look %d times"},"rationale":"More."}`+"\n```\n", 1+n%10, n)
	if _, err := l.service.Send(l.b.Context(), mail.Outgoing{Draft: message.Draft{
		ThreadID: threadID, From: "BlueLake", To: []string{"RedSky"}, Subject: "DELTA[gpt]: edit", Body: body,
	}}); err != nil {
		l.b.Error(err)
	}
}

// cpu is the processor time that the process has used.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkDelta sends one DELTA after another to a thread of 10 items and to one of 8,000, in turns.
// x-small is how many times the processor time of a send the large one takes, kept-kB what is written for
// it beside the log.
func BenchmarkDelta(b *testing.B) {
	l := newLab(b)
	threads := []string{"RS-20260110-small", "RS-20260110-large"}
	l.fill(threads[0], 10, 100)
	l.fill(threads[1], 8000, 100)
	for _, id := range threads {
		l.edit(id, 0)
	}
	const turn = 20 // sends
	var took [2][]time.Duration
	var kept int64
	n := 0
	for b.Loop() {
		for i, id := range threads {
			before, written := cpu(b), l.store.kept.Load()
			for range turn {
				n++
				l.edit(id, n)
			}
			took[i] = append(took[i], cpu(b)-before)
			if i == 1 {
				kept += l.store.kept.Load() - written
			}
		}
	}
	var median [2]time.Duration
	for i := range took {
		slices.Sort(took[i])
		median[i] = took[i][len(took[i])/2]
	}
	b.ReportMetric(float64(median[1])/float64(median[0]), "x-small")
	b.ReportMetric(float64(median[1].Microseconds())/turn, "cpu-µs/delta")
	b.ReportMetric(float64(kept)/1000/turn/float64(len(took[1])), "kept-kB/delta")
}

// BenchmarkManyDeltas has sixteen senders of DELTAs on one thread of 8,000 items.
func BenchmarkManyDeltas(b *testing.B) {
	l := newLab(b)
	const id = "RS-20260110-large"
	l.fill(id, 8000, 100)
	l.edit(id, 0)
	var n atomic.Int64
	b.SetParallelism(max(1, 16/runtime.GOMAXPROCS(0)))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l.edit(id, int(n.Add(1)))
		}
	})
}

// BenchmarkCompileOneMore compiles one more DELTA of a thread with 9,000 items in a new process. x-whole
// compares it with a process that finds nothing kept.
func BenchmarkCompileOneMore(b *testing.B) {
	l := newLab(b)
	const id = "RS-20260110-large"
	l.fill(id, 9000, 1)
	compile := func() time.Duration {
		began := cpu(b)
		if out, err := l.Compile(b.Context(), session.CompileRequest{ThreadID: id, As: mail.Operator}); err != nil || !out.NewVersion {
			b.Fatalf("%+v, %v", out.Deltas, err)
		}
		return cpu(b) - began
	}
	compile()
	var more, whole []time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		l.edit(id, n)
		l.restart()
		b.StartTimer()
		more = append(more, compile())
		b.StopTimer()
		n++
		l.edit(id, n)
		if err := l.store.Rebuild(b.Context()); err != nil {
			b.Fatal(err)
		}
		l.restart()
		whole = append(whole, compile())
		b.StartTimer()
	}
	slices.Sort(more)
	slices.Sort(whole)
	b.ReportMetric(float64(more[len(more)/2])/float64(whole[len(whole)/2]), "x-whole")
	b.ReportMetric(float64(more[len(more)/2].Microseconds())/1000, "ms-more")
}

// BenchmarkResident looks at 200 threads of 100 items and reports how much memory that takes.
func BenchmarkResident(b *testing.B) {
	l := newLab(b)
	const threads = 200
	for i := range threads {
		l.fill(fmt.Sprintf("RS-20260110-cells-%03d", i), 100, 100)
	}
	for b.Loop() {
		l.restart()
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range threads {
			id := fmt.Sprintf("RS-20260110-cells-%03d", i)
			if s, err := l.Session(b.Context(), id); err != nil || s.View.Messages == 0 {
				b.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
	}
	runtime.KeepAlive(l)
}

// BenchmarkOverviewOfFiles lists a session whose latest version, of 2,000 items, is in a file.
func BenchmarkOverviewOfFiles(b *testing.B) {
	l := newLab(b)
	const id = "RS-20260110-large"
	l.Sessions = session.New(l.service, worktree.At(b.TempDir()), session.Settings{})
	l.fill(id, 2000, 100)
	if out, err := l.Compile(b.Context(), session.CompileRequest{ThreadID: id, As: mail.Operator, Persist: true}); err != nil ||
		out.Persistence.State != session.Pending {
		b.Fatalf("%+v, %v", out.Persistence, err)
	}
	for b.Loop() {
		if o, err := l.Overview(b.Context(), session.OverviewQuery{}); err != nil || o.Sessions[0].Persistence.State != session.Pending {
			b.Fatalf("%+v, %v", o, err)
		}
	}
}
