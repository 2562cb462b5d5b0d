package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// startFlags are what an operator gives to begin a session.
type startFlags struct {
	rosterFlags
	question, context, excerptFile, hypotheses, constraints, outputs string
	thread, slug, bead, focus, after                                 string
	round                                                            int
	dryRun                                                           bool
}

func newSessionStart(a *app) *cobra.Command {
	var f startFlags
	cmd := &cobra.Command{
		Use:   "start --question TEXT --context TEXT --to AGENT [--role ROLE] [--program PROGRAM] [--model MODEL]…",
		Short: "Send one KICKOFF to each recipient",
		Long: `Start a session, or a further round of one with --thread T --round N. Each recipient gets a
KICKOFF with the question, the context, the roster and the prompt of its role, and is registered if
it is unknown. --role, --program and --model belong to the --to before them; what the registry knows of an agent's program
and model goes into the roster where nothing else is said, and an agent of unknown family is named (FAMILY_UNKNOWN). On a terminal,
question, context and agents are asked for, and what will be sent is shown first.

The roster comes from --roster or --to/--role, else from $BRENNER_ROSTER, else from the project file,
else from a preset; brenner roster show --explain tells which. A further round goes to the agents of
the round before unless another roster is given.

--after T begins a new session where T ended: its KICKOFFs tell what was asked, believed, killed, found and left open there,
with a block for each surviving hypothesis that takes it over. Question, context and agents are those of T unless others are given.`,
		Example: "  brenner session start --question 'Why do cells turn?' --context 'They do, in the dark too.' \\\n" +
			"    --to BlueLake --role hypothesis_generator \\\n" +
			"    --to PurpleMountain --role test_designer \\\n" +
			"    --to GreenValley --role adversarial_critic\n" +
			"  brenner session start --preset default-3-agent --to BlueLake --to PurpleMountain --to GreenValley\n" +
			"  brenner session start --thread RS-20260110-cells-turn --round 2 --focus 'Answer C1'\n" +
			"  brenner session start --after RS-20260110-cells-turn --slug cells-turn-again",
		Args: exactly(),
	}
	f.define(a, cmd)
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		if err := f.check(cmd); err != nil {
			return nil, err
		}
		answers := startAnswers{app: a, flags: &f}
		err := answers.ask(ctx, cmd)
		if err != nil {
			return nil, answers.keep(err)
		}
		excerpt, err := f.excerpt(ctx, a)
		if err != nil {
			return nil, answers.keep(err)
		}
		start := func(ctx context.Context, p *project.App, _ []string) (report, error) {
			return f.start(ctx, a, p, excerpt)
		}
		start = a.acting(start)
		if len(answers.words) > 0 && !f.dryRun {
			if ok, err := answers.confirm(ctx, start); err != nil || !ok {
				return streamed{}, answers.keep(err)
			}
		}
		open := a.inNewProject
		if f.dryRun {
			open = a.inProject
		} else if r, err := answers.rehearse(ctx, start); err != nil {
			return r, answers.keep(err)
		}
		r, err := open(start)(ctx, args)
		if err != nil {
			err = answers.keep(err)
		}
		return r, err
	})
}

func (f *startFlags) define(a *app, cmd *cobra.Command) {
	f.rosterFlags.define(a, cmd)
	a.fromFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.question, "question", "", "research question, one sentence of `TEXT`")
	flags.StringVar(&f.context, "context", "", "essential background, two to four sentences of `TEXT`")
	flags.StringVar(&f.excerptFile, "excerpt-file", "", "`FILE` with cited passages, as brenner excerpt makes it; - for stdin")
	flags.StringVar(&f.hypotheses, "hypotheses", "", "seed hypotheses, `TEXT`")
	flags.StringVar(&f.constraints, "constraints", "", "limits and focus, `TEXT`")
	flags.StringVar(&f.outputs, "outputs", "", "what is expected, `TEXT`")
	flags.StringVar(&f.thread, "thread", "", "thread `ID` (default: RS-, today, and a slug from the question)")
	flags.StringVar(&f.slug, "slug", "", "`SLUG` of the thread id: RS-, today, SLUG")
	flags.StringVar(&f.bead, "bead", "", "bead `ID` that is the thread's id")
	flags.IntVar(&f.round, "round", 0, "open round `N` of the thread that --thread or --bead names")
	flags.StringVar(&f.focus, "focus", "", "what the further round is about, `TEXT`")
	flags.StringVar(&f.after, "after", "", "begin where the session `T` ended")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the messages and send nothing")
	cmd.MarkFlagsMutuallyExclusive("thread", "slug", "bead")
	cmd.MarkFlagsMutuallyExclusive("after", "round")
	completeFlag(cmd, "thread", a.completeThreadFlag)
	completeFlag(cmd, "after", a.completeThreadFlag)
}

