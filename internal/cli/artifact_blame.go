package cli

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/artifact"
	"brenner/internal/artifact/diff"
	"brenner/internal/runner"
	"brenner/internal/usecase"
)

func newArtifactBlame(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "blame T [ITEM[.FIELD]]",
		Short: "Show who wrote each field of a version",
		Long: `Show for each field of the latest published version, or of the one that --version names, who wrote
it, in which message and block, when and why. Map fields are listed key by key (predictions.H2; P1.H2 is
the same cell).`,
		Example: "  brenner artifact blame RS-20260110-cells-turn\n  brenner artifact blame RS-20260110-cells-turn H2.mechanism",
		Args:    between([]string{"T"}, "ITEM"),

		ValidArgsFunction: a.completeFields(),
	}
	var version string
	versionFlag(a, cmd, &version)
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		number, err := versionGiven(version)
		if err != nil {
			return nil, err
		}
		in := usecase.BlameRequest{Thread: args[0], Version: number}
		if len(args) > 1 {
			in.Item = args[1]
		}
		at, err := usecase.Blame.At(ctx, p.Sessions, in.Thread)
		if err != nil {
			return nil, err
		}
		answer, err := usecase.Blame.Do(ctx, at, in)
		if err != nil {
			return nil, err
		}
		turns, err := runner.TurnRefs(p.Project.Root, runner.TurnQuery{ThreadID: args[0]})
		if err != nil {
			return nil, err
		}
		return blameReport{args[0], blamed(answer.Fields, turns)}, nil
	}))
}

type blameReport struct {
	ThreadID string        `json:"thread_id"`
	Fields   []blamedField `json:"fields"`
}

// blamedField is a field with the turn of a run in which it was written.
type blamedField struct {
	diff.Line
	Turn *turnName `json:"turn"` // null: no run wrote it, or its folder is gone
}

type turnName struct {
	Round   int    `json:"round"`
	Agent   string `json:"agent"`
	Attempt int    `json:"attempt"`
}

func blamed(lines []diff.Line, turns []runner.TurnRef) []blamedField {
	list := make([]blamedField, len(lines))
	for i, line := range lines {
		list[i].Line = line
		if line.Agent == nil || line.CreatedTS == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, *line.CreatedTS)
		for _, t := range turns {
			if err == nil && t.Wrote(*line.Agent, at) {
				list[i].Turn = &turnName{t.Round, t.Agent, t.Attempt}
			}
		}
	}
	return list
}

func (r blameReport) show(p *printer) {
	if len(r.Fields) == 0 {
		p.note("the artifact has no fields yet")
		p.next("brenner", "session", "status", r.ThreadID)
		return
	}
	if len(r.Fields) == 1 {
		r.showOne(p)
		return
	}
	var rows [][]string
	for _, f := range r.Fields {
		rows = append(rows, []string{
			string(f.Item) + "." + f.Field, orDash(f.Agent), blameMessage(f), blameAge(p, f), blameValue(f), orDash(f.Rationale),
		})
	}
	p.table(columns("Field", "Agent?", "Message", "Age?", "Value…", "Why…"), rows)
	for _, f := range r.Fields {
		if f.Turn != nil {
			p.next("brenner", "run", "transcript", r.ThreadID, "--message", formatInt(*f.MessageID))
			return
		}
	}
	p.next("brenner", "thread", "show", r.ThreadID)
}

// showOne shows all that is known of one field.
func (r blameReport) showOne(p *printer) {
	f := r.Fields[0]
	p.print("%s\n", p.style(styleBold, string(f.Item)+"."+f.Field))
	p.line("  ", blameValue(f))
	p.line("  ", "by "+orDash(f.Agent)+" in message "+blameMessage(f)+", "+orDash(f.CreatedTS))
	if f.Rationale != nil {
		p.line("  ", "why: "+*f.Rationale)
	}
	switch {
	case f.Turn != nil:
		p.next("brenner", "run", "transcript", r.ThreadID, "--message", formatInt(*f.MessageID))
	case f.MessageID != nil:
		p.next("brenner", "mail", "read", formatInt(*f.MessageID))
	default:
		p.next("brenner", "thread", "show", r.ThreadID)
	}
}

func blameValue(f blamedField) string { return string(artifact.AppendValue(nil, f.Value.Value)) }

// blameMessage names the message, and the block in it.
func blameMessage(f blamedField) string {
	if f.MessageID == nil {
		return "-"
	}
	text := "#" + formatInt(*f.MessageID)
	if f.Block != nil && *f.Block > 0 {
		text += ", block " + strconv.Itoa(*f.Block)
	}
	return text
}

func blameAge(p *printer, f blamedField) string {
	if f.CreatedTS == nil {
		return "-"
	}
	return p.age(*f.CreatedTS)
}
