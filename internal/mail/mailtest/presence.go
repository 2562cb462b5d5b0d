package mailtest

import (
	"fmt"
	"testing"
	"time"

	"brenner/internal/mail"
	"brenner/internal/protocol"
)

func presences(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	code := 3
	full := mail.Presence{
		Project: f.project, Agent: "RedSky", Source: mail.SourceRun, Host: "lab", PID: 4711, ProcessStarted: start, Pane: "%7",
		LastCall: start.Add(time.Minute), Call: "brenner_wait", CallEnded: start.Add(2 * time.Minute),
		WaitingUntil: start.Add(3 * time.Minute),
		Thread:       "RS-20260110-cells-turn", Due: start.Add(time.Hour), LeftAt: start.Add(150 * time.Second),
		EndedAt: start.Add(4 * time.Minute), ExitCode: &code,
	}
	bare := mail.Presence{Project: f.project, Agent: "RedSky", Source: mail.SourceHTTP, LastCall: start.Add(time.Hour), Call: "whois"}
	other := mail.Presence{Project: f.project, Agent: "BlueLake", Source: mail.SourceCLI, LastCall: start, Call: "mail send"}
	put := func(list ...mail.Presence) { f.must(f.store.PutPresences(f.ctx, f.project, list...)) }
	get := func(agents ...string) []mail.Presence {
		list, err := f.store.Presences(f.ctx, f.project, agents...)
		f.must(err)
		return list
	}
	f.same("nobody", len(get()), 0)
	typed := full
	typed.Agent = "redsky"
	put(typed, bare, mail.Presence{Agent: "Nobody", Source: mail.SourceCLI, LastCall: start})
	put(other)
	f.same("all", get(), []mail.Presence{other, bare, full})
	f.same("one agent", get("REDSKY"), []mail.Presence{bare, full})
	f.same("an unknown one", len(get("Nobody")), 0)

	late := full
	late.EndedAt, late.ExitCode, late.CallEnded = time.Time{}, nil, time.Time{} // an earlier state that was written late
	put(late)
	f.same("against an earlier state", get("RedSky"), []mail.Presence{bare, full})
	again := full
	again.ProcessStarted, again.LastCall, again.CallEnded = start.Add(5*time.Minute), start.Add(6*time.Minute), time.Time{}
	again.WaitingUntil, again.EndedAt, again.ExitCode, again.Pane = time.Time{}, time.Time{}, nil, ""
	put(again) // another process with the number of the first
	f.same("a number used again", get("RedSky"), []mail.Presence{bare, again})

	before := f.events(0)
	f.must(f.store.Rebuild(f.ctx))
	f.same("after a rebuild", len(get()), 3)
	f.same("events of presences", f.events(0), before)
	if to := f.again(); to != nil {
		seen, err := to.store.Presences(f.ctx, f.project)
		f.must(err)
		f.same("seen by another process", seen, get())
	}
	for _, r := range f.dump(f.store.(mail.Archiver)) {
		if r.Project == nil && r.Agent == nil {
			t.Errorf("an archive of agents alone has %+v", r)
		}
	}
	f.wantCode(f.store.PutPresences(f.ctx, f.project+99, other), protocol.NotFound)
	_, err := f.store.Presences(f.ctx, f.project+99)
	f.wantCode(err, protocol.NotFound)
	f.must(f.store.Close())
	f.wantCode(f.store.PutPresences(f.ctx, f.project, other), protocol.StoreUnavailable)
	_, err = f.store.Presences(f.ctx, f.project)
	f.wantCode(err, protocol.StoreUnavailable)
}

// fewPresences: programs come and go for years, and a store keeps the last ones.
func fewPresences(t *testing.T, engine Engine) {
	f := newFixture(t, engine)
	const n = mail.KeptPresences + 9
	for i := range n {
		p := mail.Presence{Agent: "RedSky", Source: mail.SourceStdio, Host: "lab", PID: i + 1,
			LastCall: start.Add(time.Duration(i) * time.Second)}
		f.must(f.store.PutPresences(f.ctx, f.project, p, mail.Presence{Agent: "BlueLake", Source: mail.SourceCLI, LastCall: start}))
	}
	kept, err := f.store.Presences(f.ctx, f.project, "RedSky")
	f.must(err)
	f.same("kept", fmt.Sprint(len(kept), kept[0].PID, kept[len(kept)-1].PID), fmt.Sprint(mail.KeptPresences, n, n-mail.KeptPresences+1))
	others, err := f.store.Presences(f.ctx, f.project, "BlueLake")
	f.must(err)
	f.same("of another agent", len(others), 1)
}
