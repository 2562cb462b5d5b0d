package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"brenner/internal/mail"
	"brenner/internal/mail/transfer"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// imports takes lines in, each {from, subject, body}, a minute apart.
func (b *bench) imports(lines ...[3]string) {
	b.t.Helper()
	var text strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&text, `{"thread_id":%q,"from":%q,"to":["Operator"],"subject":%q,"body_md":%q,"created_ts":"2026-01-10T10:%02d:00Z"}`+
			"\n", thread, l[0], l[1], l[2], i)
	}
	if _, err := transfer.Import(b.t.Context(), b.mail, strings.NewReader(text.String())); err != nil {
		b.t.Fatal(err)
	}
}

// TestImportedVersionsNeverBlock: whatever numbers came in, the next version is one above the
// highest (PROTOCOL 10).
func TestImportedVersionsNeverBlock(t *testing.T) {
	for name, c := range map[string]struct {
		subjects []string
		next     int
	}{
		"falling":         {[]string{"COMPILED: v3 x", "COMPILED: v2 y"}, 4},
		"nine digits":     {[]string{"COMPILED: v999999999 x"}, 1_000_000_000},
		"fifteen digits":  {[]string{"COMPILED: v999999999999999 x"}, 1_000_000_000_000_000},
		"sixteen digits":  {[]string{"COMPILED: v1000000000000000 x"}, 1},
		"beyond an int64": {[]string{"COMPILED: v99999999999999999999 x"}, 1},
		"in the middle":   {[]string{"COMPILED: as v7 was"}, 1},
		"without a word":  {[]string{"COMPILED: nothing"}, 1},
		"very long":       {[]string{"COMPILED: v5 " + strings.Repeat("x", 1<<20)}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.start()
			for _, s := range c.subjects {
				b.imports([3]string{"Foreign", s, "text"})
			}
			b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque"), 0)
			out := b.compile()
			if !out.NewVersion || out.Version != c.next {
				t.Fatalf("v%d, want v%d", out.Version, c.next)
			}
			b.send("RedSky", "DELTA[gemini]: two", hypothesis("Two", "d"), 0)
			if out = b.compile(); out.Version != c.next+1 || out.PreviousVersion != c.next {
				t.Errorf("v%d after v%d, want v%d", out.Version, out.PreviousVersion, c.next+1)
			}
			if st, err := b.take().Status(t.Context()); err != nil || st.LatestVersion != c.next+1 {
				t.Errorf("the status says v%d, %v", st.LatestVersion, err)
			}
			if doc, err := b.Document(t.Context(), thread, 0); err != nil || doc.Metadata.Version != c.next+1 {
				t.Errorf("shown v%d, %v", doc.Metadata.Version, err)
			}
			if v, err := b.Verify(t.Context(), thread); err != nil || v.FirstBad != nil {
				t.Errorf("verify %+v, %v", v.FirstBad, err)
			}
		})
	}
}

// TestLatestIsTheHighest: everything that names a latest version names the same.
func TestLatestIsTheHighest(t *testing.T) {
	b := newBench(t)
	b.start()
	b.imports([3]string{"BlueLake", "DELTA[gpt]: one", hypothesis("One", "c")}, [3]string{"Foreign", "COMPILED: v3 x", "text"},
		[3]string{"Foreign", "COMPILED: v2 y", "text"})
	st, err := b.take().Status(t.Context())
	if err != nil || st.LatestVersion != 3 {
		t.Errorf("status: v%d, %v", st.LatestVersion, err)
	}
	edition, err := b.take().Artifact(t.Context(), 0)
	if err != nil || edition.Version != 3 || edition.Latest != 3 {
		t.Errorf("edition: v%d of v%d, %v", edition.Version, edition.Latest, err)
	}
	history, err := b.take().History(t.Context())
	if err != nil || len(history) != 2 || !history[0].Latest || history[1].Latest {
		t.Errorf("history: %+v, %v", history, err)
	}
	if _, from, to, err := b.take().Diff(t.Context(), session.DiffRequest{}); err != nil || from.Version != 2 || to.Version != 3 {
		t.Errorf("diff: v%d to v%d, %v", from.Version, to.Version, err)
	}
	if p, err := b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator"}); err != nil ||
		p.State != session.Pending {
		t.Errorf("persisted: %+v, %v", p, err)
	}
}

