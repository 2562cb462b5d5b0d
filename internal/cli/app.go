package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
)

// app is one run of the program: its streams, the flags every command has, and what the
// command that ran has to say.
type app struct {
	streams Streams
	flags   globalFlags
	args    []string       // as they were typed
	cmd     *cobra.Command // that runs; nil: none yet

	settings []protocol.Finding // about the project's settings, told beside the output
	lines    *typed             // what a person types; nil until something is asked
	opened   *project.App       // to find out which thread is meant; nil once the command has taken it over

	ran    bool   // a command's run function was reached
	report report // what it returned; kept also when it failed
}

type globalFlags struct {
	json    bool
	project string
	store   string
	as      string
	config  string
	noColor bool
	noPager bool
	quiet   bool
}

// report is what a command found. It encodes as a JSON object with the keys of the
// contract (without ok and error) and shows itself to a person.
type report interface {
	show(p *printer)
}

// adviser is a report that knows what one would do after its command has failed.
type adviser interface {
	advise(p *printer)
}

// streamed is the report of a command that wrote its data itself while it ran.
type streamed struct{}

func (streamed) show(*printer)                {}
func (streamed) MarshalJSON() ([]byte, error) { return json.Marshal(struct{}{}) }

// runFunc does the work of a command. Both results may be there at once: what was found on
// the way is not lost when the command fails.
type runFunc func(ctx context.Context, args []string) (report, error)

// command gives a cobra command its run function.
func (a *app) command(cmd *cobra.Command, run runFunc) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.ran, a.cmd = true, cmd
		args, nearest, err := a.findThread(cmd, args)
		if err == nil {
			a.report, err = run(cmd.Context(), args)
		}
		return errors.Join(a.suggestion(cmd.Context(), err, nearest), a.release())
	}
	return cmd
}

// group makes a command that only holds others.
func (a *app) group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(subcommands...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		a.report = listOf(cmd)
		return usageFor(cmd, "a subcommand is missing")
	}
	return cmd
}

// groupReport is what a command holds that does nothing itself.
type groupReport struct {
	Commands []groupedCommand `json:"commands"`
}

type groupedCommand struct {
	Name string `json:"name"`
	Does string `json:"does"`
}

func listOf(cmd *cobra.Command) groupReport {
	var r groupReport
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			r.Commands = append(r.Commands, groupedCommand{sub.CommandPath(), sub.Short})
		}
	}
	return r
}

func (r groupReport) show(p *printer) {
	wide := 0
	for _, c := range r.Commands {
		wide = max(wide, len(c.Name))
	}
	for _, c := range r.Commands {
		p.note("%-*s  %s", wide, c.Name, c.Does)
	}
}
