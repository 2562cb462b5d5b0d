package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
)

// variable is one that the program reads.
type variable struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// variables are all that a person may want to set; help environment prints them.
var variables = []variable{
	{"BRENNER_STORE", "The store, as --store names it: sqlite:PATH, postgres://… or mcp+http://…. Empty: the project's own."},
	{"AGENT_NAME", "Who acts, as --as says it. Empty: Operator."},
	{"BRENNER_ROSTER", "The roster of session start, as JSON or @FILE, where no flag gives one."},
	{"BRENNER_ROSTER_MODE", "Its mode: role_separated, unified or heuristic."},
	{"BRENNER_ROSTER_PRESET", "The preset of session start, where no flag names one."},
	{"BRENNER_ROSTER_AGENT_NAME", "The role of the agent NAME in whatever roster is chosen."},
	{"BRENNER_TOKEN", "The token with which a scripted agent asks a server."},
	{"AGENT_MAIL_BASE_URL", "The address of an Agent Mail server that is used as the store: scheme, host and port."},
	{"AGENT_MAIL_PATH", "The path of its MCP endpoint."},
	{"AGENT_MAIL_BEARER_TOKEN", "The token that it asks for."},
	{"CODEX_HOME", "Where codex keeps its settings, for connect and disconnect."},
	{"PAGER", "The program that shows long output on a terminal (default: less). Empty, or cat: none."},
	{"NO_COLOR", "Set to anything: no colours."},
	{"TERM", "dumb: no colours, no pager."},
	{"GOGC, GOMEMLIMIT", "How serve collects garbage, as in every Go program."},
}

func newHelpEnvironment(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "environment",
		Short:   "Which environment variables are read",
		Example: "  brenner help environment",
		Args:    exactly(),
	}, func(context.Context, []string) (report, error) { return environmentReport{variables}, nil })
}

type environmentReport struct {
	Variables []variable `json:"variables"`
}

func (r environmentReport) show(p *printer) {
	var b strings.Builder
	for _, v := range r.Variables {
		b.WriteString("  " + pad(v.Name, len("BRENNER_ROSTER_AGENT_NAME")) + "  " + v.Meaning + "\n")
	}
	p.print("%s", p.wrapped(b.String()))
	p.next("brenner", "config", "show", "--explain")
}
