package cli

import (
	"cmp"
	"context"
	"os"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/mcpclient"
	"brenner/internal/scripted"
)

// tokenVariable holds the key to a server.
const tokenVariable = "BRENNER_TOKEN"

// newScriptedAgent plays an agent from a script: what the demo and the tests of `run` start in the
// place of a real program.
func newScriptedAgent(a *app) *cobra.Command {
	var file, url string
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
	cmd.Flags().StringVar(&url, "url", "", "ask the MCP server at `URL`; $"+tokenVariable+" holds its token")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		if file == "" {
			return nil, usageFor(cmd, "--script is missing")
		}
		script, err := scripted.Load(file)
		if err != nil {
			return nil, err
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
		err = scripted.Play(ctx, script, scripted.Options{Agent: name, Project: found.Root, Client: client, Out: a.streams.Out})
		_ = client.Close() // what was to be said is said
		return streamed{}, err
	})
}

// mcpClient asks a server at an address, or one that it starts.
func (a *app) mcpClient(ctx context.Context, found project.Project, name, url string) (*mcpclient.Client, error) {
	if url != "" {
		return mcpclient.HTTP(mcpclient.HTTPOptions{Endpoint: url, Token: a.streams.Getenv(tokenVariable), TokenHint: tokenVariable}), nil
	}
	self, err := a.self(found)
	if err != nil {
		return nil, err
	}
	return mcpclient.Stdio(ctx, mcpclient.StdioOptions{Args: append(self, "mcp", "--as", name), Stderr: a.streams.Err})
}

// self is how to run this program in the same project and store.
func (a *app) self(found project.Project) ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{program, "--project", found.Root}
	if dsn := a.dsn(); dsn != "" {
		args = append(args, "--store", dsn)
	}
	if a.flags.config != "" {
		args = append(args, "--config", a.flags.config)
	}
	return args, nil
}
