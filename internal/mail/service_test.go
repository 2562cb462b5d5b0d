package mail_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"brenner/internal/mail"
	"brenner/internal/mail/memory"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// office is the mail of a project with a clock that the test moves.
type office struct {
	*testing.T
	*mail.Service
	store *memory.Store
	now   time.Time
}

func newOffice(t *testing.T, options mail.Options) *office {
	t.Helper()
	o := &office{T: t, store: memory.New(), now: time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)}
	t.Cleanup(func() { o.store.Close() })
	o.open(options)
	for _, r := range []mail.Registration{
		{Name: "Operator", Program: "operator"}, {Name: "BlueLake", Program: "codex-cli", Model: "gpt-5.2"},
		{Name: "RedSky", Program: "claude-code", Model: "opus-4.5"}, {Name: "GreenHill"},
	} {
		if _, err := o.Register(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// open begins a service on the store, as a restart would.
func (o *office) open(options mail.Options) {
	o.Helper()
	p, err := o.store.EnsureProject(o.Context(), "/srv/lab", o.now)
	if err != nil {
		o.Fatal(err)
	}
	options.Now = func() time.Time { return o.now }
	o.Service = mail.NewService(o.store, p, options)
}

func (o *office) ctx() context.Context { return o.Context() }

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

func (o *office) wantCode(err error, code protocol.Code) {
	o.Helper()
	if err == nil || protocol.CodeOf(err) != code {
		o.Fatalf("got error %v, want %s", err, code)
	}
}

func (o *office) same(what string, got, want any) {
	o.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		o.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

func (o *office) post(out mail.Outgoing) mail.Verdict {
	o.Helper()
	v, err := o.Send(o.ctx(), out)
	o.must(err)
	return v
}

// stored returns how many messages there are.
func (o *office) stored() int {
	o.Helper()
	all, err := o.store.Messages(o.ctx(), mail.MessageQuery{Project: o.Project().ID})
	o.must(err)
	return len(all)
}

const research = "RS-20260110-door-of-mail"

const kickoffBody = "# S\n\n## Research Question\nWhy?\n\n## Context\nSome.\n\n## Excerpt\n> x (§1)\n"

func draft(thread, from, subject, body string, to ...string) mail.Outgoing {
	return mail.Outgoing{Draft: message.Draft{ThreadID: thread, From: from, To: to, Subject: subject, Body: body}}
}

func kickoff(thread string) mail.Outgoing {
	return draft(thread, "Operator", "KICKOFF: begin", kickoffBody, "BlueLake", "RedSky")
}

func block(json string) string { return "```delta\n" + json + "\n```\n" }

const addHypothesis = `{"operation": "ADD", "section": "hypothesis_slate", "target_id": null, "payload": ` +
	`{"name": "one", "claim": "c", "mechanism": "m", "anchors": ["§1"]}, "rationale": "r"}`

func contribution(thread string) mail.Outgoing {
	return draft(thread, "BlueLake", "DELTA[gpt]: one", "# D\n\n"+block(addHypothesis), "Operator")
}

func codes(findings []protocol.Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, fmt.Sprintf("%s:%s", f.Code, f.Severity[:1]))
	}
	return strings.Join(list, " ")
}

func TestSendToResearch(t *testing.T) {
	o := newOffice(t, mail.Options{})
	v := o.post(kickoff(research))
	o.same("the type", v.Type, protocol.TypeKickoff)
	o.same("the default of ack_required", v.Message.AckRequired, true)
	o.same("the intake", v.Message.Intake, protocol.Strict)
	o.same("the importance", v.Message.Importance, message.Normal)
	if v.Receipt != nil {
		t.Error("a KICKOFF without blocks has a receipt")
	}
	v = o.post(contribution(research))
	o.same("the receipt", []int{v.Receipt.Found, v.Receipt.Accepted, v.Receipt.Rejected}, []int{1, 1, 0})

	bad := contribution(research)
	bad.Body = "# D\n\n" + block(`{"operation": "ADD"`)
	v, err := o.Send(o.ctx(), bad)
	o.wantCode(err, protocol.ValidationFailed)
	if v.Receipt == nil || v.Receipt.Rejected != 1 || !protocol.HasErrors(v.Findings) || v.Message.ID != 0 {
		t.Errorf("a refusal: %+v", v)
	}
	o.same("messages", o.stored(), 2)
}

func TestModes(t *testing.T) {
	bad := contribution(research)
	bad.Body = "# D\n\nno block\n"
	for mode, want := range map[mail.Mode]string{mail.Enforce: "refused", mail.Warn: "NO_KICKOFF:w MB-004:w NO_ACCEPTED_DELTA:w",
		mail.Off: ""} {
		o := newOffice(t, mail.Options{Mode: mode})
		v, err := o.Send(o.ctx(), bad)
		if mode == mail.Enforce {
			o.wantCode(err, protocol.ValidationFailed)
			continue
		}
		o.must(err)
		o.same(string(mode), codes(v.Findings), want)
		o.same("the intake", v.Message.Intake, protocol.Strict)
		for _, hard := range []mail.Outgoing{
			draft("../x", "BlueLake", "INFO: x", "b", "RedSky"), draft("RS-1", "BlueLake", "INFO: x", "b", "RedSky"),
			draft("", "BlueLake", "INFO: x", "a\x00b", "RedSky"), draft("", "BlueLake", "INFO: x", strings.Repeat("x", 1<<20+1), "RedSky"),
		} {
			if _, err := o.Send(o.ctx(), hard); err == nil {
				t.Errorf("%s: %.40q was accepted", mode, hard.Body)
			}
		}
		o.same("messages", o.stored(), 1)
	}
}

func TestWhatIsEnforced(t *testing.T) {
	o := newOffice(t, mail.Options{})
	free := draft("bd-12", "BlueLake", "anything goes", "text", "RedSky")
	v := o.post(free)
	o.same("the intake of free mail", v.Message.Intake, protocol.Lenient)
	if protocol.HasErrors(v.Findings) || len(v.Findings) == 0 {
		t.Errorf("findings of free mail: %s", codes(v.Findings))
	}
	o.post(kickoff("bd-13"))
	free.ThreadID = "bd-13"
	_, err := o.Send(o.ctx(), free)
	o.wantCode(err, protocol.ValidationFailed)
	o.post(kickoff("bd-12")) // too late: its first message was none
	free.ThreadID = "bd-12"
	o.post(free)
	bare := kickoff("bd-14")
	bare.Body = "# S\n"
	_, err = o.Send(o.ctx(), bare) // the first KICKOFF is under the protocol itself
	o.wantCode(err, protocol.ValidationFailed)
	_, err = o.Send(o.ctx(), draft("", "BlueLake", "INFO: x", "a\xff", "RedSky"))
	o.wantCode(err, protocol.InvalidEncoding)
	large, err := o.Send(o.ctx(), draft(research, "BlueLake", "INFO: x", strings.Repeat("x", 1<<20+1), "RedSky"))
	o.wantCode(err, protocol.MessageTooLarge)
	if large.Receipt != nil {
		t.Error("a message that is too large has a receipt")
	}
	for _, thread := range []string{research, ""} { // on every thread
		many, err := o.Send(o.ctx(), draft(thread, "BlueLake", "DELTA[gpt]: x", strings.Repeat("```delta\n```\n", 1001), "RedSky"))
		o.wantCode(err, protocol.TooManyBlocks)
		if many.Receipt == nil || many.Receipt.Found != 1001 || many.Receipt.Rejected != 1001 {
			t.Errorf("too many blocks: receipt %+v", many.Receipt)
		}
	}
}

func TestAddresses(t *testing.T) {
	o := newOffice(t, mail.Options{})
	out := draft("", "bluelake", "INFO: x", "b", "REDSKY", "RedSky", "GreenHill")
	out.Cc, out.Bcc = []string{"greenhill", "Operator"}, []string{"operator", "BlueLake"}
	m := o.post(out).Message
	o.same("names", [][]string{{m.From}, m.To, m.Cc, m.Bcc}, [][]string{{"BlueLake"}, {"RedSky", "GreenHill"}, {"Operator"}, {"BlueLake"}})
	o.same("bcc for the sender", mail.VisibleBcc(&m.Message, "BLUELAKE"), []string{"BlueLake"})
	o.same("bcc for another", len(mail.VisibleBcc(&m.Message, "RedSky")), 0)

	_, err := o.Send(o.ctx(), draft("", "BlueLake", "INFO: x", "b", "Nobody"))
	o.wantCode(err, protocol.UnknownAgent)
	_, err = o.Send(o.ctx(), draft("", "Nobody", "INFO: x", "b", "BlueLake"))
	o.wantCode(err, protocol.UnknownAgent)
	_, err = o.Send(o.ctx(), draft("", "BlueLake", "INFO: x", "b"))
	o.wantCode(err, protocol.InvalidInput)
	_, err = o.Retire(o.ctx(), "redsky")
	o.must(err)
	_, err = o.Send(o.ctx(), draft("", "BlueLake", "INFO: x", "b", "RedSky"))
	o.wantCode(err, protocol.AgentRetired)
	_, err = o.Register(o.ctx(), mail.Registration{Name: "REDSKY"})
	o.must(err)
	o.post(draft("", "BlueLake", "INFO: x", "b", "RedSky"))
	a, err := o.Agent(o.ctx(), "redsky")
	o.must(err)
	o.same("what a second registration keeps", []string{a.Name, a.Program, a.Model}, []string{"RedSky", "claude-code", "opus-4.5"})
}

func TestRegisterAssignsNames(t *testing.T) {
	n := 0
	o := newOffice(t, mail.Options{Pick: func(total int) int { n++; return n % total }})
	seen := map[string]bool{}
	for _, name := range []string{"", "", "日本"} {
		a, err := o.Register(o.ctx(), mail.Registration{Name: name})
		o.must(err)
		if seen[a.Name] || !protocol.ValidAgentName(a.Name) {
			t.Errorf("%q was registered as %q", name, a.Name)
		}
		seen[a.Name] = true
	}
	a, err := o.Register(o.ctx(), mail.Registration{Name: "dr. Who?"})
	o.must(err)
	o.same("a name made safe", a.Name, "drWho")
}

// TestRegisterTakesIdentifiers: what reaches command lines later is no flag and no command.
func TestRegisterTakesIdentifiers(t *testing.T) {
	o := newOffice(t, mail.Options{})
	for _, r := range []mail.Registration{
		{Name: "--"}, {Name: "-rf"}, {Name: " -rf"}, {Name: "$(touch X)"}, {Name: "_x"},
		{Name: "RedSky", Model: "$(touch X)"}, {Name: "RedSky", Model: "-m"}, {Name: "RedSky", Program: "a;b"},
		{Model: strings.Repeat("m", 65)},
	} {
		_, err := o.Register(o.ctx(), r)
		o.wantCode(err, protocol.InvalidInput)
	}
	agents, err := o.Agents(o.ctx())
	o.must(err)
	if slices.ContainsFunc(agents, func(a mail.Agent) bool { return a.Name == "RedSky" && a.Model != "opus-4.5" && a.Model != "" }) {
		t.Errorf("registered %+v", agents)
	}
	_, err = o.Register(o.ctx(), mail.Registration{Name: "RedSky", Program: "vendor/cli", Model: "Opus 4.5"})
	o.must(err)
}

func TestIdempotentSend(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	out := contribution(research)
	out.Key = "k"
	first := o.post(out)
	o.now = o.now.Add(time.Hour)
	_, err := o.Retire(o.ctx(), "Operator") // a repeated call still has its first result
	o.must(err)
	again := o.post(out)
	o.same("the message", again.Message, first.Message)
	o.same("the receipt", again.Receipt, first.Receipt)
	for _, change := range []func(*mail.Outgoing){
		func(out *mail.Outgoing) { out.Body += " " }, func(out *mail.Outgoing) { out.Subject += "!" },
		func(out *mail.Outgoing) { out.To = []string{"RedSky"} }, func(out *mail.Outgoing) { out.Importance = message.High },
		func(out *mail.Outgoing) { out.ThreadID = "" }, func(out *mail.Outgoing) { yes := true; out.AckRequired = &yes },
		func(out *mail.Outgoing) { out.From = "RedSky" }, func(out *mail.Outgoing) { out.ReplyTo = 1 },
	} {
		other := out
		change(&other)
		_, err := o.Send(o.ctx(), other)
		o.wantCode(err, protocol.IdempotencyConflict)
	}
	o.same("messages", o.stored(), 2)
}

func TestReplies(t *testing.T) {
	o := newOffice(t, mail.Options{})
	alone := o.post(draft("", "BlueLake", "INFO: alone", "b", "RedSky")).Message
	reply := func(id int64, from, body string) mail.Message {
		t.Helper()
		v, err := o.Reply(o.ctx(), id, "", draft("", from, "", body))
		o.must(err)
		return v.Message
	}
	first := reply(alone.ID, "RedSky", "got it")
	o.same("a reply", []any{first.ThreadID, first.Subject, first.To, first.ReplyTo, first.Type},
		[]any{"1", "Re: INFO: alone", []string{"BlueLake"}, alone.ID, protocol.TypeInfo})
	second := reply(first.ID, "RedSky", "one more thing") // an answer to oneself
	o.same("a reply to oneself", []any{second.ThreadID, second.Subject, second.To}, []any{"1", "Re: INFO: alone", []string{"BlueLake"}})
	thread, err := o.ThreadMessages(o.ctx(), "1")
	o.must(err)
	o.same("the thread shows what it answers", len(thread), 3)
	o.same("its first message", thread[0].ID, alone.ID)
	answered := o.post(mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: back", Body: "b",
		ReplyTo: second.ID}})
	o.same("the thread of an answer", answered.Message.ThreadID, "1")
	_, err = o.Reply(o.ctx(), 99, "", draft("", "RedSky", "", "b"))
	o.wantCode(err, protocol.NotFound)
	_, err = o.Send(o.ctx(), mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: []string{"RedSky"}, Subject: "INFO: x", Body: "b",
		ReplyTo: 99}})
	o.wantCode(err, protocol.NotFound)
}

