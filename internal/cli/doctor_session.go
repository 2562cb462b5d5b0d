package cli

import (
	"context"
	"fmt"
	"strings"

	project "brenner/internal/app"
	"brenner/internal/program"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// session looks at what a run of a session relies on: programs, logins, and what an earlier run left behind.
func (d *doctor) session(ctx context.Context, found project.Project, thread string) {
	p, err := project.Peek(ctx, project.Options{Project: found, Store: d.app.dsn()})
	if err != nil {
		d.fail("session", err)
		return
	}
	defer p.Close()
	cast, err := runner.Cast(ctx, p.Sessions, thread)
	if err != nil {
		d.fail("session", err)
		return
	}
	d.ok("session", "%s: a run plays %s", thread, count(len(cast), "agent"))
	d.players(p.Catalog(), cast)
	d.leftovers(ctx, p, thread)
}

// players looks for the program and the login of each agent.
func (d *doctor) players(catalog *program.Catalog, cast []runner.Player) {
	users := map[string][]string{}
	var programs []string
	for _, player := range cast {
		if player.Program == "" {
			d.warn("program of "+player.Agent, "none is known: a run waits for its mail until the deadline",
				"brenner mail register "+shellWord(player.Agent)+" --program claude-code, or have it run elsewhere")
			continue
		}
		if users[player.Program] == nil {
			programs = append(programs, player.Program)
		}
		users[player.Program] = append(users[player.Program], player.Agent)
	}
	for _, name := range programs {
		who := strings.Join(users[name], ", ")
		if missing := catalog.Missing(program.Headless, name); len(missing) > 0 {
			d.fail("program of "+who, protocol.Errorf(protocol.ProgramMissing, "%s", missing[0].Reason()).
				WithFindings([]protocol.Finding{protocol.NewFinding(protocol.ProgramMissing, "%s", missing[0].Reason()).
					WithFix("%s", missing[0].Install)}))
			continue
		}
		if err := catalog.Trusted(program.Headless, name); err != nil {
			d.fail("program of "+who, err)
			continue
		}
		d.ok("program of "+who, "%s is installed", name)
		switch found, fix := catalog.Login(name, d.app.streams.Getenv); found {
		case program.LoginFound:
			d.ok("login of "+who, "%s has one", name)
		case program.LoginMissing:
			d.warn("login of "+who, "none of "+name+" is to be seen", fix)
		}
	}
}

// leftovers looks for who else plays the session, and for programs that outlived their runner.
func (d *doctor) leftovers(ctx context.Context, p *project.App, thread string) {
	if err := runner.Idle(ctx, p.Mail, thread); err != nil {
		if protocol.CodeOf(err) != protocol.Conflict {
			d.fail("runner", err)
			return
		}
		d.warn("runner", err.Error(), "brenner run "+shellWord(thread)+" --stop ends it")
	}
	if err := d.app.noCockpit(ctx, p, thread); err != nil {
		d.warn("cockpit", err.Error(), "brenner cockpit stop "+shellWord(thread))
	}
	orphans, err := runner.Orphans(ctx, p.Mail, p.Project.Root, thread)
	switch {
	case err != nil:
		d.fail("orphans", err)
	case len(orphans) == 0:
		d.ok("orphans", "no program of an earlier run is left")
	default:
		var names []string
		for _, o := range orphans {
			names = append(names, fmt.Sprintf("%s (process %d, round %d)", o.Agent, o.PID, o.Round))
		}
		d.warn("orphans", count(len(orphans), "program")+" of an earlier run still at work: "+strings.Join(names, ", "),
			fmt.Sprintf("brenner run %[1]s goes on with them, brenner run %[1]s --stop ends them", shellWord(thread)))
	}
}
