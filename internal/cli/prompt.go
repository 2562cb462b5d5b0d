package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"brenner/internal/config"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

func newPrompt(a *app) *cobra.Command {
	return a.group(&cobra.Command{
		Use:     "prompt",
		Short:   "Show what agents are told",
		Example: "  brenner prompt show adversarial_critic",
	}, newPromptShow(a))
}

func newPromptShow(a *app) *cobra.Command {
	roles := append(protocol.Roles(), prompt.RoleUnified)
	return a.command(&cobra.Command{
		Use:   "show ROLE",
		Short: "Print the prompt of a role, as a KICKOFF carries it",
		Long: `Print the whole prompt of a role: method, duty, output contract with an example, checklist. The duty
comes from the project's own file where prompts.ROLE names one. unified is the prompt for sessions
without separate roles.`,
		Example:           "  brenner prompt show test_designer",
		Args:              exactly("ROLE"),
		ValidArgsFunction: fixed(roles),
	}, func(ctx context.Context, args []string) (report, error) {
		role := protocol.Role(args[0])
		if !slices.Contains(roles, role) {
			return nil, unknownRole(args[0], roles)
		}
		c, err := a.readConfig(ctx)
		if err != nil {
			return nil, err
		}
		return showPrompt(role, c)
	})
}

func unknownRole(name string, roles []protocol.Role) error {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = string(r)
	}
	f := protocol.NewFinding(protocol.InvalidRole, "there is no role %q", name).WithFix("use one of %s", strings.Join(names, ", "))
	if role := protocol.NearestRole(name); role != "" {
		f = f.WithFix("write %s", role)
	}
	return protocol.Errorf(protocol.InvalidRole, "%s", f.Message).WithFindings([]protocol.Finding{f})
}

func showPrompt(role protocol.Role, c config.Config) (report, error) {
	r := promptReport{Role: role, Origin: "built in"}
	own, err := c.ReadPrompt(role)
	if err != nil {
		return nil, err
	}
	if file, ok := c.Prompts[role]; ok {
		r.Origin = file.Path
	}
	r.Prompt, _ = prompt.For(role, own)
	return r, nil
}

type promptReport struct {
	Role   protocol.Role `json:"role"`
	Prompt string        `json:"prompt"`
	Origin string        `json:"origin"`
}

func (r promptReport) show(p *printer) {
	p.text(r.Prompt)
	if r.Origin == "built in" {
		p.hint("to change it, set prompts.%s to a file in the project file", r.Role)
		return
	}
	p.next("brenner", "session", "start")
}