func TestFetchDelivers(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	state := func() mail.Delivery {
		t.Helper()
		got, err := o.Inbox(o.ctx(), mail.InboxQuery{Agent: "BlueLake"})
		o.must(err)
		return got[0].Delivery
	}
	o.same("before", state().State(), mail.Sent)
	_, err := o.Fetch(o.ctx(), mail.InboxQuery{Agent: "bluelake", Limit: 5})
	o.must(err)
	o.same("after", state().State(), mail.Delivered)
	o.now = o.now.Add(time.Minute)
	d, err := o.MarkRead(o.ctx(), "BlueLake", 1)
	o.must(err)
	o.same("read at", d.ReadAt, o.now)
	o.same("delivered at", d.DeliveredAt, o.now.Add(-time.Minute))
}

func TestVersionsAtTheDoor(t *testing.T) {
	o := newOffice(t, mail.Options{})
	o.post(kickoff(research))
	compile := func(n int) error {
		at := o.Now()
		c := message.Compiled{
			ThreadID: research, Version: n, Previous: n - 1, CompiledAt: at, Compiler: "Operator",
			Contributors: []message.Contribution{{Agent: "BlueLake", Deltas: 1}},
			Validation:   message.Validation{Schema: message.Pass, ThirdAlternative: message.Missing},
			Artifact:     fmt.Sprintf("---\nsession_id: %s\nversion: %d\n---\n\n# Brenner Protocol Artifact: %s\n", research, n, research),
		}
		_, err := o.Send(o.ctx(), draft(research, "Operator", fmt.Sprintf("COMPILED: v%d x", n), message.RenderCompiled(c), "BlueLake"))
		return err
	}
	o.wantCode(compile(2), protocol.ValidationFailed)
	o.must(compile(1))
	o.wantCode(compile(1), protocol.ValidationFailed)
	o.wantCode(compile(3), protocol.ValidationFailed)
	o.must(compile(2))
	thread, err := o.Thread(o.ctx(), research)
	o.must(err)
	o.same("the latest version", thread.LatestVersion, 2)
}

