package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"brenner/internal/atomicfile"
	"brenner/internal/config"
	"brenner/internal/protocol"
)

// starterFile is the project file that init writes: the settings people change first, each with
// what applies without it.
const starterName = "brenner.config.yaml"

const starterFile = `# Settings of this project for brenner. Everything here is optional; lines that are commented out
# are examples, or what applies without them. brenner config show --explain tells what is in force.

validation: {mode: enforce}       # warn, off

# roster:                         # who takes part when session start names nobody
#   entries:
#     - {agentName: BlueLake, role: hypothesis_generator, program: codex-cli}
#     - {agentName: PurpleMountain, role: test_designer, program: claude-code}
#     - {agentName: GreenValley, role: adversarial_critic, program: gemini-cli}

# ack:
#   deadline: {kickoff: 30m}      # per type of message
#   reminders: 2

# persist: {every: 0}             # write every Nth version without being asked

# prompts:                        # files that replace what a role is told
#   test_designer: prompts/test_designer.md

# transcript: transcript.md       # numbered sections; lint then checks every §n
`

func newInit(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a project file to start from, and tell how to connect agents",
		Long: `Write ` + starterName + ` into the project's folder. Nothing needs this: every command works without
a project file. A project file that is there is never overwritten.`,
		Example: "  brenner init",
		Args:    exactly(),
	}
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		found, err := a.find(ctx)
		if err != nil {
			return nil, err
		}
		there, err := config.Find(found.Root, found.Root)
		if err != nil {
			return nil, err
		}
		if there != "" {
			return nil, protocol.Errorf(protocol.Conflict, "%s is the project file already; nothing was written", there)
		}
		path := filepath.Join(found.Root, starterName)
		if err := atomicfile.Write(path, []byte(starterFile), 0o644); err != nil {
			return nil, unwritable(path, err)
		}
		return initReport{File: path, Connect: connecting(cmd)}, nil
	})
}

// connecting tells how agents reach this project, with the commands that this program has.
func connecting(cmd *cobra.Command) []string {
	steps := []string{}
	for _, step := range []struct{ command, line string }{
		{"connect", "brenner connect claude"}, {"connect", "brenner connect codex"}, {"connect", "brenner connect gemini"},
		{"mcp", "brenner mcp --as NAME"}, {"mail", "brenner mail register NAME --program PROGRAM --model MODEL"},
	} {
		if found, _, err := cmd.Root().Find([]string{step.command}); err == nil && found.Name() == step.command {
			steps = append(steps, step.line)
		}
	}
	return steps
}

type initReport struct {
	File    string   `json:"file"`
	Connect []string `json:"connect"`
}

func (r initReport) show(p *printer) {
	p.print("%s\n", visible(relative(r.File)))
	p.note("connect agents with:")
	for _, line := range r.Connect {
		p.note("  %s", line)
	}
	p.next("brenner", "session", "start")
}

// relative shortens a path below the working directory.
func relative(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	short, err := filepath.Rel(dir, path)
	if err != nil || len(short) > len(path) {
		return path
	}
	return short
}