func (f *startFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	switch {
	case flags.Changed("round") && f.round < 1:
		return usageFor(cmd, "--round takes a number from 1")
	case f.round > 1 && f.thread == "" && f.bead == "":
		return usageFor(cmd, "--round needs --thread or --bead: the session it continues")
	case f.focus != "" && f.round <= 1:
		return usageFor(cmd, "--focus belongs to a further round: --round 2")
	}
	for _, name := range []string{"question", "context"} {
		if flag := flags.Lookup(name); flag.Changed && strings.TrimSpace(flag.Value.String()) == "" {
			return protocol.Errorf(protocol.InvalidInput, "--%s is empty", name)
		}
	}
	for _, name := range []string{"thread", "slug", "bead", "after"} {
		if flag := flags.Lookup(name); flag.Changed && flag.Value.String() == "" {
			return usageFor(cmd, "--%s is empty", name)
		}
	}
	return f.rosterFlags.check(cmd)
}

func (f *startFlags) excerpt(ctx context.Context, a *app) (string, error) {
	if f.excerptFile == "" {
		return "", nil
	}
	text, err := a.readAll(ctx, input{f.excerptFile, maxText, protocol.ExcerptTooLong})
	return string(text), err
}

func (f *startFlags) start(ctx context.Context, a *app, p *project.App, excerpt string) (report, error) {
	roster, findings, err := f.request(ctx, a, p.Config)
	if err != nil {
		return nil, err
	}
	thread := f.thread
	if f.bead != "" {
		thread = f.bead
	}
	if f.round > 1 { // of a session that is there: any part of its name will do
		if thread, err = threadNamed(ctx, p, thread); err != nil {
			return nil, err
		}
	}
	if f.after != "" {
		if f.after, err = threadNamed(ctx, p, f.after); err != nil {
			return nil, err
		}
	}
	started, err := p.Sessions.Start(ctx, session.StartRequest{
		From: a.identity(), Question: f.question, Context: f.context, Excerpt: excerpt,
		Hypotheses: f.hypotheses, Constraints: f.constraints, Outputs: f.outputs, Focus: f.focus, After: f.after,
		ThreadID: thread, Slug: f.slug, Round: f.round, Roster: roster, DryRun: f.dryRun,
	})
	if started.ThreadID == "" && started.Messages == nil {
		return nil, err
	}
	started.Findings = protocol.NonNil(append(slices.Clone(findings), started.Findings...))
	return startReport{started, f.dryRun, f.programs()}, err
}

type startReport struct {
	session.Started
	DryRun bool `json:"dry_run"`

	programs bool // some agent has one
}

// programs tells whether the command line names a program of an agent.
func (f *startFlags) programs() bool {
	return slices.ContainsFunc(f.seats, func(s seat) bool { return s.program != nil })
}

func (r startReport) show(p *printer) {
	p.findingsOnErr(r.told(p.failed))
	if p.failed {
		return
	}
	p.print("%s\n", visible(r.ThreadID))
	for _, k := range r.Messages {
		role := roleText(k.Role)
		if k.ID != nil {
			p.print("#%d to %s, %s: %s\n", *k.ID, visible(k.To), role, visible(k.Subject))
			continue
		}
		p.print("\nto %s, %s: %s\n\n", visible(k.To), role, visible(k.Subject))
		p.text(strings.TrimRight(k.Body, "\n") + "\n")
	}
	if r.DryRun {
		p.note("dry run: nothing was sent")
		p.hint("the same command without --dry-run")
		return
	}
	if chat, ok := r.chat(); ok {
		p.hint("%s", chat)
		return
	}
	p.next("brenner", "session", "watch", r.ThreadID)
}

// told leaves out what is no news to a person: of a start that failed all but why; that there is no excerpt, where none was given;
// and one line for each agent whose family is not known.
func (r startReport) told(failed bool) []protocol.Finding {
	var list []protocol.Finding
	strangers := 0
	for _, f := range r.Findings {
		switch {
		case failed && f.Severity != protocol.SeverityError, f.Code == protocol.MB101:
		case f.Code == protocol.FamilyUnknown && strangers > 0:
			strangers++
			list[len(list)-1].Message = fmt.Sprintf("The model families of %d agents are not known.", strangers)
			list[len(list)-1].Fix = "Give their programs and models, or name their families in the project file (families)."
		default:
			if f.Code == protocol.FamilyUnknown {
				strangers++
			}
			list = append(list, f)
		}
	}
	return list
}

// chat is the next step where no agent has a program: nobody would answer while one watches.
func (r startReport) chat() (string, bool) {
	named := slices.ContainsFunc(r.Roster.Entries, func(e protocol.RosterEntry) bool { return e.Program != "" })
	if named || r.programs || len(r.Messages) == 0 {
		return "", false
	}
	first := r.Messages[0]
	if first.ID == nil {
		return "", false
	}
	return chatStep(first.To, r.ThreadID), true
}

// chatStep says how a chat becomes an agent.
func chatStep(agent, thread string) string {
	return fmt.Sprintf("carry its turn to a chat, and the answer back: brenner ask %s --thread %s", visible(shellWord(agent)),
		visible(shellWord(thread)))
}

// roleText says what an agent is to do.
func roleText(role *protocol.Role) string {
	if role == nil {
		return "same prompt for all"
	}
	return string(*role)
}