func TestTooManyRecipients(t *testing.T) {
	o := newOffice(t, mail.Options{})
	_, err := o.Send(o.ctx(), mail.Outgoing{Draft: message.Draft{From: "BlueLake", To: slices.Repeat([]string{"RedSky"}, 10_001),
		Subject: "INFO: x", Body: "y"}})
	o.wantCode(err, protocol.InvalidInput)
}

func TestLeases(t *testing.T) {
	o := newOffice(t, mail.Options{})
	granted, conflicts, err := o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "bluelake", Paths: []string{"src/**", "doc/a.md"},
		TTL: time.Minute, Exclusive: true, Reason: "r"})
	o.must(err)
	o.same("granted and refused", []int{len(granted), len(conflicts)}, []int{2, 0})
	granted, conflicts, err = o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "RedSky", Paths: []string{"src/x.go", "doc/b.md"},
		TTL: time.Minute})
	o.must(err)
	o.same("granted beside a lease", []string{granted[0].Path, conflicts[0].Path, conflicts[0].Holder.Agent},
		[]string{"doc/b.md", "src/x.go", "BlueLake"})
	_, conflicts, err = o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "BlueLake", Paths: []string{"doc/*.md"}, TTL: time.Minute,
		Exclusive: true})
	o.must(err)
	o.same("over a shared lease", len(conflicts), 0)

	o.now = o.now.Add(30 * time.Second)
	renewed, err := o.Renew(o.ctx(), "BlueLake", []string{"src/**"}, time.Hour)
	o.must(err)
	o.same("renewed", []any{len(renewed), renewed[0].ExpiresAt}, []any{1, o.now.Add(time.Hour)})
	o.now = o.now.Add(31 * time.Second)
	standing, err := o.Leases(o.ctx())
	o.must(err)
	o.same("what stands after a minute", len(standing), 1)
	n, err := o.Release(o.ctx(), "BlueLake", nil)
	o.must(err)
	o.same("released", n, 1)
	again, _, err := o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "RedSky", Paths: []string{"src/x.go"}, TTL: time.Minute})
	o.must(err)
	more, _, err := o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "RedSky", Paths: []string{"src/x.go"}, TTL: time.Hour})
	o.must(err)
	o.same("a path held already is extended", more[0].ID, again[0].ID)
	_, _, err = o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "Nobody", Paths: []string{"x"}, TTL: time.Minute})
	o.wantCode(err, protocol.UnknownAgent)
	_, _, err = o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "RedSky", Paths: []string{""}, TTL: time.Minute})
	o.wantCode(err, protocol.InvalidInput)
	for i := range 4 { // two thousand leases are enough for one agent, and may be extended
		paths := make([]string, 1000)
		for j := range paths {
			paths[j] = fmt.Sprintf("many/%d/%d", min(i, 2)%2, j)
		}
		granted, _, err = o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "BlueLake", Paths: paths, TTL: time.Minute})
		o.must(err)
		o.same("granted of many", len(granted), 1000)
	}
	for _, paths := range [][]string{make([]string, 1001), {"one/more"}} {
		_, _, err = o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "BlueLake", Paths: paths, TTL: time.Minute})
		o.wantCode(err, protocol.InvalidInput)
	}
}

