package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/clipboard"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// The ways in which a prompt goes to a chat and its answer comes back.
const (
	viaClipboard = "clipboard"
	viaEditor    = "editor"
	viaPage      = "page"
	viaPrint     = "print"
)

var vias = []string{viaClipboard, viaEditor, viaPage, viaPrint}

// askFlags are the flags of ask.
type askFlags struct {
	thread, answer, via string
	dryRun              bool
}

func newAsk(a *app) *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask AGENT",
		Short: "Carry an agent's turn to a chat, and its answer back",
		Long: `Any chat can be an agent. This gives the prompt of the agent's turn: its kickoff, the artifact so far and what others
wrote since. On a terminal the prompt goes to the clipboard; paste it into the chat, copy the chat's answer, and press
Enter. The answer is posted under the agent's name. Labels of the chat's page and an outer fence are taken away, delta
blocks are repaired, thread, subject and recipients are chosen, and the receipt says what became of each block. If the
answer is refused, what to ask the chat for is on the clipboard.

--via editor opens $VISUAL or $EDITOR: the answer goes below the prompt. --via page opens a page with both. In a pipe the
prompt is printed. --answer takes an answer that is there already: a file, - for stdin, or clipboard.

The session is the one where the agent has been waited for longest, unless --thread names one.`,
		Example: "  brenner ask BlueLake\n  brenner ask BlueLake --via editor\n" +
			"  brenner ask BlueLake | llm | brenner ask BlueLake --answer -",
		Args:              exactly("AGENT"),
		ValidArgsFunction: a.completeAgents,
	}
	flags := cmd.Flags()
	flags.StringVar(&f.thread, "thread", "", "the session `ID`, or a part of it")
	flags.StringVar(&f.answer, "answer", "", "post the answer in `FILE`, - for stdin, clipboard for what is there")
	flags.StringVar(&f.via, "via", "", "clipboard, editor, page or print (default: the first that is there, print in a pipe)")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would become of the answer, and post nothing")
	completeFlag(cmd, "thread", a.completeThreadFlag)
	completeFlag(cmd, "via", fixed(vias))
	return a.command(cmd, func(ctx context.Context, args []string) (report, error) {
		switch {
		case f.via != "" && !slices.Contains(vias, f.via):
			return nil, usageFor(cmd, "--via is clipboard, editor, page or print, not %q", f.via)
		case f.via != "" && f.answer != "":
			return nil, usageFor(cmd, "--via asks, and --answer has the answer: give one of them")
		}
		return a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
			return a.askAgent(ctx, p, f, args[0])
		})(ctx, args)
	})
}

// errand carries the prompt of one turn to a chat.
type errand struct {
	*app
	project *project.App
	asked   usecase.AskAnswer
	dryRun  bool
}

func (a *app) askAgent(ctx context.Context, p *project.App, f askFlags, agent string) (report, error) {
	thread, err := a.turnThread(ctx, p, f.thread, agent)
	if err != nil {
		return nil, err
	}
	at, err := usecase.Ask.At(ctx, p.Sessions, thread)
	if err != nil {
		return nil, err
	}
	asked, err := usecase.Ask.Do(ctx, at, usecase.AskRequest{Thread: thread, Agent: agent})
	if err != nil {
		return nil, err
	}
	e := errand{a, p, asked, f.dryRun}
	switch f.answer {
	case "":
		return e.carry(ctx, f.via)
	case viaClipboard:
		board, err := clipboard.Find(a.streams.Getenv)
		if err != nil {
			return nil, err
		}
		text, err := board.Paste(ctx)
		if err != nil {
			return nil, err
		}
		return e.handIn(ctx, text)
	}
	text, err := a.readAll(ctx, input{f.answer, maxText, protocol.MessageTooLarge})
	if err != nil {
		return nil, err
	}
	return e.handIn(ctx, string(text))
}

