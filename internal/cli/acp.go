package cli

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"brenner/internal/acp"
	project "brenner/internal/app"
	"brenner/internal/mail"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
	"brenner/internal/runner"
)

// acpFlags say whose client brenner is.
type acpFlags struct {
	thread, program   string
	dir, folder       string
	servers           string
	promptFile        string
	mode, meta, model string
	goesOn            string
	consent           time.Duration
	round             bool
}

// newACP is the client of an agent of the Agent Client Protocol: what cockpit and run start for one.
func newACP(a *app) *cobra.Command {
	var f acpFlags
	cmd := &cobra.Command{
		Use:   "acp -- PROGRAM [WORD…]",
		Short: "Be the client of an agent of the Agent Client Protocol",
		Long: `Start an agent that speaks the Agent Client Protocol on its standard streams, hand it the MCP server of its identity, and ask
it what stands in a file: once with --round, and in a terminal again whenever mail comes for it or a person types a line.`,
		Example: "  brenner acp --as BlueLake --thread RS-20260110-cells-turn --prompt-file prompt.md --round -- gemini --acp",
		Hidden:  true,
		Args:    atLeast("PROGRAM"),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.thread, "thread", "", "the session `T`")
	flags.StringVar(&f.program, "program", "", "`NAME` of the program, for a person")
	flags.StringVar(&f.dir, "dir", "", "`FOLDER` that the agent works in")
	flags.StringVar(&f.folder, "folder", "", "private `FOLDER` of the agent")
	flags.StringVar(&f.servers, "mcp-config", "", "`FILE` with the MCP servers that are handed over")
	flags.StringVar(&f.promptFile, "prompt-file", "", "`FILE` with what it is asked first")
	flags.StringVar(&f.mode, "mode", "", "`MODE` of the session, if the program has it")
	flags.StringVar(&f.meta, "meta", "", "`JSON` for this program alone")
	flags.StringVar(&f.model, "model", "", "`MODEL` of the session, if the program has it")
	flags.StringVar(&f.goesOn, "continue", "", "go on with this `SESSION` of the program, if it can")
	flags.DurationVar(&f.consent, "consent", 0, "in a round, wait so long for a person's answer (`TIME`)")
	flags.BoolVar(&f.round, "round", false, "one turn, written down as a stream of JSON")
	return a.command(cmd, a.inProject(func(ctx context.Context, p *project.App, args []string) (report, error) {
		b := &bridge{a: a, p: p, f: f, agentName: a.identity()}
		if f.round {
			b.tell = &streamTeller{out: json.NewEncoder(a.streams.Out)}
			return streamed{}, b.playRound(ctx, args)
		}
		return streamed{}, b.stay(ctx, args)
	}))
}

// bridge is a client with its agent.
type bridge struct {
	a         *app
	p         *project.App
	f         acpFlags
	agentName string
	tell      teller
	agent     *acp.Agent
	person    *console // who sits at the terminal; nil: nobody

	mu   sync.Mutex
	cost float64 // of the program's session, in dollars
}

// teller is told what happens. It is called by one goroutine at a time, but for heard.
type teller interface {
	opened(o opening)
	asked(text string)
	heard(update json.RawMessage)
	consented(question, answer, status string) // allowed or refused
	ended(e acp.Ending, dollars float64)
	failed(err error)
}

// opening is the session that an agent works in.
type opening struct {
	Type    string `json:"type"`
	Program string `json:"program"`
	Model   string `json:"model"`
	Session string `json:"session_id"`
	GoesOn  bool   `json:"goes_on"`
}

// cancelGrace is how long a program has, once its turn is cancelled, to say how far it came. It is less than a runner waits.
const cancelGrace = 3 * time.Second

