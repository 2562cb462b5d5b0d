package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print the completion script of a shell: " + strings.Join(shells, ", "),
		Example:   "  source <(brenner completion bash)\n  brenner completion zsh > \"${fpath[1]}/_brenner\"",
		Args:      exactly("SHELL"),
		ValidArgs: shells,
	}
	return a.command(cmd, func(_ context.Context, args []string) (report, error) {
		if !slices.Contains(shells, args[0]) {
			return nil, usageFor(cmd, "there is no shell %q here, only %s", args[0], strings.Join(shells, ", "))
		}
		var script bytes.Buffer
		err := completionScript(cmd.Root(), args[0], &script)
		return completionReport{args[0], script.String()}, err
	})
}

func completionScript(root *cobra.Command, shell string, script *bytes.Buffer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(script, true)
	case "zsh":
		return root.GenZshCompletion(script)
	case "fish":
		return root.GenFishCompletion(script, true)
	default:
		return root.GenPowerShellCompletionWithDesc(script)
	}
}

type completionReport struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func (r completionReport) show(p *printer) { p.print("%s", r.Script) }