// turnThread is the session whose turn is meant.
func (a *app) turnThread(ctx context.Context, p *project.App, name, agent string) (string, error) {
	if name != "" {
		return threadNamed(ctx, p, name)
	}
	calls, err := p.Sessions.CallsOf(ctx, agent)
	if err != nil {
		return "", err
	}
	if len(calls) == 0 {
		if _, err := p.Mail.Agent(ctx, agent); err != nil {
			return "", err
		}
		return "", protocol.Errorf(protocol.NotFound, "no open session has called %s: nobody asked it for anything", agent)
	}
	if len(calls) > 1 && !a.flags.json {
		out := newPrinter(a)
		out.note("%s; %s called %s as well: --thread names it", visible(calls[0]), count(len(calls)-1, "other session"), visible(agent))
		out.err.Flush()
	}
	return calls[0], nil
}

// carry brings the prompt to the chat, and its answer back if there is a person who does.
func (e errand) carry(ctx context.Context, via string) (report, error) {
	board, missing := clipboard.Find(e.streams.Getenv)
	editor := firstOf(e.streams.Getenv("VISUAL"), e.streams.Getenv("EDITOR"))
	if via == "" {
		switch {
		case !e.canAsk() || !e.streams.OutIsTerminal:
			via = viaPrint
		case board != nil:
			via = viaClipboard
		case editor != "":
			via = viaEditor
		}
	}
	switch via {
	case viaClipboard:
		if missing != nil {
			return nil, missing
		}
		return e.overClipboard(ctx, board)
	case viaEditor:
		if editor == "" {
			return nil, usageError("no editor is named: set VISUAL or EDITOR")
		}
		return e.overEditor(ctx, editor)
	case viaPage:
		return e.overPage(ctx)
	}
	return askReport{e.asked}, nil
}

// firstOf is the first of some texts that is not blank.
func firstOf(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

// overClipboard hands the prompt and the answer over the clipboard. Where nobody can be asked it only hands out the prompt.
func (e errand) overClipboard(ctx context.Context, board *clipboard.Clipboard) (report, error) {
	text, what := e.asked.Prompt, "The prompt of "+visible(e.asked.Agent)
	for copied := ""; ; {
		p := newPrinter(e.app)
		if text != copied {
			if err := board.Copy(ctx, text); err != nil {
				return nil, err
			}
			copied = text
			if !e.canAsk() {
				return copiedReport{e.asked.ThreadID, e.asked.Agent, e.asked.Round, true}, nil
			}
			p.note("%s is on the clipboard. Paste it into the chat, and copy its answer.", what)
			p.err.Flush()
		}
		reply, more, err := e.readAnswer(ctx, "Enter: take the answer from the clipboard; q: leave it ")
		if err != nil || !more || strings.EqualFold(reply, "q") {
			return e.left(), err
		}
		answer, err := board.Paste(ctx)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(answer) == strings.TrimSpace(text) {
			p.note("that is still what is to be pasted into the chat")
			p.err.Flush()
			continue
		}
		done, err := e.handIn(ctx, answer)
		if err == nil || protocol.CodeOf(err).Info().Class != protocol.ClassInvalid {
			return done, err
		}
		if mend := e.tell(done, err); mend != "" {
			text, what = mend, "What has to be mended"
		}
	}
}

// overEditor opens an editor with the prompt; the answer goes below it.
func (e errand) overEditor(ctx context.Context, editor string) (report, error) {
	dir, err := os.MkdirTemp("", "brenner-ask-")
	if err != nil {
		return nil, protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	path := filepath.Join(dir, "turn-of-"+strings.ToLower(e.asked.Agent)+".md")
	end := e.asked.Prompt[strings.LastIndexByte(strings.TrimRight(e.asked.Prompt, "\n"), '\n')+1:]
	text := e.asked.Prompt + "\n"
	for {
		answer, err := e.edit(ctx, editor, path, text)
		if err != nil {
			return nil, err
		}
		done, err := e.handIn(ctx, answer)
		if err == nil {
			return done, os.RemoveAll(dir)
		}
		if protocol.CodeOf(err).Info().Class != protocol.ClassInvalid || !e.canAsk() {
			return done, err
		}
		if answer == text {
			return e.left(), os.RemoveAll(dir)
		}
		mend := e.tell(done, err)
		reply, more, err := e.readAnswer(ctx, "Enter: back to the editor; q: leave it ")
		if err != nil || !more || strings.EqualFold(reply, "q") {
			p := newPrinter(e.app)
			p.note("the answer is in %s", visible(path))
			p.err.Flush()
			return e.left(), err
		}
		if _, written, asked := strings.Cut(answer, end); asked && mend != "" {
			answer = mend + "\n" + end + written
		}
		text = answer
	}
}

// edit lets a person edit a text.
func (e errand) edit(ctx context.Context, editor, path, text string) (string, error) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "%w", err)
	}
	words := strings.Fields(editor)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.streams.In, e.streams.Err, e.streams.Err
	if err := cmd.Run(); err != nil {
		return "", protocol.Errorf(protocol.Unreadable, "the editor %q ended with: %w", editor, err)
	}
	written, err := e.readAll(ctx, input{path, maxText, protocol.MessageTooLarge})
	return string(written), err
}

