package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/connect"
	"brenner/internal/mcpserver"
	"brenner/internal/protocol"
	"brenner/internal/termtext"
)

type connectFlags struct {
	url      string
	tokenEnv string
	tools    string
	print    bool
	yes      bool
}

func newConnect(a *app) *cobra.Command {
	var f connectFlags
	cmd := &cobra.Command{
		Use:   "connect PROGRAM",
		Short: "Put brenner into the MCP settings of claude, codex or gemini",
		Long: `Show the change to an agent program's MCP settings, and make it after consent: brenner as a
server that the program starts itself (brenner mcp) or, with --url, one that runs (brenner serve), with the tools
of a session. Its tools need no consent, as a headless program has nobody to ask, and when the turn of an agent
in a terminal ends Claude Code waits for mail. A short skill file for each role comes with it. Nothing else in the settings changes,
and brenner disconnect puts every byte back.

The settings are .mcp.json and .claude/settings.local.json (claude) and .gemini/settings.json (gemini) in the project, and
config.toml in ~/.codex or $CODEX_HOME (codex). For any other program --print shows what it needs.

An agent started with AGENT_NAME in its environment acts under that name.`,
		Example: "  brenner connect claude\n  brenner connect codex --url http://127.0.0.1:8765/mcp/ --yes\n  brenner connect --print",
		Args:    cobra.MaximumNArgs(1),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.url, "url", "", "reach a running server at `URL` instead of starting brenner mcp")
	flags.StringVar(&f.tokenEnv, "token-env", "", "with --url: send the bearer token in the environment variable `NAME`")
	flags.StringVar(&f.tools, "tools", string(mcpserver.Session), "offer the `PROFILE` of tools: session, core or all")
	flags.BoolVar(&f.print, "print", false, "print the settings to paste, and write nothing")
	flags.BoolVarP(&f.yes, "yes", "y", false, "make the change without asking")
	cmd.ValidArgs = programNames()
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if f.tokenEnv != "" && f.url == "" {
			return nil, usageFor(cmd, "--token-env needs --url")
		}
		if _, err := profileOf(cmd, f.tools); err != nil {
			return nil, err
		}
		if len(args) == 0 {
			if !f.print {
				return nil, usageFor(cmd, "PROGRAM is missing: claude, codex or gemini; for others there is --print")
			}
			return printSettings(connect.Programs(), f), nil
		}
		program, err := connect.ParseProgram(args[0])
		if err != nil {
			return nil, err
		}
		if f.print {
			return printSettings([]connect.Program{program}, f), nil
		}
		return a.connect(ctx, program, f)
	})
}

func programNames() []string {
	var names []string
	for _, p := range connect.Programs() {
		names = append(names, string(p))
	}
	return names
}

// target is how agents reach brenner.
func (f connectFlags) target() connect.Target {
	if f.url != "" {
		return connect.Target{URL: f.url, TokenEnv: f.tokenEnv, Tools: f.tools}
	}
	return connect.Target{Command: ownCommand(), Args: []string{"mcp"}, Tools: f.tools}
}

// ownCommand is how others start this program: by name where the path finds it, since settings
// travel between machines.
func ownCommand() string {
	self, err := os.Executable()
	if err != nil {
		return "brenner"
	}
	if found, err := exec.LookPath("brenner"); err == nil && sameFile(found, self) {
		return "brenner"
	}
	return self
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// places finds the folders of the settings.
func (a *app) places(ctx context.Context) (connect.Places, error) {
	found, err := a.find(ctx)
	if err != nil {
		return connect.Places{}, err
	}
	p := connect.Places{Project: found.Root, CodexHome: a.streams.Getenv("CODEX_HOME")}
	if p.CodexHome == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return p, protocol.Errorf(protocol.NotFound, "there is no home folder: %w", err)
		}
		p.CodexHome = filepath.Join(home, ".codex")
	}
	return p, nil
}

func (a *app) connect(ctx context.Context, program connect.Program, f connectFlags) (report, error) {
	places, err := a.places(ctx)
	if err != nil {
		return nil, err
	}
	plan, err := connect.NewPlan(program, places, f.target())
	if err != nil {
		return nil, err
	}
	r := connectReport{Program: program, Files: []changedFile{}, Notes: append([]string{}, plan.Notes...)}
	for _, c := range plan.Changes {
		r.Files = append(r.Files, changedFile{c.Path, c.Created(), c.Diff})
	}
	if len(plan.Changes) == 0 {
		return r, nil
	}
	if !f.yes {
		if err := a.consent(ctx, r); err != nil {
			return r, err
		}
		r.shown = true
	}
	r.Written = true
	return r, plan.Apply()
}

// consent shows the change and asks. Without a terminal --yes is needed.
func (a *app) consent(ctx context.Context, r connectReport) error {
	if a.flags.json || !a.streams.InIsTerminal || !a.streams.ErrIsTerminal {
		return protocol.Errorf(protocol.Waiting, "nothing is written yet: look at the change, then run it again with --yes")
	}
	for _, f := range r.Files {
		for line := range strings.Lines(f.Diff) {
			fmt.Fprintln(a.streams.Err, termtext.VisibleWithTabs(strings.TrimRight(line, "\n")))
		}
	}
	answer, _, err := a.ask(ctx, "Make this change? yes or no")
	if err != nil {
		return err
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return nil
	}
	return protocol.Errorf(protocol.Waiting, "nothing was written")
}

type changedFile struct {
	Path    string `json:"path"`
	Created bool   `json:"created"`
	Diff    string `json:"diff"`
}

type connectReport struct {
	Program connect.Program `json:"program"`
	Written bool            `json:"written"`
	Files   []changedFile   `json:"files"`
	Notes   []string        `json:"notes"` // what is left to a person

	shown bool
}

func (r connectReport) show(p *printer) {
	if len(r.Files) == 0 {
		p.note("%s is connected already", r.Program)
	}
	for _, f := range r.Files {
		if !r.shown {
			p.text(f.Diff)
		}
		if r.Written && !p.failed {
			p.note("wrote %s", visible(f.Path))
		}
	}
	for _, note := range r.Notes {
		for line := range strings.Lines(note) {
			p.note("%s", termtext.VisibleWithTabs(strings.TrimRight(line, "\n")))
		}
	}
	p.next("brenner", "session", "start")
}

// printSettings collects what programs need.
func printSettings(programs []connect.Program, f connectFlags) snippetsReport {
	t := f.target()
	r := snippetsReport{URL: f.url, Command: append([]string{t.Command}, t.Args...), Settings: map[connect.Program]string{}}
	if f.url != "" {
		r.Command = []string{}
	}
	for _, p := range programs {
		r.order = append(r.order, p)
		r.Settings[p] = connect.Snippet(p, t)
	}
	return r
}

type snippetsReport struct {
	URL      string                     `json:"url"`
	Command  []string                   `json:"command"`
	Settings map[connect.Program]string `json:"settings"`

	order []connect.Program
}

func (r snippetsReport) show(p *printer) {
	if len(r.order) == 1 {
		p.text(r.Settings[r.order[0]])
		return
	}
	if r.URL != "" {
		p.print("MCP over streamable HTTP: %s\n", visible(r.URL))
	} else {
		p.print("MCP over stdio: %s\n", visible(strings.Join(r.Command, " ")))
		p.print("MCP over streamable HTTP, while brenner serve runs: http://127.0.0.1:8765/mcp/\n")
	}
	for _, program := range r.order {
		p.print("\n%s:\n", program)
		p.text(r.Settings[program])
	}
	p.next("brenner", "connect", "claude")
}