// TestNoKickoff: work on a thread that was not opened is taken, with a warning that names what was meant.
func TestNoKickoff(t *testing.T) {
	o := newOffice(t, mail.Options{})
	first := func(v mail.Verdict) string {
		t.Helper()
		if len(v.Findings) == 0 {
			return ""
		}
		return string(v.Findings[0].Code) + " " + v.Findings[0].Fix
	}
	o.post(kickoff(research + "-night"))
	o.same("on the thread itself", first(o.post(contribution(research+"-night"))), "")
	o.same("a slip", first(o.post(contribution(research+"-nigth"))), "NO_KICKOFF Did you mean "+research+"-night?")
	o.same("nothing near", first(o.post(contribution("RS-20250101-something-else-altogether"))),
		"NO_KICKOFF "+protocol.NoKickoff.Info().Fix)
	slip := contribution(research + "-nite")
	slip.From, slip.Subject = "GreenHill", "DELTA[human]: one"
	o.same("of a stranger to the thread", first(o.post(slip)), "NO_KICKOFF Did you mean "+research+"-night?")
	slip.ThreadID += "s"
	slip.Access = o.AccessOf("GreenHill")
	o.same("of a stranger that may not read it", first(o.post(slip)), "NO_KICKOFF "+protocol.NoKickoff.Info().Fix)
	for _, c := range []struct {
		name   string
		access mail.Access
		draft  mail.Outgoing
		want   string
	}{
		{"a draft without sender", o.FullAccess(), contribution(research + "-nihgt"), "NO_KICKOFF Did you mean " + research + "-night?"},
		{"a draft on the thread itself", o.FullAccess(), contribution(research + "-night"), ""},
		{"a draft on a thread that is not the author's", o.AccessOf("GreenHill"), contribution(research + "-night"),
			"NO_KICKOFF " + protocol.NoKickoff.Info().Fix},
	} {
		c.draft.From, c.draft.To = "", nil
		report, err := o.JudgeDraft(o.ctx(), c.access, c.draft.Draft)
		o.must(err)
		o.same(c.name, first(mail.Verdict{Findings: report.Findings}), c.want)
	}
	o.same("a note", first(o.post(draft(research+"-x", "BlueLake", "INFO: x", "x", "Operator"))), "")
	o.post(kickoff(research + "-nigth"))
	o.same("after a KICKOFF", first(o.post(contribution(research+"-nigth"))), "")
}

// TestSamePathTwice is one lease.
func TestSamePathTwice(t *testing.T) {
	o := newOffice(t, mail.Options{})
	granted, _, err := o.Reserve(o.ctx(), mail.LeaseRequest{Agent: "BlueLake", Paths: []string{"a.md", "a.md"}, TTL: time.Hour})
	o.must(err)
	o.same("leases", len(granted), 1)
}

// TestDecoratedNames: what is left of a name is taken if it is free, and never another agent's.
func TestDecoratedNames(t *testing.T) {
	o := newOffice(t, mail.Options{Pick: func(int) int { return 0 }})
	for _, c := range []struct{ asked, want, said string }{
		{"Old Mill!", "OldMill", "INVALID_INPUT:w"}, // free
		{"Blue Lake!", "AmberBadger", "INVALID_INPUT:w"},
		{"bluelake", "BlueLake", ""}, // the agent itself
	} {
		a, err := o.Register(o.ctx(), mail.Registration{Name: c.asked})
		o.must(err)
		o.same(c.asked, []string{a.Name, codes(mail.NameFindings(c.asked, a))}, []string{c.want, c.said})
	}
}