// tell shows why an answer cannot be posted, and returns what asks the chat for a better one.
func (e errand) tell(done report, err error) string {
	p := newPrinter(e.app)
	defer p.flush()
	p.failed = true
	if r, ok := done.(handedInReport); ok {
		r.show(p)
		return r.Mend
	}
	p.note("%v", err)
	return ""
}

// left says that nothing was posted.
func (e errand) left() report {
	return copiedReport{e.asked.ThreadID, e.asked.Agent, e.asked.Round, false}
}

// handIn posts an answer.
func (e errand) handIn(ctx context.Context, answer string) (report, error) {
	done, err := usecase.HandIn.Do(ctx, usecase.At{Sessions: e.project.Sessions},
		usecase.HandInRequest{Thread: e.asked.ThreadID, As: e.asked.Agent, Answer: answer, DryRun: e.dryRun})
	if err == nil && e.dryRun {
		err = verdictBeside("the answer", done.Findings, done.More)
	}
	sent, err := newSentReport(done.Verdict, done.Body, "", err)
	if r, ok := sent.(sentReport); ok {
		return handedInReport{r, done.LeftOut, done.Repairs, done.Mend, e.dryRun}, err
	}
	return nil, err
}

// askReport is the prompt of a turn.
type askReport struct{ usecase.AskAnswer }

func (r askReport) show(p *printer) {
	p.text(r.Prompt)
	p.next("brenner", "ask", r.Agent, "--thread", r.ThreadID, "--answer", "-")
}

// copiedReport says where a prompt is.
type copiedReport struct {
	ThreadID string `json:"thread_id"`
	Agent    string `json:"agent"`
	Round    int    `json:"round"`
	Copied   bool   `json:"copied"`
}

func (r copiedReport) show(p *printer) {
	if !r.Copied {
		p.note("nothing was posted")
		return
	}
	p.note("the prompt of %s for round %d of %s is on the clipboard", visible(r.Agent), r.Round, visible(r.ThreadID))
	p.note("its answer goes back with: brenner ask %s --thread %s --answer clipboard", visible(shellWord(r.Agent)), visible(r.ThreadID))
}

// handedInReport is what became of an answer.
type handedInReport struct {
	sentReport
	LeftOut []string           `json:"left_out"`
	Repairs []protocol.Finding `json:"repairs"`
	Mend    string             `json:"mend"`
	DryRun  bool               `json:"dry_run"`
}

func (r handedInReport) show(p *printer) {
	if !p.quiet {
		if len(r.LeftOut) > 0 {
			p.note("left out what the chat's page says: %s", visible(strings.Join(r.LeftOut, " · ")))
		}
		p.findingsOnErr(r.Repairs)
	}
	p.findings(r.told(), newSource(r.body))
	p.more(r.More, "finding")
	p.receipt(r.Receipt)
	switch {
	case r.MessageID != nil:
		p.print("message %d on %s: %s\n", *r.MessageID, visible(*r.ThreadID), visible(r.Subject))
		p.next("brenner", "thread", "show", *r.ThreadID)
	case r.DryRun:
		p.note("nothing was sent: it was a dry run of %s", visible(r.Subject))
	default:
		p.note("nothing was sent; the chat can mend it if it is told what was found, which --json has as mend")
	}
}
