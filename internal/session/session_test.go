package session_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/mail/transfer"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/session"
	"brenner/internal/worktree"
)

const thread = "RS-20260110-turning-cells"

// bench is a project with a store, a work tree and a clock of its own.
type bench struct {
	*session.Sessions
	t    *testing.T
	dir  string
	now  time.Time
	mail *mail.Service
}

// take takes the session of the thread that the tests work on.
func (b *bench) take() *session.Session { return b.takeOf(thread) }

func (b *bench) takeOf(id string) *session.Session {
	b.t.Helper()
	s, err := b.Session(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchWith(t, session.Settings{})
}

func newBenchWith(t *testing.T, settings session.Settings) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), now: time.Date(2026, 1, 10, 9, 0, 0, 0, time.UTC)}
	store := memory.New()
	t.Cleanup(func() { _ = store.Close() })
	project, err := store.EnsureProject(t.Context(), b.dir, b.now)
	if err != nil {
		t.Fatal(err)
	}
	door := &session.Door{}
	b.mail = mail.NewService(store, project, mail.Options{Now: func() time.Time { return b.now }, Door: door})
	b.Sessions = session.New(b.mail, worktree.At(b.dir), settings)
	door.Attach(b.Sessions)
	return b
}

func (b *bench) git(args ...string) string {
	b.t.Helper()
	cmd := exec.CommandContext(b.t.Context(), "git", args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (b *bench) repository() {
	b.t.Helper()
	b.git("init", "--quiet")
	b.git("config", "user.name", "A")
	b.git("config", "user.email", "a@example.com")
	b.git("commit", "--quiet", "--allow-empty", "-m", "first")
}

func (b *bench) start() session.Started {
	b.t.Helper()
	started, err := b.Start(b.t.Context(), session.StartRequest{
		From: "Operator", Question: "Why do cells turn?", Context: "They do.", Excerpt: "> they turn (§3)", ThreadID: thread,
		Roster: session.RosterRequest{
			Recipients: []string{"BlueLake", "RedSky"},
			Sources: []session.RosterSource{{Origin: "--to/--role", Entries: []protocol.RosterEntry{
				{AgentName: "BlueLake", Role: protocol.RoleHypothesisGenerator, Program: "codex-cli"},
				{AgentName: "RedSky", Role: protocol.RoleAdversarialCritic},
			}}},
		},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return started
}

func (b *bench) send(from, subject, body string, replyTo int64) mail.Verdict {
	b.t.Helper()
	b.now = b.now.Add(time.Minute)
	to := "Operator"
	if from == to {
		to = "BlueLake"
	}
	sent, err := b.mail.Send(b.t.Context(), mail.Outgoing{Draft: message.Draft{
		ThreadID: thread, From: from, To: []string{to}, Subject: subject, Body: body, ReplyTo: replyTo,
	}})
	if err != nil {
		b.t.Fatalf("%v %v", err, sent.Findings)
	}
	return sent
}

func (b *bench) compile() session.Outcome {
	b.t.Helper()
	b.now = b.now.Add(time.Minute)
	out, err := b.Compile(b.t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator"})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

func (b *bench) phase(want fold.Phase) session.Status {
	b.t.Helper()
	st, err := b.take().Status(b.t.Context())
	if err != nil || st.Phase != want {
		b.t.Fatalf("phase %q, %v; want %q", st.Phase, err, want)
	}
	return st
}

func hypothesis(name, claim string) string {
	return fmt.Sprintf("# Delta\n\n```delta\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"payload\":{\"name\":%q,"+
		"\"claim\":%q,"+
		"\"mechanism\":\"m\",\"anchors\":[\"§1\"]},\"rationale\":\"r\"}\n```\n", name, claim)
}

func edit(id, field, value string) string {
	return fmt.Sprintf("# Delta\n\n```delta\n{\"operation\":\"EDIT\",\"section\":\"hypothesis_slate\",\"target_id\":%q,"+
		"\"payload\":{%q:%q},\"rationale\":\"r\"}\n```\n",
		id, field, value)
}

// TestLifecycle walks a session through all its phases.
func TestLifecycle(t *testing.T) {
	b := newBench(t)
	b.repository()
	started := b.start()
	if len(started.Messages) != 2 || *started.Messages[0].Role != protocol.RoleHypothesisGenerator || started.Messages[1].To != "RedSky" {
		t.Fatalf("started %+v", started)
	}
	st := b.phase(fold.PhaseKickoff)
	if st.Acks.Required != 2 || len(st.Acks.Pending) != 2 || st.Roles["adversarial_critic"].Agents[0] != "RedSky" {
		t.Errorf("status %+v", st)
	}

	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "Cells turn by torque"), 0)
	if st := b.phase(fold.PhaseCollecting); st.PendingDeltas != 1 {
		t.Errorf("%d pending", st.PendingDeltas)
	}
	first := b.compile()
	if !first.NewVersion || first.Version != 1 || len(first.Changes.Added) != 1 || first.Persistence.State != session.Draft {
		t.Errorf("first %+v", first)
	}
	b.phase(fold.PhaseCompiled)
	if again := b.compile(); again.NewVersion || again.Version != 1 || again.MessageID != nil {
		t.Errorf("compiled again: %+v", again)
	}

	critique := message.Critique{Title: "No torque", Target: message.Target{Version: 1, Item: "H1"}, Attack: "Too weak.",
		Severity: "Critical"}.Notice()
	sent := b.send("RedSky", critique.Subject, critique.Body, 0)
	if st := b.phase(fold.PhaseCritique); len(st.OpenCritiques) != 1 || *st.OpenCritiques[0].Severity != "Critical" {
		t.Errorf("open %+v", st.OpenCritiques)
	}
	_, err := b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator"})
	if err == nil {
		t.Error("completed with lint errors and a critical critique")
	}

	b.send("BlueLake", "DELTA[gpt]: answer", edit("H1", "claim", "Cells turn by a gradient"), sent.Message.ID)
	if st := b.phase(fold.PhaseCollecting); len(st.OpenCritiques) != 0 {
		t.Errorf("still open: %+v", st.OpenCritiques)
	}
	second := b.compile()
	if second.Version != 2 || second.Changes.Edited[0] != "H1" {
		t.Errorf("second %+v", second)
	}
	done, err := b.Complete(t.Context(), session.CompleteRequest{ThreadID: thread, As: "Operator", Commit: true, Force: "a test"})
	if err != nil || done.Persistence.State != session.Persisted {
		t.Fatalf("completed %+v, %v", done.Persistence, err)
	}
	b.phase(fold.PhaseComplete)
	if log := b.git("log", "-1", "--format=%s"); !strings.HasPrefix(log, "artifact("+thread+"): v2 - ") {
		t.Errorf("commit %q", log)
	}
	if doc, err := b.Document(t.Context(), thread, 0); err != nil || doc.Metadata.Status != artifact.StatusClosed {
		t.Errorf("status %q after completion, %v", doc.Metadata.Status, err)
	}
	if text := b.git("show", "HEAD:artifacts/"+thread+".md"); !strings.Contains(text, "status: closed") {
		t.Errorf("the committed file is not closed:\n%s", text)
	}
	b.start2()
	if st := b.phase(fold.PhaseCompiled); st.Persistence.State != session.Persisted {
		t.Errorf("reopened: %+v", st.Persistence)
	}

	v, err := b.Verify(t.Context(), thread)
	if err != nil || v.FirstBad != nil || v.Versions != 2 {
		t.Errorf("verify %+v, %v", v.FirstBad, err)
	}
}

// start2 opens a second round.
func (b *bench) start2() {
	b.t.Helper()
	started, err := b.Start(b.t.Context(), session.StartRequest{
		From: "Operator", ThreadID: thread, Round: 2, Context: "More.",
		Roster: session.RosterRequest{Recipients: []string{"BlueLake"},
			Sources: []session.RosterSource{{Origin: "x", Entries: []protocol.RosterEntry{
				{AgentName: "BlueLake", Role: protocol.RoleTestDesigner},
			}}}},
	})
	if err != nil || !strings.Contains(started.Messages[0].Body, "**Base Artifact**: v2") {
		b.t.Fatalf("second round: %v %+v", err, started)
	}
	if st, err := b.take().Status(b.t.Context()); err != nil || st.Round != 2 {
		b.t.Errorf("round %d, %v", st.Round, err)
	}
}

// TestTwoStartsAtOnce: of any number of starts of one thread, one opens it.
func TestTwoStartsAtOnce(t *testing.T) {
	b := newBench(t)
	errs := make(chan error)
	for range 8 {
		go func() {
			_, err := b.Start(t.Context(), session.StartRequest{
				From: "Operator", Question: "Why?", Context: "c", ThreadID: thread,
				Roster: session.RosterRequest{Recipients: []string{"BlueLake", "RedSky"}},
			})
			errs <- err
		}()
	}
	started := 0
	for range 8 {
		if err := <-errs; err == nil {
			started++
		} else if protocol.CodeOf(err) != protocol.Conflict {
			t.Errorf("got %v", err)
		}
	}
	if messages, err := b.mail.ThreadMessages(t.Context(), thread); started != 1 || err != nil || len(messages) != 2 {
		t.Errorf("%d starts, %d messages, %v", started, len(messages), err)
	}
}

// TestKeptAndReplayedViewsAgree: whatever was kept, replaying the log gives the same artifact.
func TestKeptAndReplayedViewsAgree(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
	b.compile()
	b.send("RedSky", "DELTA[gemini]: two", hypothesis("Two", "d"), 0)
	out, err := b.take().Preview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.mail.Store().Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	again, err := b.take().Preview(t.Context())
	if err != nil || again.ArtifactHash != out.ArtifactHash || again.Deltas != out.Deltas {
		t.Errorf("%v %v, want %v", err, again, out)
	}
	v1, err := b.Document(t.Context(), thread, 0)
	if err != nil || len(v1.Artifact.Items(artifact.HypothesisSlate)) != 1 || v1.Metadata.Version != 1 {
		t.Errorf("latest published: %+v, %v", v1.Metadata, err)
	}
}

// TestPersistRefusesWhatItDoesNotKnow: a person's edit and a newer file are never overwritten
// by accident.
func TestPersistRefusesWhatItDoesNotKnow(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("One", "c"), 0)
	b.compile()
	persist := func(force bool) (session.Persistence, error) {
		return b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator", Force: force})
	}
	p, err := persist(false)
	if err != nil || p.State != session.Pending {
		t.Fatalf("%+v, %v", p, err)
	}
	path := filepath.Join(b.dir, "artifacts", thread+".md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "**Claim**: c", "**Claim**: edited", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := persist(false); protocol.CodeOf(err) != protocol.Conflict {
		t.Errorf("an edited file: %v", err)
	}
	if p, err := persist(true); err != nil || p.State != session.Pending {
		t.Errorf("forced: %+v, %v", p, err)
	}
	newer := strings.Replace(string(text), "version: 1", "version: 9", 1)
	if err := os.WriteFile(path, []byte(newer), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := persist(false); protocol.CodeOf(err) != protocol.Conflict || !strings.Contains(err.Error(), "v9") {
		t.Errorf("a newer file: %v", err)
	}
	if _, err := b.Persist(t.Context(), session.PersistRequest{ThreadID: thread, As: "Operator",
		Commit: true}); protocol.CodeOf(err) != protocol.GitFailed {
		t.Errorf("commit outside a repository: %v", err)
	}
}

// TestDiagnoseRepairsOnlyWhatWasLost and never twice.
func TestDiagnoseRepairsOnlyWhatWasLost(t *testing.T) {
	b := newBench(t)
	b.start()
	broken := strings.Replace(hypothesis("Two", "d"), `"rationale":"r"}`, `"rationale":"r",}`, 1)
	line := fmt.Sprintf(`{"thread_id":%q,"from":"RedSky","subject":"DELTA[gemini]: both","body_md":%q,"created_ts":"2026-01-10T10:00:00Z"}`,
		thread, hypothesis("One", "c")+"\n"+broken)
	if _, err := transfer.Import(t.Context(), b.mail, strings.NewReader(line)); err != nil {
		t.Fatal(err)
	}
	d, err := b.Diagnose(t.Context(), thread, session.ShowRepairs)
	if err != nil || len(d.Fixes) != 1 || strings.Contains(d.Fixes[0].Fixed, `"One"`) {
		t.Fatalf("%v %+v", err, d.Fixes)
	}
	if err := b.ApplyFixes(t.Context(), &d, "Operator"); err != nil || d.Fixes[0].PostedAs == nil {
		t.Fatal(err)
	}
	out := b.compile()
	if out.Stats.Hypotheses != 2 {
		t.Errorf("%d hypotheses, want both once", out.Stats.Hypotheses)
	}
	if d, err := b.Diagnose(t.Context(), thread, session.ShowRepairs); err != nil || len(d.Fixes) != 0 {
		t.Errorf("repaired again: %v %+v", err, d.Fixes)
	}
}

// TestDiagnoseIsBounded: an answer shows a part of many repaired texts and counts the rest; all are posted.
func TestDiagnoseIsBounded(t *testing.T) {
	const messages = 40
	b := newBench(t)
	b.start()
	var lines strings.Builder
	for i := range messages {
		broken := strings.Replace(hypothesis(fmt.Sprint("H", i), strings.Repeat("c", 60_000)), `"rationale":"r"}`, `"rationale":"r",}`, 1)
		fmt.Fprintf(&lines, `{"thread_id":%q,"from":"RedSky","subject":"DELTA[gemini]: `+
			`%d","body_md":%q,"created_ts":"2026-01-10T10:00:00Z"}`+"\n", thread, i, broken)
	}
	if _, err := transfer.Import(t.Context(), b.mail, strings.NewReader(lines.String())); err != nil {
		t.Fatal(err)
	}
	d, err := b.Diagnose(t.Context(), thread, session.ShowRepairs)
	if err != nil || len(d.Fixes) != messages || d.Fixes[0].Fixed == "" {
		t.Fatal(err, len(d.Fixes))
	}
	shown, hidden := 0, 0
	for _, f := range d.Fixes {
		if shown += len(f.Fixed); f.Fixed == "" {
			hidden++
		}
	}
	if shown > 1<<20 || hidden == 0 || d.MoreFixed != hidden {
		t.Errorf("%d bytes are shown, %d texts left out, %d counted", shown, hidden, d.MoreFixed)
	}
	if err := b.ApplyFixes(t.Context(), &d, "Operator"); err != nil {
		t.Fatal(err)
	}
	last, err := b.mail.Message(t.Context(), *d.Fixes[messages-1].PostedAs)
	if err != nil || len(last.Body) < 60_000 {
		t.Errorf("the last was posted with %d bytes, %v", len(last.Body), err)
	}
}

// TestDoorWarns: a sender learns at once what the merge will say.
func TestDoorWarns(t *testing.T) {
	b := newBench(t)
	b.start()
	b.send("BlueLake", "DELTA[gpt]: one", hypothesis("Torque", "Cells turn because of torque at the spindle"), 0)
	unknown := b.send("RedSky", "DELTA[gemini]: edit", edit("H7", "claim", "x"), 0)
	expectFinding(t, unknown, protocol.InvalidTarget, protocol.SeverityWarning)
	kill := "# D\n\n```delta\n{\"operation\":\"KILL\",\"section\":\"hypothesis_slate\",\"target_id\":\"H1\"," +
		"\"payload\":{\"reason\":\"too weak\"},\"rationale\":\"r\"}\n```\n"
	b.send("RedSky", "DELTA[gemini]: kill", kill, 0)
	expectFinding(t, b.send("RedSky", "DELTA[gemini]: edit", edit("H1", "claim", "x"), 0), protocol.TargetKilled, protocol.SeverityWarning)
	expectFinding(t, b.send("BlueLake", "DELTA[gpt]: again", hypothesis("Torque", "Cells turn because of torque at the spindle"), 0),
		protocol.ReproposesKilled, protocol.SeverityWarning)
	row := "# D\n\n```delta\n{\"operation\":%q,\"section\":\"predictions_table\",\"target_id\":%s," +
		"\"payload\":{%s\"predictions\":{\"H2\":%s}},\"rationale\":\"r\"}\n```\n"
	b.send("BlueLake", "DELTA[gpt]: row", fmt.Sprintf(row, "ADD", "null", `"condition":"c",`, `"x"`), 0)
	expectFinding(t, b.send("BlueLake", "DELTA[gpt]: empty", fmt.Sprintf(row, "EDIT", `"P1"`, "", "null"), 0),
		protocol.MissingRequiredField, protocol.SeverityWarning)
}

// TestDoorKnowsTheMerge: whatever the merge is bound to reject has its warning in the receipt, a block that
// leans on such a block too, and nothing else has.
func TestDoorKnowsTheMerge(t *testing.T) {
	b := newBench(t)
	b.start()
	for i := range 5 {
		b.send("BlueLake", "DELTA[gpt]: one", hypothesis(fmt.Sprint("Cause ", i), fmt.Sprintf("Cells turn because of cause %d alone", i)),
			0)
	}
	body := hypothesis("Sixth", "The sixth idea has room") + strings.TrimPrefix(edit("H6", "claim", "The sixth, said better"), "# D\n") +
		"\n```delta\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"payload\":{\"name\":\"n\",\"claim\":\"seventh\"," +
		"\"mechanism\":\"m\",\"anchors\":[\"§1\"],\"local_id\":\"seven\"},\"rationale\":\"r\"}\n```\n" +
		"\n```delta\n{\"operation\":\"ADD\",\"section\":\"predictions_table\",\"payload\":{\"condition\":\"c\"," +
		"\"predictions\":{\"@seven\":\"up\"}},\"rationale\":\"r\"}\n```\n"
	sent := b.send("BlueLake", "DELTA[gpt]: more", body, 0)
	want := []protocol.Code{"", "", protocol.SectionLimitExceeded, protocol.UnknownHandle}
	if len(sent.Receipt.Blocks) != len(want) {
		t.Fatalf("%+v", sent.Receipt)
	}
	for i, block := range sent.Receipt.Blocks {
		var got protocol.Code
		if len(block.Findings) > 0 {
			got = block.Findings[0].Code
		}
		if block.Status != delta.Accepted || got != want[i] {
			t.Errorf("block %d: %s, %+v, want %q", i+1, block.Status, block.Findings, want[i])
		}
	}
	out, err := b.Compile(t.Context(), session.CompileRequest{ThreadID: thread, As: "Operator"})
	if err != nil || out.Deltas.Rejected != 2 {
		t.Errorf("%+v, %v", out.Deltas, err)
	}
}

// TestDoorJudgesBeliefsAfterTheMessage: an item that the message adds may be named; one that it kills, or that the merge
// would reject, may not (SCIENCE 4).
func TestDoorJudgesBeliefsAfterTheMessage(t *testing.T) {
	b := newBench(t)
	b.start()
	for i := range 6 {
		b.send("BlueLake", "DELTA[gpt]: one", hypothesis(fmt.Sprint("Cause ", i), fmt.Sprintf("Cells turn because of cause %d alone", i)),
			0)
	}
	kill := "\n```delta\n{\"operation\":\"KILL\",\"section\":\"hypothesis_slate\",\"target_id\":\"H1\",\"payload\":{\"reason\":\"too " +
		"weak\"},\"rationale\":\"r\"}\n```\n"
	believe := "\n```belief\n{\"credences\":{\"H1\":0.1,\"H2\":0.2,\"H7\":0.3}}\n```\n"
	unknown := func(sent mail.Verdict) (items []string) {
		for _, f := range sent.Findings {
			if f.Code == protocol.UnknownBeliefTarget {
				items = append(items, f.Item)
			}
		}
		return items
	}
	full := b.send("BlueLake", "DELTA[gpt]: full", hypothesis("Seventh", "The seventh idea has no room")+believe, 0)
	if diff := cmp.Diff([]string{"H7"}, unknown(full)); diff != "" {
		t.Error(diff)
	}
	room := b.send("BlueLake", "DELTA[gpt]: room", "# D\n"+kill+strings.TrimPrefix(hypothesis("Seventh", "The seventh idea has room"),
		"# D\n")+believe, 0)
	if diff := cmp.Diff([]string{"H1"}, unknown(room)); diff != "" {
		t.Error(diff)
	}
}

// TestDoorSeesCycles: references that would close a circle are refused, also when the circle
// lies within one message.
func TestDoorSeesCycles(t *testing.T) {
	b := newBench(t)
	b.start()
	block := func(local, item string) string {
		return fmt.Sprintf("```delta\n{\"operation\":\"ADD\",\"section\":\"hypothesis_slate\",\"local_id\":%q,\"payload\":{\"name\":%q,"+
			"\"claim\":\"claim %s\","+
			"\"mechanism\":\"m\",\"anchors\":[\"§1\"],\"references\":[{\"session\":%q,\"item\":%q,\"relation\":\"extends\"}]},"+
			"\"rationale\":\"r\"}\n```\n\n",
			local, "name "+local, local, thread, item)
	}
	sent, err := b.mail.Send(t.Context(), mail.Outgoing{Draft: message.Draft{
		ThreadID: thread, From: "BlueLake", To: []string{"Operator"}, Subject: "DELTA[gpt]: circle",
		Body: "# D\n\n" + block("a", "@b") + block("b", "H1"),
	}})
	if protocol.CodeOf(err) != protocol.ValidationFailed {
		t.Errorf("a circle was accepted: %v", err)
	}
	expectFinding(t, sent, protocol.CircularReference, protocol.SeverityError)
	unknown := b.send("BlueLake", "DELTA[gpt]: fine", "# D\n\n"+block("a", "H9"), 0)
	expectFinding(t, unknown, protocol.UnknownReference, protocol.SeverityWarning)
}

func expectFinding(t *testing.T, sent mail.Verdict, code protocol.Code, severity protocol.Severity) {
	t.Helper()
	for _, f := range sent.Findings {
		if f.Code == code && f.Severity == severity {
			return
		}
	}
	t.Errorf("no %s %s among %v", severity, code, sent.Findings)
}
