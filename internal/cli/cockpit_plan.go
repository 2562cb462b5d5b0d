package cli

import (
	"slices"
	"strings"

	project "brenner/internal/app"
	"brenner/internal/cockpit"
	"brenner/internal/program"
	"brenner/internal/protocol"
)

type plannedFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

type plannedPane struct {
	Agent   string        `json:"agent"`
	Role    string        `json:"role"`
	Program string        `json:"program"`
	Model   *string       `json:"model"`        // as the roster has it
	Passed  *string       `json:"model_passed"` // as the program gets it; null: its own choice
	Dir     string        `json:"dir"`
	Env     []string      `json:"env"`
	Args    []string      `json:"args"`
	Stdin   *string       `json:"stdin"` // null: the prompt does not go there
	Files   []plannedFile `json:"files"`
	Typed   *string       `json:"typed"` // null: it is handed its prompt
}

type planReport struct {
	ThreadID string             `json:"thread_id"`
	Session  string             `json:"session"`
	NTM      string             `json:"ntm_session"`
	DryRun   bool               `json:"dry_run"`
	Panes    []plannedPane      `json:"panes"`
	Missing  []program.Missing  `json:"missing"`
	Findings []protocol.Finding `json:"findings"`

	full  bool     // every word of every command
	start []string // the command that does what is planned
}

// planReport shows a plan; a password in the store's address is not for the screen.
func (a *app) planReport(p cockpit.Plan, typing cockpit.Typing) planReport {
	hide := func(text string) string { return text }
	if dsn := a.dsn(); dsn != "" {
		hide = strings.NewReplacer(dsn, project.Redacted(dsn)).Replace
	}
	r := planReport{ThreadID: p.ThreadID, Session: p.Session, NTM: p.Session, DryRun: true, Panes: []plannedPane{},
		Missing: protocol.NonNil(p.Missing), Findings: p.Unprompted(typing)}
	for _, pane := range p.Panes {
		c := pane.Command
		shown := plannedPane{
			Agent: pane.Agent, Role: string(pane.Role), Program: pane.Program, Model: protocol.OrNull(pane.Model),
			Passed: protocol.OrNull(c.Model), Dir: c.Dir, Args: c.Args,
			Env: []string{}, Stdin: protocol.OrNull(c.Stdin), Files: []plannedFile{}, Typed: protocol.OrNull(pane.Typed),
		}
		for _, v := range c.Env {
			shown.Env = append(shown.Env, hide(v))
		}
		for _, f := range c.Files {
			shown.Files = append(shown.Files, plannedFile{f.Path, hide(f.Text)})
		}
		r.Panes = append(r.Panes, shown)
	}
	return r
}

// show prints a line for each agent, or with --full everything.
func (r planReport) show(p *printer) {
	if r.full {
		r.showFull(p)
	} else {
		r.showShort(p)
	}
	p.findingsOnErr(r.Findings)
	missingReport{Missing: r.Missing}.show(p)
	p.next(r.start...)
}

func (r planReport) showShort(p *printer) {
	var rows [][]string
	for _, pane := range r.Panes {
		rows = append(rows, []string{pane.Agent, pane.Role, pane.Program, shortCommand(pane.Args)})
	}
	p.table(columns("Agent", "Role?", "Program", "Command…"), rows)
	p.note("--full shows every word, with the prompts")
}

// shortCommand writes a command in a line; a word that is a text of its own, such as a prompt, is left out.
func shortCommand(args []string) string {
	const maxWord = 60
	words := make([]string, len(args))
	for i, word := range args {
		if words[i] = shellWord(word); len(word) > maxWord || strings.Contains(word, "\n") {
			words[i] = ellipsis
		}
	}
	return strings.Join(words, " ")
}

// showFull prints commands that could be pasted into a shell, once the files are there.
func (r planReport) showFull(p *printer) {
	p.print("# tmux session %s; in ntm: %s\n", visible(r.Session), visible(r.NTM))
	for _, pane := range r.Panes {
		p.print("\n# %s, %s: %s\n", visible(pane.Agent), visible(pane.Role), visible(pane.Program))
		if pane.Model != nil {
			passed := ""
			if pane.Passed != nil {
				passed = *pane.Passed
			}
			if text := program.ModelText(*pane.Model, passed); text != "" {
				p.print("# %s\n", visible(text))
			}
		}
		for _, f := range pane.Files {
			p.print("# writes %s\n", visible(f.Path))
		}
		p.print("(cd ")
		p.text(shellWord(pane.Dir))
		p.print(" && env")
		for _, word := range slices.Concat(pane.Env, pane.Args) {
			p.print(" ")
			p.text(shellWord(word))
		}
		if pane.Stdin != nil && len(pane.Files) > 0 {
			p.print(" <")
			p.text(shellWord(pane.Files[0].Path)) // the prompt is the first of them
		}
		p.print(")\n")
	}
}
