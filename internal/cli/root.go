package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot builds the whole command tree.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "brenner",
		Short: "Research sessions of several agents: typed messages, merged into a versioned artifact",
		Long: `brenner runs research sessions of several agents. Agents send typed messages on a
thread; the deltas in them are merged into one versioned artifact.

Everything works offline and on files in the current project. brenner alone says where you are: each open
session, what is believed there, and the next step.`,
		Example: `  brenner
  brenner demo
  brenner help all`,
		Args:              cobra.ArbitraryArgs, // a mistyped command; see RunE
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetOut(a.streams.Out)
	root.SetErr(a.streams.Err)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.report = helpReport{helpPage(cmd)} })
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		if cmd.Flags().Changed("version") {
			a.ran, a.report = true, currentVersion()
			return nil
		}
		a.ran, a.cmd = true, cmd
		var err error
		a.report, err = a.inProject(a.where)(cmd.Context(), args)
		return err
	}
	root.SetFlagErrorFunc(flagError)
	a.flags.define(root)
	root.Flags().Bool("version", false, "print the version")
	completeFlag(root, "as", a.completeAgents)

	root.AddCommand(newVersion(a), newCompletion(a), newValidate(a), newDelta(a), newArtifact(a), newLint(a), newCompile(a),
		newSession(a), newOrchestrate(a), newPersist(a), newCritique(a), newDiagnose(a), newGenealogy(a),
		newMail(a), newThread(a), newVerify(a), newCheckpoint(a), newAcks(a), newBackup(a), newRestore(a), newUpgradeCheck(a), newStore(a),
		newRoster(a), newConfig(a), newPrompt(a), newExcerpt(a), newInit(a), newDoctor(a), newDemo(a), newScriptedAgent(a), newRun(a),
		newACP(a), newResult(a), newPredictions(a), newBeliefs(a), newNext(a), newWhatIf(a), newReasons(a), newCalibration(a), newSigns(a),
		newEvidence(a), newExport(a), newReview(a), newDispute(a))
	root.AddCommand(newServe(a), newMCP(a), newToken(a), newAudit(a), newWhy(a), newConnect(a), newDisconnect(a), newTUI(a), newCockpit(a),
		newPs(a), newTodo(a), newLogs(a), newRestart(a), newPause(a), newResume(a), newNudge(a), newTrust(a), newAsk(a))
	root.SetHelpCommand(newHelp(a))
	root.InitDefaultHelpCmd() // now, so that mistyped commands are told from help
	group(root)
	return root
}

// define adds the flags that every command has.
func (f *globalFlags) define(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.BoolVar(&f.json, "json", false, "print one JSON object on stdout")
	flags.StringVar(&f.project, "project", "", "project `DIR` (default: the git root, else the working directory)")
	flags.StringVar(&f.store, "store", "", "store `DSN`, such as sqlite:PATH (default: $BRENNER_STORE, else the project's own)")
	flags.StringVar(&f.as, "as", "", "act as `AGENT` (default: $AGENT_NAME, else Operator)")
	flags.StringVar(&f.config, "config", "", "use the project `FILE` named here")
	flags.BoolVar(&f.noColor, "no-color", false, "print without colours")
	flags.BoolVar(&f.noPager, "no-pager", false, "print long output at once, also on a terminal")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print data and errors only")
}

// helpReport is a help page.
type helpReport struct {
	Help string `json:"help"`
}

func (r helpReport) show(p *printer) { p.print("%s", p.wrapped(r.Help)) }

// wrapped fits a page of help into the terminal; elsewhere it stays as it is.
func (p *printer) wrapped(text string) string {
	if !p.harmless {
		return text
	}
	return wrapHelp(text, min(p.width, defaultWidth))
}

// helpPage is what a person sees who asks for help: of brenner itself the commands for every day.
func helpPage(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return helpText(cmd)
	}
	var b strings.Builder
	b.WriteString(cmd.Short + ".\n\nEvery day:\n")
	for _, name := range everyDay {
		sub, _, _ := cmd.Find([]string{name})
		fmt.Fprintf(&b, "  %-10s %s\n", name, sub.Short)
	}
	b.WriteString("\nbrenner help all         every command\nbrenner help COMMAND     one of them; a group such as brenner mail lists " +
		"its own\n")
	b.WriteString("brenner help findings    what a code means, and how to mend it\n")
	return b.String()
}

func helpText(cmd *cobra.Command) string {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	cmd.InitDefaultHelpFlag()
	var usage bytes.Buffer
	out := cmd.OutOrStdout()
	cmd.SetOut(&usage)
	defer cmd.SetOut(out)
	usage.WriteString(text + "\n\n" + cmd.UsageString())
	return usage.String()
}
