package mailtest

import (
	"testing"
	"time"

	"brenner/internal/canon"
	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func projects(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	first, err := f.store.EnsureProject(f.ctx, "/srv/Lab One", start.Add(time.Hour))
	f.must(err)
	f.same("the project again", first, mail.Project{ID: f.project, Slug: "srv-lab-one", HumanKey: "/srv/Lab One", CreatedAt: start})
	second, err := f.store.EnsureProject(f.ctx, "/srv/other", start)
	f.must(err)
	_, err = f.store.EnsureProject(f.ctx, "/srv/lab-one", start)
	f.wantCode(err, protocol.Conflict)
	all, err := f.store.Projects(f.ctx)
	f.must(err)
	f.same("all projects", all, []mail.Project{first, second})

	f.send("COORD-talk", 2)
	other := *f
	other.project = second.ID
	other.register("BlueLake")
	other.register("RedSky")
	m := other.append(other.entry("COORD-talk", "INFO: elsewhere"))[0]
	f.same("messages of one project", len(f.messages(mail.MessageQuery{Thread: "COORD-talk"})), 2)
	f.same("a message of another", len(f.messages(mail.MessageQuery{IDs: []int64{m.ID}})), 0)
	f.same("an inbox of another", len(other.inbox(mail.InboxQuery{Agent: "RedSky"})), 1)
	f.same("events of another", len(other.events(0)), 1)
	f.same("found in one", len(f.search("number")), 2)
	f.same("found in the other", len(other.search("number OR elsewhere")), 1)
	other.checkChain("COORD-talk")
	f.checkChain("COORD-talk")
	f.noProject()
}

// noProject asks everything of a project that is not there.
func (f *fixture) noProject() {
	const none = 4711
	term := mail.Term{Words: []string{"x"}}
	for what, call := range map[string]func() error{
		"Agents":   func() error { _, err := f.store.Agents(f.ctx, none); return err },
		"Messages": func() error { _, err := f.store.Messages(f.ctx, mail.MessageQuery{Project: none}); return err },
		"Threads":  func() error { _, err := f.store.Threads(f.ctx, mail.ThreadQuery{Project: none}); return err },
		"Deliveries": func() error {
			_, err := f.store.Deliveries(f.ctx, mail.DeliveryQuery{Project: none, Owed: true})
			return err
		},
		"Inbox": func() error {
			_, err := f.store.Inbox(f.ctx, mail.InboxQuery{Project: none, Agent: "BlueLake"})
			return err
		},
		"Mark": func() error { _, err := f.store.Mark(f.ctx, mail.Mark{Project: none, Agent: "BlueLake"}); return err },
		"Search": func() error {
			_, err := f.store.Search(f.ctx, mail.SearchQuery{Project: none, Expr: term, Limit: 1})
			return err
		},
		"Events":   func() error { _, err := f.store.Events(f.ctx, mail.EventQuery{Project: none}); return err },
		"Wait":     func() error { return f.store.Wait(f.ctx, none, 0) },
		"PutAgent": func() error { _, err := f.store.PutAgent(f.ctx, mail.Agent{Project: none, Name: "X"}); return err },
		"Compose":  func() error { _, err := f.store.Compose(f.ctx, none, start, nil); return err },
		"Reservations": func() error {
			_, err := f.store.Reservations(f.ctx, none, start, nil)
			return err
		},
		"PutProjection": func() error { return f.store.PutProjection(f.ctx, none, mail.Projection{Kind: "k", Key: "k"}) },
	} {
		if err := call(); protocol.CodeOf(err) != protocol.NotFound || err == nil {
			f.Errorf("%s of an unknown project: %v, want NOT_FOUND", what, err)
		}
	}
}

func agents(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	a := mail.Agent{
		Project: f.project, Name: "Quiet_Owl-2", Program: "claude-code", Model: "opus-4.5", Task: "thinks",
		InceptionAt: start.Add(1234567), LastActiveAt: start, TokenHash: canon.Hash{9},
	}
	stored, err := f.store.PutAgent(f.ctx, a)
	f.must(err)
	a.ID, a.InceptionAt = stored.ID, start.Add(1234*time.Microsecond)
	f.same("the agent", stored, a)
	f.same("the agent by another case", f.agent("quiet_OWL-2"), a)

	for _, name := range []string{"Quiet_Owl-2", "QUIET_owl-2"} {
		_, err = f.store.PutAgent(f.ctx, mail.Agent{Project: f.project, Name: name, InceptionAt: start, LastActiveAt: start})
		f.wantCode(err, protocol.Conflict)
	}
	change := a
	change.Name, change.InceptionAt = "Renamed", start.Add(time.Hour) // neither can change
	change.Program, change.Model, change.Task, change.RetiredAt, change.TokenHash = "p", "m", "t", start.Add(time.Minute), canon.Hash{}
	stored, err = f.store.PutAgent(f.ctx, change)
	f.must(err)
	change.Name, change.InceptionAt = a.Name, a.InceptionAt
	f.same("the changed agent", stored, change)
	f.same("the changed agent read", f.agent(a.Name), change)

	_, err = f.store.PutAgent(f.ctx, mail.Agent{ID: 4711, Project: f.project, Name: "X", InceptionAt: start, LastActiveAt: start})
	f.wantCode(err, protocol.NotFound)
	all, err := f.store.Agents(f.ctx, f.project)
	f.must(err)
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	f.same("all agents", names, []string{"BlueLake", "RedSky", "GreenHill", "Quiet_Owl-2"})
	some, err := f.store.Agents(f.ctx, f.project, "greenhill", "Nobody", "BLUELAKE")
	f.must(err)
	f.same("agents asked for", len(some), 2)

	m := f.append(f.entry("COORD-talk", "INFO: active"))[0]
	f.same("the sender's last activity", f.agent("BlueLake").LastActiveAt, m.CreatedAt)
	f.append(f.imported("COORD-talk", 5, start.AddDate(1, 0, 0)))
	f.same("its last activity after an import", f.agent("BlueLake").LastActiveAt, m.CreatedAt)
}
