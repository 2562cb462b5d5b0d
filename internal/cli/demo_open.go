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
		Listening: func(addr net.Addr) { a.guide(ctx, "http://"+addr.String(), played) },
	})
}

// stop is a place of the tour: what is to be seen, and where.
type stop struct{ see, path string }

// stops lead from a sentence to its proof.
func stops(played demo.Result) []stop {
	session := "/t/" + played.ThreadID
	latest := fmt.Sprintf("%s/v/%d", session, played.Version)
	return []stop{
		{"who wrote this: every field of the artifact, with its message", latest},
		{"the false quote: version 1, where it was caught", session + "/v/1"},
		{"the killed idea, and what killed it", session + "/diff"},
		{"what to test next, and what waits for you", "/now"},
		{"what we believe, and why", session},
		{"the argument as a map, each line with its proof", session + "/map"},
	}
}

// guide tells where the demo can be seen, and opens the first page.
func (a *app) guide(ctx context.Context, address string, played demo.Result) {
	first := address + "/t/" + played.ThreadID
	if !a.flags.quiet {
		p := newPrinter(a)
		p.note("\nopen      %s", first)
		for i, s := range stops(played) {
			p.note("%d  %s\n   %s%s", i+1, s.see, address, s.path)
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
