package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mcpclient"
	"brenner/internal/protocol"
	"brenner/internal/scripted"
)

// tokenVariable holds the key to a server.
const tokenVariable = "BRENNER_TOKEN"

// newScriptedAgent plays an agent from a script: what the demo and the tests of `run` start in the
// place of a real program.
func newScriptedAgent(a *app) *cobra.Command {
	var file, url string
	var overACP bool
	cmd := &cobra.Command{
		Use:   "scripted-agent",
		Short: "Play an agent from a script, over MCP",
		Long: `Play an agent from a script: it reads its mail over MCP, acknowledges, contributes or fails, as the
script says, and ends. It starts 'brenner mcp' for itself, or asks the server at --url.`,
		Example: "  brenner scripted-agent --script BlueLake.json",
		Hidden:  true,
		Args:    exactly(),
	}
	cmd.Flags().StringVar(&file, "script", "", "the script, a JSON `FILE`")
	cmd.Flags().BoolVar(&overACP, "acp", false, "speak the Agent Client Protocol, and use the server that is handed over")
	cmd.Flags().StringVar(&url, "url", "", "ask the MCP server at `URL`; $"+tokenVariable+" holds its token")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		if file == "" {
			return nil, usageFor(cmd, "--script is missing")
		}
		script, err := scripted.Load(file)
		if err != nil {
			return nil, err
		}
		if overACP {
			return streamed{}, scripted.ServeACP(ctx, script, scripted.ACPOptions{Agent: cmp.Or(a.flags.as, a.streams.Getenv("AGENT_NAME")),
				Thread: a.streams.Getenv("BRENNER_THREAD"), In: a.streams.In, Out: a.streams.Out, Stderr: a.streams.Err})
		}
		found, err := a.find(ctx)
		if err != nil {
			return nil, err
		}
		name := cmp.Or(a.flags.as, a.streams.Getenv("AGENT_NAME"), script.Agent)
		client, err := a.mcpClient(ctx, found, name, url)
		if err != nil {
			return nil, err
		}
		err = scripted.Play(ctx, script, scripted.Options{Agent: name, Project: found.Root, Client: client, Out: a.streams.Out,
			Thread: a.streams.Getenv("BRENNER_THREAD")})
		_ = client.Close() // what was to be said is said
		return streamed{}, err
	})
}

// mcpClient asks a server at an address, or one that it starts.
func (a *app) mcpClient(ctx context.Context, found project.Project, name, url string) (*mcpclient.Client, error) {
	if url != "" {
		return mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: url, Token: a.streams.Getenv(tokenVariable), TokenHint: tokenVariable}), nil
	}
	self, err := a.self()
	if err != nil {
		return nil, err
	}
	env := os.Environ()
	if dsn := absoluteStore(a.dsn()); dsn != "" { // it may hold a password, so that it is no argument
		env = append(env, "BRENNER_STORE="+dsn)
	}
	return mcpclient.Stdio(ctx, mcpclient.StdioOptions{
		Args: append(self, "mcp", "--as", name, "--project", found.Root), Env: env, Stderr: a.streams.Err,
	})
}

// self is how to run this program with the same settings, from any folder.
func (a *app) self() ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "cannot tell where this program is: %w", err)
	}
	args := []string{program}
	if a.flags.config != "" {
		file, err := filepath.Abs(a.flags.config)
		if err != nil {
			return nil, protocol.Errorf(protocol.NotFound, "there is no file %s: %w", a.flags.config, err)
		}
		args = append(args, "--config", file)
	}
	return args, nil
}
