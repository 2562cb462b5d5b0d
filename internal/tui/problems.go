package tui

import (
	"context"
	"fmt"

	"brenner/internal/artifact/lint"
	"brenner/internal/protocol"
	"brenner/internal/session"
)

// problemsScreen lists what in a session needs attention, the worst first.
type problemsScreen struct{ id string }

func (s problemsScreen) title() string      { return s.id }
func (s problemsScreen) tab() string        { return "Problems" }
func (s problemsScreen) siblings() []tabbed { return tabs(s.id) }
func (problemsScreen) header() row          { return row{} }

func (s problemsScreen) load(ctx context.Context, d data) ([]row, error) {
	of, err := d.Session(ctx, s.id)
	if err != nil {
		return nil, err
	}
	st, err := of.Status(ctx)
	if err != nil {
		return nil, err
	}
	todos, err := of.ToDos(ctx)
	if err != nil {
		return nil, err
	}
	preview, err := of.Preview(ctx)
	if err != nil {
		return nil, err
	}
	rows := paragraphs(strong, 1, st.Question, d.width-1)
	rows = append(rows, say(dim, fmt.Sprintf(" %s, round %d, %s", st.Phase, st.Round, published(&st.Summary))), row{})
	rows = append(rows, todoRows(todos)...)
	if st.Predictions.Stated > 0 {
		rows = append(rows, say(dim, " "+st.Predictions.String()), row{})
	}
	problems := lateRows(&st.Summary)
	problems = append(problems, critiqueRows(&st.Summary)...)
	problems = append(problems, refusedRows(&st.Summary)...)
	problems = append(problems, lintRows(preview.Lint)...)
	if len(problems) == 0 && len(todos) == 0 {
		problems = []row{say(good, " Nothing needs you.")}
	}
	return append(rows, problems...), nil
}

func published(st *session.Summary) string {
	if st.LatestVersion == 0 {
		return "nothing published yet"
	}
	return fmt.Sprintf("v%d is %s", st.LatestVersion, st.Persistence.State)
}

func problem(look ink, what, text string, open screen) row {
	r := say(plain, text)
	r.cells = append([]cell{{width: 1}, {text: what, ink: look, width: 11}}, r.cells...)
	r.open = open
	return r
}

func lateRows(st *session.Summary) []row {
	var rows []row
	for _, p := range st.Acks.Pending {
		if p.Overdue {
			rows = append(rows, problem(bad, "late", fmt.Sprintf("%s has not acknowledged #%d", p.Agent, p.MessageID),
				messageScreen{p.MessageID}))
		}
	}
	return rows
}

func critiqueRows(st *session.Summary) []row {
	var rows []row
	for _, c := range st.OpenCritiques {
		if c.Critical() {
			continue // it is listed above
		}
		look, weight := warn, "critique"
		if c.Severity != nil {
			weight = *c.Severity
		}
		text := c.Title + ", from " + c.From
		if c.Target != nil {
			text = *c.Target + ": " + text
		}
		rows = append(rows, problem(look, weight, text, messageScreen{c.MessageID}))
	}
	return rows
}

func refusedRows(st *session.Summary) []row {
	var rows []row
	for _, f := range st.Findings {
		rows = append(rows, findingRow(f))
	}
	return rows
}

func lintRows(report lint.Report) []row {
	var rows []row
	for _, v := range report.Violations {
		if v.Severity != protocol.SeverityInfo {
			rows = append(rows, findingRow(v.Finding))
		}
	}
	return rows
}

func findingRow(f protocol.Finding) row {
	text := f.Message
	if f.Item != "" {
		text = f.Item + ": " + text
	}
	return problem(severityInk(f.Severity), string(f.Code), text, findingScreen{f})
}

// findingScreen shows a finding whole.
type findingScreen struct{ finding protocol.Finding }

func (s findingScreen) title() string { return string(s.finding.Code) }
func (findingScreen) header() row     { return row{} }

func (s findingScreen) load(_ context.Context, d data) ([]row, error) {
	rows := findingRows([]protocol.Finding{s.finding}, 1, d.width)
	return append(append(rows, row{}), paragraphs(dim, 1, s.finding.Code.Info().Meaning, d.width-1)...), nil
}
