package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/config"
	"brenner/internal/protocol"
)

func newTrust(a *app) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Look at the commands that the project file names, and let them run",
		Long: `Show the command templates of the project file (agents) and, after consent, let run and cockpit start them. Whoever wrote the
project chose these commands, and they run with your rights. What you trusted is kept in your own settings, as a hash: when the
templates change, or the project lies in another folder, you are asked again. Programs that brenner knows itself, and those of your own
settings, need no trust.`,
		Example: "  brenner trust\n  brenner trust --yes",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "trust them without asking")
	return a.command(cmd, func(ctx context.Context, _ []string) (report, error) {
		found, err := a.find(ctx)
		if err != nil {
			return nil, err
		}
		c, findings, err := found.Config()
		if err != nil {
			return nil, err
		}
		r := newTrustReport(found.Root, c, findings)
		if r.Trusted && !yes || len(r.Agents) == 0 {
			return r, nil
		}
		if !yes {
			if err := a.agreed(ctx, r); err != nil {
				return r, err
			}
		}
		err = c.Templates.Trust(found.Root)
		r.Trusted = err == nil
		return r, err
	})
}

// agreed shows the templates and asks. Without a terminal --yes is needed.
func (a *app) agreed(ctx context.Context, r trustReport) error {
	if a.flags.json || !a.streams.InIsTerminal || !a.streams.ErrIsTerminal {
		return notTrusted("nothing is trusted yet: look at the commands, then run brenner trust on a terminal, or with --yes")
	}
	for _, line := range r.lines() {
		fmt.Fprintln(a.streams.Err, line)
	}
	answer, _, err := a.ask(ctx, "May run and cockpit start these commands with your rights? yes or no")
	if err != nil {
		return err
	}
	switch strings.ToLower(answer) {
	case "y", "yes":
		return nil
	}
	return notTrusted("nothing was trusted")
}

func notTrusted(message string) error {
	return protocol.Errorf(protocol.NotTrusted, "%s", message).
		WithFindings([]protocol.Finding{protocol.NewFinding(protocol.NotTrusted, "%s", message).WithFix("brenner trust --yes")})
}

type trustReport struct {
	Project  string                     `json:"project"`
	File     *string                    `json:"file"`
	Agents   map[string]trustedCommands `json:"agents"`
	Hash     *string                    `json:"hash"`
	Trusted  bool                       `json:"trusted"`
	Findings []protocol.Finding         `json:"findings"`
}

type trustedCommands struct {
	Command  []string `json:"command"`
	Headless []string `json:"headless"`
	ACP      []string `json:"acp"`
}

func newTrustReport(root string, c config.Config, findings []protocol.Finding) trustReport {
	r := trustReport{Project: root, Agents: map[string]trustedCommands{}, Trusted: c.Templates.Trusted(root),
		Findings: append([]protocol.Finding{}, findings...)}
	for name, agent := range c.Templates.Programs {
		r.Agents[name] = trustedCommands{append([]string{}, agent.Command...), append([]string{}, agent.Headless...),
			append([]string{}, agent.ACP...)}
	}
	if len(r.Agents) > 0 {
		file, hash := c.Origins["agents"], c.Templates.Hash.String()
		r.File, r.Hash = &file, &hash
	}
	return r
}

// lines are the templates, one use of a program each, with words quoted as a shell would need them.
func (r trustReport) lines() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(r.Agents)) {
		agent := r.Agents[name]
		if len(agent.Command) > 0 {
			list = append(list, visible(name)+" in a terminal: "+visible(strings.Join(shellWords(agent.Command), " ")))
		}
		if len(agent.Headless) > 0 {
			list = append(list, visible(name)+" in a round: "+visible(strings.Join(shellWords(agent.Headless), " ")))
		}
		if len(agent.ACP) > 0 {
			list = append(list, visible(name)+" as an agent of ACP: "+visible(strings.Join(shellWords(agent.ACP), " ")))
		}
	}
	return list
}

func (r trustReport) show(p *printer) {
	if len(r.Agents) == 0 {
		p.print("the project file names no commands: there is nothing to trust\n")
		p.next("brenner", "config", "show", "--explain")
		return
	}
	for _, line := range r.lines() {
		p.print("%s\n", line)
	}
	if !r.Trusted {
		p.print("not trusted\n")
		p.next("brenner", "trust", "--yes")
		return
	}
	p.print("trusted, as long as they stay so: %s\n", *r.Hash)
	p.next("brenner", "run", "--dry-run")
}

func shellWords(words []string) []string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = shellWord(word)
	}
	return quoted
}