// start starts the agent, and opens its session. What its client is told goes on being written whatever becomes of it.
func (b *bridge) start(ctx context.Context, words []string) (goesOn bool, err error) {
	wish := acp.Wish{Dir: b.f.dir, Continue: b.f.goesOn, Mode: b.f.mode, Model: b.f.model}
	if b.f.meta != "" {
		if err := json.Unmarshal([]byte(b.f.meta), &wish.Meta); err != nil {
			return false, usageError("--meta is no JSON object")
		}
	}
	if wish.Servers, err = handedOver(b.f.servers); err != nil {
		return false, err
	}
	b.agent, err = acp.Start(ctx, acp.Options{Args: words, Dir: b.f.dir, Stderr: b.a.streams.Err, Version: version, Hear: b.hear,
		Permit: b.permit})
	if err != nil {
		return false, err
	}
	id, goesOn, err := b.agent.Open(ctx, wish)
	if err != nil {
		b.agent.Close()
		return false, err
	}
	b.tell.opened(opening{"acp.session", b.agent.Name(), b.f.model, id, goesOn})
	return goesOn, nil
}

// handedOver reads the servers that an agent gets.
func handedOver(path string) ([]acp.Server, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, protocol.Errorf(protocol.NotFound, "the servers to hand over cannot be read: %w", err)
	}
	var file struct {
		Servers map[string]struct {
			Command string            `json:"command"`
			Args    []string          `json:"args"`
			Env     map[string]string `json:"env"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "%s is no list of MCP servers: %w", path, err)
	}
	var servers []acp.Server
	for _, name := range slices.Sorted(maps.Keys(file.Servers)) {
		s := file.Servers[name]
		servers = append(servers, acp.Server{Name: name, Command: s.Command, Args: s.Args, Env: s.Env})
	}
	return servers, nil
}

// playRound asks for one turn.
func (b *bridge) playRound(ctx context.Context, words []string) error {
	text, err := os.ReadFile(b.f.promptFile)
	if err != nil {
		return protocol.Errorf(protocol.NotFound, "the prompt cannot be read: %w", err)
	}
	goesOn, err := b.start(ctx, words)
	if err != nil {
		b.tell.failed(err)
		return err
	}
	defer b.agent.Close()
	asked := string(text)
	if goesOn {
		asked = prompt.GoOn
	}
	end, err := b.turn(ctx, asked)
	if err == nil && end.Stop == "refusal" {
		err = protocol.Errorf(protocol.Internal, "the agent refused to go on")
	}
	return err
}

// turn asks for a turn, and tells what comes of it.
func (b *bridge) turn(ctx context.Context, text string) (acp.Ending, error) {
	b.tell.asked(text)
	before := b.spent()
	end, err := b.agent.Prompt(ctx, text, cancelGrace)
	if err != nil {
		b.tell.failed(err)
		return end, err
	}
	b.tell.ended(end, max(0, b.spent()-before))
	return end, context.Cause(ctx)
}

// hear takes in what the agent tells.
func (b *bridge) hear(update json.RawMessage) {
	var u struct {
		Cost *struct {
			Amount   float64 `json:"amount"`
			Currency string  `json:"currency"`
		} `json:"cost"`
	}
	if json.Unmarshal(update, &u) == nil && u.Cost != nil && u.Cost.Currency == "USD" {
		b.mu.Lock()
		b.cost = max(b.cost, u.Cost.Amount)
		b.mu.Unlock()
	}
	b.tell.heard(update)
}

func (b *bridge) spent() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cost
}

// optionOrder puts first what does no more than was asked for.
var optionOrder = []string{"allow_once", "reject_once", "allow_always", "reject_always"}

// permit answers what the agent asks its person for: the tools that were handed over need no consent; for all else a person is asked, at
// the terminal, or in a round for as long as the run says.
func (b *bridge) permit(ctx context.Context, q acp.Question) string {
	if id := q.Option("allow_once", "allow_always"); q.Own && id != "" {
		return id
	}
	slices.SortStableFunc(q.Options, func(x, y acp.Option) int {
		return slices.Index(optionOrder, x.Kind) - slices.Index(optionOrder, y.Kind)
	})
	id := b.ask(ctx, q)
	if id == "" {
		id = q.Refuse()
	}
	answer, status := "refused", "refused"
	for _, o := range q.Options {
		if o.ID == id {
			answer = o.Text
			if strings.HasPrefix(o.Kind, "allow") {
				status = "allowed"
			}
		}
	}
	b.tell.consented(q.Text, answer, status)
	return id
}

// ask asks a person; empty: nobody answered.
func (b *bridge) ask(ctx context.Context, q acp.Question) string {
	if len(q.Options) == 0 || len(q.Options) > 9 {
		return ""
	}
	if !b.f.round {
		return b.person.ask(ctx, q)
	}
	if b.f.consent == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, b.f.consent)
	defer cancel()
	c := runner.Consent{Text: "may it do this? " + q.Text}
	for i, o := range q.Options {
		c.Choices = append(c.Choices, runner.Choice{Key: strconv.Itoa(i + 1), Text: o.Text})
	}
	_ = b.p.NoteAsks(ctx, b.agentName, b.f.thread, c.Text) // for those who look from another machine
	key, err := runner.AskPerson(ctx, b.f.folder, c)
	_ = b.p.NoteAnswered(context.WithoutCancel(ctx), b.agentName)
	i, convErr := strconv.Atoi(key)
	if err != nil || convErr != nil || i < 1 || i > len(q.Options) {
		return ""
	}
	return q.Options[i-1].ID
}

// stay talks with the agent in a terminal for as long as the terminal is there: about its prompt, then about its mail, and about what a
// person types.
func (b *bridge) stay(ctx context.Context, words []string) error {
	text, err := os.ReadFile(b.f.promptFile)
	if err != nil {
		return protocol.Errorf(protocol.NotFound, "the prompt cannot be read: %w", err)
	}
	b.person = newConsole(b.a.streams)
	defer b.person.release()
	b.tell = b.person
	_, err = b.start(ctx, words)
	if err != nil {
		b.tell.failed(err)
		return err
	}
	defer b.agent.Close()
	b.person.interrupt = b.agent.Cancel
	for asked := string(text); ; {
		if _, err := b.turn(ctx, asked); err != nil {
			return err
		}
		if asked, err = b.next(ctx); err != nil {
			return err
		}
	}
}

// next waits for what the agent is to be asked next: a line of the person, or mail.
func (b *bridge) next(ctx context.Context) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type arrived struct {
		found arrivals
		err   error
	}
	came := make(chan arrived, 1)
	var waiting sync.WaitGroup
	defer waiting.Wait()
	defer cancel()
	waiting.Go(func() {
		for goesOn(ctx, b.p, b.f.thread) {
			found, err := awaitWaking(ctx, b.p, mail.InboxQuery{Agent: b.agentName, Limit: defaultLimit}, hookWait, gatherDeltas)
			if err != nil || found.Done() {
				came <- arrived{found, err}
				return
			}
		}
	})
	select {
	case line := <-b.person.lines:
		return line, nil
	case a := <-came:
		return a.found.text(), a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// streamTeller writes what happens as a stream of JSON, which internal/turn reads.
type streamTeller struct {
	mu  sync.Mutex
	out *json.Encoder
}

func (s *streamTeller) write(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.out.Encode(v) // without an output the agent still works
}

func (s *streamTeller) opened(o opening) { s.write(o) }

func (s *streamTeller) asked(text string) {
	s.write(struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}{"acp.prompt", text})
}

func (s *streamTeller) heard(update json.RawMessage) {
	s.write(struct {
		Type   string          `json:"type"`
		Update json.RawMessage `json:"update"`
	}{"acp.update", update})
}

func (s *streamTeller) consented(question, answer, status string) {
	s.write(struct {
		Type   string `json:"type"`
		Text   string `json:"text"`
		Status string `json:"status"`
	}{"acp.asked", question + ": " + answer, status})
}

func (s *streamTeller) ended(e acp.Ending, dollars float64) {
	s.write(struct {
		Type    string     `json:"type"`
		Stop    string     `json:"stop"`
		Usage   *acp.Spent `json:"usage,omitempty"`
		Dollars float64    `json:"total_cost_usd,omitempty"`
	}{"acp.end", e.Stop, e.Spent, dollars})
}

func (s *streamTeller) failed(err error) {
	code := 0
	if acp.SignedOut(err) {
		code = acp.CodeAuthRequired
	}
	s.write(struct {
		Type    string `json:"type"`
		Code    int    `json:"code"`
		Message string `json:"message"`
	}{"acp.error", code, err.Error()})
}
