package liveness_test

import (
	"strings"
	"testing"
	"time"

	"brenner/internal/liveness"
)

var now = time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)

func before(d time.Duration) time.Time { return now.Add(-d) }

// own is a process that lives and dies with its agent; web a server that many share.
func own(life liveness.Life) liveness.Process {
	return liveness.Process{Source: "mcp-stdio", Host: "lab", PID: 7, Own: true, Life: life, Started: before(time.Hour)}
}

func web(life liveness.Life) liveness.Process {
	return liveness.Process{Source: "mcp-http", Host: "lab", PID: 1, Life: life}
}

func called(p liveness.Process, tool string, began, ended time.Duration) liveness.Process {
	p.Call, p.Called = tool, before(began)
	if ended != open {
		p.CallEnded = before(ended)
	}
	return p
}

const open = time.Duration(-1)

func waited(p liveness.Process, began, until, ended time.Duration) liveness.Process {
	p = called(p, "brenner_wait", began, ended)
	p.WaitingUntil = before(until)
	return p
}

func gone(p liveness.Process, at time.Duration, exit int) liveness.Process {
	p.Ended, p.ExitCode = before(at), new(exit)
	return p
}

func round(p liveness.Process) liveness.Process {
	p.Source, p.Round = "run", true
	return p
}

func pane(life, of liveness.Life) liveness.Process {
	p := own(life)
	p.Source, p.Pane, p.PaneLife = "cockpit", "%3", of
	return p
}

func until(p liveness.Process, ago time.Duration) liveness.Process {
	p.Due = before(ago)
	return p
}

func resting(p liveness.Process, until time.Duration) liveness.Process {
	p.Call, p.Called, p.CallEnded, p.WaitingUntil = "rest", p.Ended, p.Ended, before(until)
	return p
}

func left(p liveness.Process, ago time.Duration) liveness.Process {
	p.Left = before(ago)
	return p
}

func asked(ago time.Duration) liveness.Plight {
	return liveness.Plight{State: liveness.Asks, Text: "May it run make?", Since: before(ago), Pane: "%1",
		Choices: []liveness.Choice{{Key: "1", Text: "Yes"}, {Key: "2", Text: "No"}}}
}

func told(state liveness.State, ago time.Duration) liveness.Plight {
	return liveness.Plight{State: state, Text: "May it run make?", Since: before(ago), Past: true, Over: state == liveness.SignedOut}
}

func held(p liveness.Process) liveness.Process {
	p.Paused = true
	return p
}

func call(deadline, fetched time.Duration) liveness.Debt {
	d := debt(deadline, fetched)
	d.What, d.Call = liveness.Contribution, true
	return d
}

func done(ago time.Duration) []liveness.Done {
	return []liveness.Done{{Thread: "RS-x", At: before(ago)}}
}

func elsewhere(p liveness.Process) liveness.Process {
	p.Host, p.Life = "other", liveness.Unclear
	return p
}

func debt(deadline, fetched time.Duration) liveness.Debt {
	d := liveness.Debt{Message: 12, Thread: "RS-x", What: "an acknowledgement", Since: before(deadline + 30*time.Minute),
		Deadline: before(deadline)}
	if fetched >= 0 {
		d.Fetched = before(fetched)
	}
	return d
}