// TestMilestoneIsHandledOnce: a milestone that cannot be written is a warning, what was asked for is
// done as asked, and each change of state is announced once.
func TestMilestoneIsHandledOnce(t *testing.T) {
	b := newBenchWith(t, session.Settings{PersistEvery: 1})
	b.repository()
	b.start()
	announced := func() int {
		messages, err := b.mail.ThreadMessages(t.Context(), thread)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range messages {
			if strings.Contains(m.Subject, "persisted to repository") {
				n++
			}
		}
		return n
	}
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
	if out := b.compile(); out.Persistence.State != session.Pending || announced() != 1 {
		t.Fatalf("a milestone: %+v, %d announcements", out.Persistence, announced())
	}
	edited := func(name string) {
		b.send("BlueLake", "DELTA[gpt]: "+name, hypothesis(name, "claim "+name), 0)
		path := filepath.Join(b.dir, "artifacts", thread+".md")
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.Replace(string(text), "**Claim**: c", "**Claim**: edited", 1)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	edited("Two")
	out := b.compile()
	if !out.NewVersion || out.Version != 2 || out.Findings[len(out.Findings)-1].Code != protocol.Conflict {
		t.Errorf("an edited file at a milestone: %+v", out.Findings)
	}
	edited("Three")
	before := announced()
	out, err := b.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator", Persist: true, Commit: true, Force: true})
	if err != nil || out.Persistence.State != session.Persisted || announced() != before+1 {
		t.Errorf("forced: %+v, %v, %d announcements", out.Persistence, err, announced()-before)
	}
	b.send("BlueLake", "DELTA[gpt]: four", hypothesis("Four", "claim four"), 0)
	before = announced()
	done, err := b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Commit: true, Force: "enough"})
	if err != nil || done.Version != 4 || announced() != before+1 {
		t.Errorf("completed: v%d, %v, %d announcements", done.Version, err, announced()-before)
	}
}

// TestCommitIsCheckedFirst: without an identity, or where git ignores the file, nothing is published or
// written.
func TestCommitIsCheckedFirst(t *testing.T) {
	for name, spoil := range map[string]func(b *bench){
		"no identity": func(b *bench) {
			b.git("config", "--unset", "user.name")
			b.git("config", "--unset", "user.email")
			b.git("config", "user.useConfigOnly", "true")
			for _, v := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
				t.Setenv(v, "")
				_ = os.Unsetenv(v)
			}
			t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
		},
		"ignored": func(b *bench) {
			if err := os.WriteFile(filepath.Join(b.dir, ".gitignore"), []byte("artifacts/\n"), 0o644); err != nil {
				b.t.Fatal(err)
			}
		},
		"another repository": func(b *bench) {
			if err := os.Mkdir(filepath.Join(b.dir, "artifacts"), 0o755); err != nil {
				b.t.Fatal(err)
			}
			b.git("init", "--quiet", "artifacts")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.repository()
			b.start()
			b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
			spoil(b)
			unchanged := func(what string, err error) {
				t.Helper()
				st, statusErr := b.take().Status(t.Context())
				_, statErr := os.Stat(filepath.Join(b.dir, "artifacts", thread+".md"))
				if err == nil || statusErr != nil || st.LatestVersion != 0 && what != "persist" || !os.IsNotExist(statErr) {
					t.Errorf("%s: %v; v%d, file %v", what, err, st.LatestVersion, statErr)
				}
			}
			_, err := b.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator", Persist: true, Commit: true})
			unchanged("compile", err)
			_, err = b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Commit: true, Force: "x"})
			unchanged("complete", err)
			b.compile()
			_, err = b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator", Commit: true})
			unchanged("persist", err)
		})
	}
}

// TestStartsOfOneQuestion: starts at the same moment all succeed, each on a thread of its own
// (PROTOCOL 2).
func TestStartsOfOneQuestion(t *testing.T) {
	for name, req := range map[string]session.StartRequest{
		"question": {Question: "Why do cells turn around?"}, "slug": {Question: "Why?", Slug: "turning-cells"},
	} {
		t.Run(name, func(t *testing.T) {
			const starts = 8
			b := newBench(t)
			req.From, req.Context, req.Roster = mail.Operator, "c", session.RosterRequest{Recipients: []string{"BlueLake"}}
			ids, errs := make(chan string, starts), make(chan error, starts)
			for range starts {
				go func() {
					started, err := b.Start(t.Context(), req)
					ids <- started.ThreadID
					errs <- err
				}()
			}
			seen := map[string]bool{}
			for range starts {
				if err := <-errs; err != nil {
					t.Error(err)
				}
				seen[<-ids] = true
			}
			if len(seen) != starts {
				t.Errorf("%d threads for %d starts", len(seen), starts)
			}
		})
	}
}
