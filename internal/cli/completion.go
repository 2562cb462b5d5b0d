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
		defer script.WriteString(bashAlone)
		return root.GenBashCompletionV2(script, true)
	case "zsh":
		return root.GenZshCompletion(script)
	case "fish":
		return root.GenFishCompletion(script, true)
	default:
		return root.GenPowerShellCompletionWithDesc(script)
	}
}

// bashAlone replaces what cobra has for a bash without the package bash-completion, which needs a function of that package
// all the same: the words up to the cursor, those joined again that bash breaks at = and :.
const bashAlone = `
__brenner_init_completion()
{
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local rest=${COMP_LINE:0:COMP_POINT} gap word i
    words=() cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        gap=${rest%%[![:space:]]*} rest=${rest:${#gap}}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$rest
        if [[ $i == 0 || -n $gap ]]; then
            words[++cword]=$word
        else
            words[cword]+=$word
        fi
        rest=${rest:${#word}}
    done
    cur=${words[cword]}
}
`

type completionReport struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

func (r completionReport) show(p *printer) { p.print("%s", r.Script) }