// TestRules asks every rule, and every exception to it.
func TestRules(t *testing.T) {
	type facts = liveness.Facts
	type procs = []liveness.Process
	type debts = []liveness.Debt
	late, inTime := debts{debt(time.Minute, open)}, debts{debt(-20*time.Minute, 9*time.Minute)}
	for _, test := range []struct {
		name  string
		facts facts
		want  liveness.State
		say   string
	}{
		{"no facts", facts{}, liveness.Unknown, "ever heard"},
		{"a process seen to end", facts{Processes: procs{gone(own(liveness.Unclear), time.Minute, 1)}}, liveness.Dead, "with code 1"},
		{"a process not there any more", facts{Processes: procs{called(own(liveness.Gone), "send_message", 10*time.Second, 9*time.Second)}},
			liveness.Dead, "not there any more"},
		{"mail as its last act", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0)}, LastSent: before(58 * time.Second)},
			liveness.Dead, "code 0"},
		{"mail after its end", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0)}, LastSent: before(40 * time.Second)},
			liveness.Working, "sent mail or"},
		{"a call after its end", facts{Processes: procs{gone(own(liveness.Gone), time.Hour, 0),
			called(web(liveness.Alive), "whois", time.Minute, time.Minute)}}, liveness.Working, "whois"},
		{"a call before its end", facts{Processes: procs{gone(own(liveness.Gone), time.Second, 0),
			called(web(liveness.Alive), "whois", time.Minute, time.Minute)}}, liveness.Dead, "ended"},
		{"another process lives", facts{Processes: procs{gone(own(liveness.Gone), time.Hour, 0), pane(liveness.Alive, "")}}, liveness.Idle,
			"lives"},
		{"another may live", facts{Processes: procs{gone(own(liveness.Gone), 50*time.Minute, 0),
			elsewhere(called(own(""), "whois", 45*time.Minute, 45*time.Minute))}}, liveness.Unknown, "cannot be looked at"},
		{"another was left behind", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0),
			elsewhere(liveness.Process{Own: true, PID: 3, Started: before(30 * time.Hour)})}}, liveness.Dead, "ended"},
		{"a round that ended well", facts{Processes: procs{round(gone(own(liveness.Gone), time.Minute, 0)),
			gone(own(liveness.Gone), 59*time.Second, 0)}}, liveness.Idle, "normally"},
		{"a round that ended badly", facts{Processes: procs{round(gone(own(liveness.Gone), time.Minute, 2))},
			LastSent: before(5 * time.Second)}, liveness.Dead, "with code 2"},
		{"a round that ended well and left a debt", facts{Processes: procs{round(gone(own(liveness.Gone), time.Minute, 0))}, Debts: late},
			liveness.Dead, "owes"},
		{"the pane of a process that cannot be asked", facts{Processes: procs{pane(liveness.Unclear, liveness.Gone)}}, liveness.Dead,
			"pane"},
		{"a pane against its process", facts{Processes: procs{pane(liveness.Alive, liveness.Gone)}}, liveness.Idle, "lives"},
		{"a server that ended", facts{Processes: procs{gone(called(web(liveness.Gone), "whois", time.Hour, time.Hour), time.Minute, 0)}},
			liveness.Unknown, "no process of its own"},

		{"a call under way", facts{Processes: procs{called(own(liveness.Alive), "brenner_compile", 10*time.Minute, open)}},
			liveness.Working, "brenner_compile is under way"},
		{"a call under way far away", facts{Processes: procs{elsewhere(called(own(""), "brenner_compile", time.Minute, open))}},
			liveness.Working, "under way"},
		{"a call of which no end was told", facts{Processes: procs{elsewhere(called(own(""), "brenner_compile", time.Hour, open))}},
			liveness.Unknown, ""},
		{"a call under way on a server that ended",
			facts{Processes: procs{called(web(liveness.Gone), "brenner_compile", 5*time.Minute, open)}}, liveness.Idle, "heard of"},
		{"a wait", facts{Processes: procs{waited(web(liveness.Alive), 20*time.Second, -30*time.Second, open)}, Debts: late},
			liveness.Waiting, "brenner_wait"},
		{"a wait that never ended", facts{Processes: procs{waited(elsewhere(own("")), 5*time.Minute, 4*time.Minute, open)}}, liveness.Idle,
			"heard of"},
		{"a wait of a dead server", facts{Processes: procs{waited(web(liveness.Gone), 20*time.Second, -30*time.Second, open)}},
			liveness.Waiting, "waits for mail"},
		{"a wait without end", facts{Processes: procs{waited(web(liveness.Alive), time.Hour, -1000*time.Hour, open)}}, liveness.Unknown,
			""},
		{"a wait that just ran out", facts{Processes: procs{waited(web(liveness.Alive), 60*time.Second, 10*time.Second, 10*time.Second)}},
			liveness.Waiting, "ran out"},
		{"a wait that ran out before", facts{Processes: procs{waited(own(liveness.Alive), 100*time.Second, 50*time.Second,
			50*time.Second)}}, liveness.Idle, "lives"},
		{"a wait that brought mail", facts{Processes: procs{waited(own(liveness.Alive), 50*time.Second, 0, 20*time.Second)}},
			liveness.Working, "called"},
		{"a recent call", facts{Processes: procs{called(web(liveness.Alive), "whois", 90*time.Second, 89*time.Second)}}, liveness.Working,
			"called whois"},
		{"a call a moment ahead", facts{Processes: procs{called(elsewhere(web("")), "whois", -20*time.Second, -21*time.Second)}},
			liveness.Working, "just now"},
		{"a call of a wrong clock", facts{Processes: procs{called(elsewhere(web("")), "whois", -time.Hour, -time.Hour)}}, liveness.Unknown,
			""},
		{"mail just fetched", facts{LastSent: before(time.Hour), LastRead: before(time.Minute)}, liveness.Working, "read or"},
		{"mail fetched after its end", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0)},
			LastRead: before(40 * time.Second)}, liveness.Working, "read or"},
		{"recent mail", facts{LastSent: before(time.Minute)}, liveness.Working, "sent mail or"},

		{"retired", facts{Retired: before(time.Hour), Debts: late}, liveness.Idle, "retired"},
		{"overdue, never heard of", facts{Debts: late}, liveness.Silent, "never given a sign"},
		{"overdue, its process lives", facts{Processes: procs{own(liveness.Alive)}, Debts: late}, liveness.Silent,
			"though its process lives"},
		{"overdue, heard of once", facts{Processes: procs{called(web(liveness.Alive), "whois", 5*time.Minute, 5*time.Minute)}, Debts: late},
			liveness.Silent, "5 min ago"},
		{"overdue, but calling", facts{Processes: procs{called(web(liveness.Alive), "whois", time.Minute, time.Minute)}, Debts: late},
			liveness.Working, "whois"},
		{"in time, fetched by somebody", facts{Processes: procs{own(liveness.Alive)}, Debts: inTime}, liveness.Idle, "nothing is overdue"},
		{"in time, heard of since", facts{Processes: procs{called(web(liveness.Alive), "fetch_inbox", 9*time.Minute, 9*time.Minute)},
			Debts: inTime}, liveness.Working, "until"},
		{"in time, not fetched", facts{Processes: procs{own(liveness.Alive)}, Debts: debts{debt(-20*time.Minute, open)}}, liveness.Idle,
			"nothing is overdue"},
		{"nothing owed, its process lives", facts{Processes: procs{called(own(liveness.Alive), "whois", time.Hour, time.Hour)}},
			liveness.Idle, "nothing is asked"},
		{"nothing owed, heard of", facts{Processes: procs{called(web(liveness.Alive), "whois", 9*time.Minute, 9*time.Minute)}},
			liveness.Idle, "9 min ago"},
		{"a fresh lease", facts{Leases: []liveness.Lease{{Path: "src/**", Taken: before(10 * time.Minute), Expires: now}}}, liveness.Idle,
			"10 min ago"},

		{"a round in time", facts{Processes: procs{until(round(own(liveness.Alive)), -time.Minute)}, Debts: late}, liveness.Working,
			"plays a round"},
		{"a round past its deadline", facts{Processes: procs{until(round(own(liveness.Alive)), time.Minute)}}, liveness.Silent,
			"past its deadline"},
		{"a round past its deadline, calling",
			facts{Processes: procs{until(round(own(liveness.Alive)), time.Minute),
				called(web(liveness.Alive), "whois", time.Minute, time.Minute)}}, liveness.Working, "whois"},
		{"a round that left its call unanswered", facts{Processes: procs{round(gone(own(liveness.Gone), time.Minute, 0))},
			Debts: debts{call(-20*time.Minute, 9*time.Minute)}}, liveness.Silent, "without the contribution"},
		{"a round that ended before the next call", facts{Processes: procs{round(gone(own(liveness.Gone), 20*time.Minute, 0))},
			Debts: debts{call(-25*time.Minute, open)}}, liveness.Idle, "normally"},
		{"a round that rests", facts{Processes: procs{resting(round(gone(own(liveness.Gone), time.Minute, 1)), -20*time.Minute)},
			Debts: late}, liveness.Resting, "rests until"},
		{"a round whose rest is over", facts{Processes: procs{resting(round(gone(own(liveness.Gone), time.Hour, 1)), time.Minute)}},
			liveness.Dead, "code 1"},
		{"its part done, then a bad end", facts{Processes: procs{round(gone(own(liveness.Gone), time.Minute, 2))},
			Done: done(5 * time.Second)}, liveness.Idle, "did its part"},
		{"its part done, then closed", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0)}, Done: done(2 * time.Minute)},
			liveness.Idle, "did its part"},
		{"its part done, then killed", facts{Processes: procs{own(liveness.Gone)}, Done: done(2 * time.Minute)}, liveness.Dead,
			"not there any more"},
		{"its part done before it started", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0)}, Done: done(9 * time.Hour)},
			liveness.Dead, "ended"},
		{"its part done, but more is asked", facts{Processes: procs{gone(own(liveness.Gone), time.Minute, 0)}, Done: done(2 * time.Minute),
			Debts: debts{debt(-20*time.Minute, open)}}, liveness.Dead, "ended"},
		{"a client that left its wait",
			facts{Processes: procs{left(waited(web(liveness.Alive), 20*time.Second, -30*time.Second, 10*time.Second), 10*time.Second)}},
			liveness.Unknown, "went away"},
		{"a client that left, and mail after it",
			facts{Processes: procs{left(waited(web(liveness.Alive), 20*time.Second, -30*time.Second, 10*time.Second), 10*time.Second)},
				LastSent: before(5 * time.Second)}, liveness.Working, "sent mail or"},
		{"a client that left, and owes",
			facts{Processes: procs{left(waited(web(liveness.Alive), 20*time.Second, -30*time.Second, 10*time.Second), 10*time.Second)},
				Debts: late}, liveness.Silent, "owes"},
		{"not connected", facts{Processes: procs{pane(liveness.Alive, "")}, Debts: debts{call(-20*time.Minute, open)}}, liveness.Silent,
			"has not connected to brenner yet; look at its pane"},
		{"not connected, and not called", facts{Processes: procs{pane(liveness.Alive, "")}, Debts: debts{debt(-20*time.Minute, open)}},
			liveness.Idle, "lives"},
		{"a question in its pane", facts{Processes: procs{pane(liveness.Alive, ""),
			called(own(liveness.Alive), "whois", time.Minute, 50*time.Second)},
			Plights: []liveness.Plight{asked(time.Second)}}, liveness.Asks, "May it run make? (1 Yes, 2 No)"},
		{"a question that was told", facts{Processes: procs{called(own(liveness.Alive), "whois", time.Minute, 50*time.Second)},
			Plights: []liveness.Plight{told(liveness.Asks, 20*time.Second)}}, liveness.Asks, "May it run make?"},
		{"a question before its last call", facts{Processes: procs{called(own(liveness.Alive), "whois", time.Minute, 50*time.Second)},
			Plights: []liveness.Plight{told(liveness.Asks, 2*time.Minute)}}, liveness.Working, "whois"},
		{"a question of a program that ended", facts{Processes: procs{own(liveness.Gone)},
			Plights: []liveness.Plight{told(liveness.Asks, time.Second)}},
			liveness.Dead, "not there any more"},
		{"signed out", facts{Processes: procs{round(gone(own(liveness.Gone), time.Minute, 1))},
			Plights: []liveness.Plight{told(liveness.SignedOut, time.Minute)}}, liveness.SignedOut, "its service does not know it"},
		{"signed out, and started again", facts{Processes: procs{until(round(own(liveness.Alive)), -time.Minute)},
			Plights: []liveness.Plight{told(liveness.SignedOut, 3*time.Hour)}}, liveness.Working, "plays a round"},
		{"refused, and trying again", facts{Processes: procs{until(round(own(liveness.Alive)), -time.Minute)},
			Plights: []liveness.Plight{told(liveness.Failing, time.Second)}}, liveness.Failing, "tries again"},
		{"paused", facts{Processes: procs{held(own(liveness.Alive))}, Debts: late}, liveness.Idle, "paused"},
		{"complete", facts{Complete: true, Processes: procs{own(liveness.Gone)}, Debts: late}, liveness.Idle, "complete"},
		{"heard of long ago", facts{Processes: procs{called(web(liveness.Alive), "whois", 3*time.Hour, 3*time.Hour)}}, liveness.Unknown,
			"3 h ago"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.facts.Agent = "RedSky"
			v := liveness.Judge(test.facts, now)
			if v.State != test.want || !strings.Contains(v.Reason, test.say) {
				t.Errorf("%s: %s", v.State, v.Reason)
			}
			if v.Agent != "RedSky" || v.NextStep == "" || v.Reason == "" || v.Evidence == nil {
				t.Errorf("the verdict is not whole: %+v", v)
			}
			for i := 1; i < len(v.Evidence); i++ {
				if v.Evidence[i].Weight > v.Evidence[i-1].Weight {
					t.Errorf("%+v stands before %+v", v.Evidence[i-1], v.Evidence[i])
				}
			}
		})
	}
}
