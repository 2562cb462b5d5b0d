package cli

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"runtime"

	project "brenner/internal/app"
	"brenner/internal/demo"
	"brenner/internal/mcpserver"
	"brenner/internal/web"
)

// openDemo serves the scratch project until it is interrupted, with the way through it.
func (a *app) openDemo(ctx context.Context, played demo.Result) (err error) {
	found, err := project.FindProject(ctx, played.Project, "")
	if err != nil {
		return err
	}
	p, err := project.Open(ctx, project.Options{Project: found})
	if err != nil {
		return err
	}
	defer func() {
		if closed := p.Close(); err == nil {
			err = closed
		}
	}()
	return p.Serve(ctx, project.ServeOptions{
		Addr: "127.0.0.1:0", Lab: true, Tools: mcpserver.All, Version: currentVersion().build(), Logger: a.logger(), Environ: a.environ(),
		Tour:      stops(played),
		Listening: func(addr net.Addr) { a.guide(ctx, "http://"+addr.String(), played) },
	})
}

// stops lead from a sentence to its proof.
func stops(played demo.Result) []web.Stop {
	session := "/t/" + played.ThreadID
	latest := fmt.Sprintf("%s/v/%d", session, played.Version)
	return []web.Stop{
		{See: "Who wrote this?", Look: "Every field of the artifact names its agent and its message.", Path: latest + "#H2"},
		{See: "The false quote", Look: "Version 1: X1 quotes the letter wrongly, and the error says where it parts from it.",
			Path: session + "/v/1#X1"},
		{See: "The killed idea", Look: "H1 was given up. What killed it stays, with who says so and why.", Path: session + "/diff"},
		{See: "What to test next", Look: "Both tests were run. Here it says what the answer hangs on, and what waits.",
			Path: session + "#known"},
		{See: "What we believe, and why", Look: "The weight of every result, and what would change the answer.", Path: session + "#why"},
		{See: "The proof", Look: "Every version can be made again from the log, and has the hash it had: brenner verify does it.",
			Path: session + "#record"},
	}
}

// guide tells where the demo can be seen, and opens the first page.
func (a *app) guide(ctx context.Context, address string, played demo.Result) {
	way := stops(played)
	first := address + web.TourPath(way, 1)
	if !a.flags.quiet {
		p := newPrinter(a)
		p.note("\nopen      %s", first)
		for i, s := range way {
			p.note("%d  %s\n   %s%s", i+1, s.See, address, web.TourPath(way, i+1))
		}
		p.note("\nThe project is in %s; remove that folder when you have seen enough. Stop with Ctrl-C.", visible(played.Project))
		p.err.Flush()
	}
	a.browse(ctx, first)
}

// browse opens a page in the user's browser, where there is one. Without one the printed address is enough.
func (a *app) browse(ctx context.Context, address string) {
	words := []string{"xdg-open"}
	switch browser := a.streams.Getenv("BROWSER"); {
	case browser != "":
		words = []string{browser}
	case runtime.GOOS == "darwin":
		words = []string{"open"}
	case runtime.GOOS == "windows":
		words = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], address)...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // it may stay open as long as we serve
	}
}
