package scripted

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"brenner/internal/acp"
	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
)

// ACPOptions say on whose behalf a script is played over the Agent Client Protocol.
type ACPOptions struct {
	Agent   string
	Thread  string
	In      io.Reader
	Out     io.Writer
	Stderr  io.Writer
	servers []acp.Server
}

// ServeACP plays a script as an agent of the Agent Client Protocol: with the MCP server that its client hands over, in every turn that it
// is asked for.
func ServeACP(ctx context.Context, s *Script, o ACPOptions) error {
	return acp.Serve(ctx, o.In, o.Out, &acpAgent{script: s, o: o})
}

type acpAgent struct {
	script *Script
	o      ACPOptions
}

// Begin implements acp.Part.
func (a *acpAgent) Begin(_ context.Context, goesOn string, servers []acp.Server) (string, error) {
	if a.script.ACP.SignedOut {
		return "", acp.ErrSignIn
	}
	a.o.servers = servers
	return cmp.Or(goesOn, fmt.Sprintf("session-%d", os.Getpid())), nil
}

// Turn implements acp.Part.
func (a *acpAgent) Turn(ctx context.Context, s *acp.Stage, prompt string) (*acp.Spent, error) {
	act, spent := a.script.ACP, &acp.Spent{}
	if act.Limited != "" {
		return nil, errors.New(act.Limited)
	}
	if act.Asks != "" {
		s.Say("It answered " + cmp.Or(s.Ask(ctx, act.Asks), "nothing") + ".\n")
	}
	s.Use("read_prompt", map[string]int{"bytes": len(prompt)}, "ok")
	for i := range act.Answers {
		if pause(ctx, time.Duration(act.Pace)) != nil {
			return spent, ctx.Err()
		}
		spent.Input += int64(act.Tokens)
		s.Say(fmt.Sprintf("Answer %d.\n", i+1))
		s.Used(act.Tokens, float64(i+1)*act.Dollars)
	}
	client, project, err := a.server(ctx)
	if err != nil {
		return spent, err
	}
	err = Play(ctx, a.script, Options{Agent: a.o.Agent, Project: project, Client: client, Thread: a.o.Thread, Out: sayer{s},
		Few: true})
	return spent, errors.Join(err, client.Close())
}

// server starts the server that was handed over. Its words name the project.
func (a *acpAgent) server(ctx context.Context) (*mcpclient.Client, string, error) {
	i := slices.IndexFunc(a.o.servers, func(s acp.Server) bool { return s.Name == "brenner" })
	if i < 0 {
		return nil, "", protocol.Errorf(protocol.NotFound, "no server brenner was handed over")
	}
	of := a.o.servers[i]
	env := os.Environ()
	for name, value := range of.Env {
		env = append(env, name+"="+value)
	}
	client, err := mcpclient.Stdio(ctx, mcpclient.StdioOptions{Args: append([]string{of.Command}, of.Args...), Env: env,
		Stderr: a.o.Stderr})
	project := ""
	if at := slices.Index(of.Args, "--project"); at >= 0 && at+1 < len(of.Args) {
		project = of.Args[at+1]
	}
	return client, project, err
}

// sayer says what an agent prints.
type sayer struct{ s *acp.Stage }

func (w sayer) Write(p []byte) (int, error) {
	w.s.Say(strings.ToValidUTF8(string(p), "�"))
	return len(p), nil
}
