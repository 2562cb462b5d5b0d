// Package play plays disputes through the real store: a session in which agents state what they believe, a test is chosen, its sealed
// result is opened and recorded, and they state again, until the budget or the tests end. What has happened is read from the thread
// alone, so that a play that was killed goes on where it stood, and nothing is sent twice.
package play

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"brenner/internal/app"
	"brenner/internal/dispute"
	"brenner/internal/evidencepack"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// Player is an agent of a play.
type Player struct {
	Name     string
	Program  string
	Model    string
	Baseline dispute.Baseline // empty: a program, or a person, writes for it
}

// Options say what is played, and by whom.
type Options struct {
	App    *app.App
	Staged *dispute.Staged
	Cast   []Player
	Thread string // empty: RS-{today}-{name}-{arm}
	// Round has the programs of the agents write in a turn, counted from 1, and says why the play is halted with it: a budget is spent, or
	// a person said so. nil: whoever is no baseline writes by hand.
	Round func(ctx context.Context, thread string, turn int) (halted string, err error)
	Tell  func(Moment) error // hears what was done; an error ends the play there. May be nil.
}

// Moment is something that was done.
type Moment struct {
	Turn int
	Said string
}

// Report is what a play has come to.
type Report struct {
	ThreadID string       `json:"thread_id"`
	Dispute  string       `json:"dispute"`
	Arm      dispute.Arm  `json:"arm"`
	Turns    int          `json:"turns"`
	Opened   []OpenedTest `json:"opened"`
	Effort   float64      `json:"effort"`
	Waiting  []string     `json:"waiting"` // agents whose statement is missing
	Halted   string       `json:"halted"`  // why it does not go on now: a budget is spent, or a person said so; empty: it is not
	Ended    bool         `json:"ended"`
}

// OpenedTest is a sealed result that was opened.
type OpenedTest struct {
	Test     string  `json:"test"`
	Found    string  `json:"found"`
	Evidence string  `json:"evidence"`
	Effort   float64 `json:"effort"`
}

// Play plays on from where the thread stands. Agents without a baseline who owe a statement end it there (Waiting).
func Play(ctx context.Context, o Options) (Report, error) {
	g := game{Options: o, report: Report{Dispute: o.Staged.Name, Arm: o.Staged.Arm, Opened: []OpenedTest{}, Waiting: []string{}}}
	if err := g.begin(ctx); err != nil {
		return g.report, err
	}
	for {
		if err := g.look(ctx); err != nil {
			return g.report, err
		}
		done, err := g.step(ctx)
		if protocol.CodeOf(err) == protocol.IdempotencyConflict {
			continue // somebody else did it meanwhile: look again
		}
		if done || err != nil {
			return g.report, err
		}
	}
}

// game is a play in progress.
type game struct {
	Options
	report  Report
	sources map[string]string // ids in the pack, by reading note

	session  *session.Session
	messages []mail.Message
	turn     int           // that is being played, from 1
	since    int64         // the message that began it; 0: the slate is empty
	opened   []string      // tests
	stated   map[string]at // what agents said in this turn
	debrief  bool          // the last word was said
	rounds   int           // the turn in which programs have written; they are asked once
}

// at is what an agent said in a turn.
type at struct{ asks string }

func (g *game) tell(format string, args ...any) error {
	if g.Tell == nil {
		return nil
	}
	return g.Tell(Moment{g.turn, fmt.Sprintf(format, args...)})
}

// begin puts the reading notes into the pack and opens the session, unless that was done.
func (g *game) begin(ctx context.Context) error {
	if g.Thread == "" {
		g.Thread = ThreadID(g.Staged, time.Now())
	}
	g.report.ThreadID = g.Thread
	g.sources = map[string]string{}
	for _, note := range g.Staged.Notes {
		added, err := g.App.Evidence.Add(ctx, evidencepack.Addition{
			Name: note.Source + ".md", Data: []byte(note.Text), Title: note.Title, Source: "reading note of the dispute " + g.Staged.Name,
			Cite: note.Cite, By: mail.Operator, At: time.Now(),
		})
		if err != nil {
			return err
		}
		g.sources[note.Source] = added.ID
	}
	_, err := g.App.Sessions.Session(ctx, g.Thread)
	if protocol.CodeOf(err) != protocol.NotFound {
		return err
	}
	var cast []protocol.RosterEntry
	for _, p := range g.Cast {
		cast = append(cast, protocol.RosterEntry{AgentName: p.Name, Role: protocol.RoleTestDesigner, Program: p.Program, Model: p.Model})
	}
	var packed []string
	for _, note := range g.Staged.Notes {
		packed = append(packed, fmt.Sprintf("- %s: %s", g.sources[note.Source], note.Title))
	}
	_, err = g.App.Sessions.Start(ctx, session.StartRequest{
		From: mail.Operator, Question: g.Staged.Question, ThreadID: g.Thread, Key: g.key("start"),
		Context:     strings.TrimSpace(g.Staged.Context) + "\n\nSources of the time in the evidence pack:\n\n" + strings.Join(packed, "\n"),
		Constraints: g.Staged.Constraints(), Outputs: "- A statement in each turn: credences, and one line that names the next test",
		Roster: session.RosterRequest{Sources: []session.RosterSource{{
			Origin: "the dispute", Entries: cast, Mode: protocol.ModeUnified, Name: "A dispute",
		}}},
	})
	if protocol.CodeOf(err) == protocol.Conflict {
		return nil // somebody else began it
	}
	if err != nil {
		return err
	}
	return g.tell("the session begins")
}

// ThreadID is the id of a play that begins on a day.
func ThreadID(s *dispute.Staged, day time.Time) string {
	return fmt.Sprintf("RS-%s-%s-%s", day.UTC().Format("20060102"), s.Name, s.Arm)
}

// key is the idempotency key of something that is done once.
func (g *game) key(parts ...string) string {
	return "dispute/" + g.Thread + "/" + strings.Join(parts, "/")
}

// look reads from the thread where the play stands.
func (g *game) look(ctx context.Context) error {
	var err error
	if g.session, err = g.App.Sessions.Session(ctx, g.Thread); err != nil {
		return err
	}
	g.messages, err = g.App.Store.Messages(ctx, mail.MessageQuery{Project: g.App.Mail.Project().ID, Thread: g.Thread})
	if err != nil {
		return err
	}
	g.turn, g.since, g.debrief, g.opened, g.stated = 0, 0, false, nil, map[string]at{}
	g.report.Opened, g.report.Effort, g.report.Waiting = []OpenedTest{}, 0, []string{}
	results := map[int64]science.ResultRow{}
	for _, r := range g.session.Results() {
		results[r.MessageID] = r
	}
	for i := range g.messages {
		g.hear(&g.messages[i], results)
	}
	g.report.Turns = g.turn
	return nil
}

// hear takes in one message of the thread.
func (g *game) hear(m *mail.Message, results map[int64]science.ResultRow) {
	if mail.NameKey(m.From) != mail.NameKey(mail.Operator) {
		if asks := dispute.Choice(m.Body); g.since != 0 && (asks != "" || states(m)) {
			g.stated[mail.NameKey(m.From)] = at{asks}
		}
		return
	}
	_, last := dispute.ReadDebrief(m.Body)
	r, found := results[m.ID]
	switch {
	case last:
		g.debrief = true
	case g.since == 0 && m.Type == protocol.TypeDelta:
		g.next(m.ID)
	case found && g.Staged.Seal(string(r.Test)) != nil && !slices.Contains(g.opened, string(r.Test)):
		seal := g.Staged.Seal(string(r.Test))
		effort := g.effort(seal.Test)
		g.opened, g.report.Effort = append(g.opened, seal.Test), g.report.Effort+effort
		g.report.Opened = append(g.report.Opened, OpenedTest{seal.Test, seal.Found(), strings.Join(r.Evidence, ", "), effort})
		g.next(m.ID)
	}
}

func (g *game) next(message int64) { g.turn, g.since, g.stated = g.turn+1, message, map[string]at{} }

// states reports whether a message states credences.
func states(m *mail.Message) bool {
	heard, _ := message.Beliefs(&m.Message, nil)
	return slices.ContainsFunc(heard, func(b message.Belief) bool { return b.Credences != nil })
}

// effort is what a test costs.
func (g *game) effort(id string) float64 {
	for i := range g.Staged.Tests {
		if dispute.TestID(i) == id {
			return g.Staged.Tests[i].Score.Effort()
		}
	}
	return 0
}

// left are the tests that are sealed and can be paid for.
func (g *game) left() []string {
	var left []string
	for _, seal := range g.Staged.Seals {
		spent := g.report.Effort + g.effort(seal.Test)
		if !slices.Contains(g.opened, seal.Test) && (g.Staged.Budget <= 0 || spent <= g.Staged.Budget) {
			left = append(left, seal.Test)
		}
	}
	return left
}

// step does the one thing that comes next. It is done when the session is complete, or an agent has to write first.
func (g *game) step(ctx context.Context) (done bool, err error) {
	switch {
	case g.since == 0:
		return false, g.setUp(ctx)
	case g.debrief:
		return true, g.close(ctx)
	}
	for _, p := range g.Cast {
		if p.Baseline != "" && !g.hasStated(p) {
			return false, g.write(ctx, p)
		}
	}
	switch g.report.Waiting = g.owing(); {
	case len(g.report.Waiting) > 0 && g.rounds < g.turn && g.Round != nil:
		return g.wait(ctx)
	case slices.ContainsFunc(g.Cast, func(p Player) bool { return !g.hasStated(p) && (g.Round == nil || p.Program == "") }):
		return true, nil // a person is waited for
	}
	left := g.left()
	if len(g.stated) == 0 && len(left) > 0 {
		return true, nil // nobody plays: their programs fail
	}
	if len(left) == 0 {
		return false, g.send(ctx, mail.Operator, "INFO: What was found, and the answer", g.Staged.Debrief(), "debrief")
	}
	return false, g.open(ctx, dispute.Elect(g.asked(), left, g.best(left)))
}

func (g *game) hasStated(p Player) bool {
	_, stated := g.stated[mail.NameKey(p.Name)]
	return stated
}

// owing are those whose statement is missing in this turn.
func (g *game) owing() []string {
	owing := []string{}
	for _, p := range g.Cast {
		if !g.hasStated(p) {
			owing = append(owing, p.Name)
		}
	}
	return owing
}

// wait lets the programs of agents write. Who has nothing to say then is not waited for.
func (g *game) wait(ctx context.Context) (done bool, err error) {
	g.rounds = g.turn
	if g.report.Halted, err = g.Round(ctx, g.Thread, g.turn); err != nil || g.report.Halted == "" {
		return false, err
	}
	if err := g.look(ctx); err != nil {
		return false, err
	}
	g.report.Waiting = g.owing()
	return true, nil
}

// setUp puts rivals and tests on the slate.
func (g *game) setUp(ctx context.Context) error {
	if err := g.send(ctx, mail.Operator, "DELTA[human]: The rivals and the tests", g.Staged.Setup(g.sources), "setup"); err != nil {
		return err
	}
	return g.tell("%s, %s", protocol.Plural(len(g.Staged.Hypotheses), "rival"), protocol.Plural(len(g.Staged.Tests), "sealed test"))
}

// send sends a message to all others of the session, once.
func (g *game) send(ctx context.Context, from, subject, body string, key ...string) error {
	to, err := g.session.Receivers(ctx, from)
	if err != nil {
		return err
	}
	_, err = g.App.Mail.Send(ctx, mail.Outgoing{
		Draft: message.Draft{ThreadID: g.Thread, From: from, To: to, Subject: subject, Body: body}, Key: g.key(key...),
	})
	return err
}

// asked are the tests that agents name in this turn, in the order of the cast.
func (g *game) asked() []string {
	var asked []string
	for _, p := range g.Cast {
		if said := g.stated[mail.NameKey(p.Name)]; said.asks != "" {
			asked = append(asked, said.asks)
		}
	}
	return asked
}

// best is the test that tells most for its effort, of those that are left; empty: none of them is ranked.
func (g *game) best(left []string) string {
	for _, advice := range g.session.Ranking().Tests {
		if slices.Contains(left, string(advice.Test)) {
			return string(advice.Test)
		}
	}
	return ""
}

// write has a baseline state what it believes.
func (g *game) write(ctx context.Context, p Player) error {
	letter := p.Baseline.Write(g.situation(p))
	subject := fmt.Sprintf("INFO: Statement %d", g.turn)
	if letter.Delta {
		subject = protocol.DeltaSubject(p.Name, p.Program, p.Model, fmt.Sprintf("Statement %d", g.turn))
	}
	if err := g.send(ctx, p.Name, subject, letter.Body, "turn", fmt.Sprint(g.turn), p.Name); err != nil {
		return err
	}
	return g.tell("%s states", p.Name)
}

func (g *game) situation(p Player) dispute.Situation {
	left := g.left()
	s := dispute.Situation{Turn: g.turn, Staged: g.Staged, Left: left, Best: g.best(left), Asked: g.asked()}
	if len(g.opened) > 0 {
		s.Last = g.Staged.Seal(g.opened[len(g.opened)-1])
	}
	for _, w := range g.session.Beliefs().Worlds {
		for name, mass := range w.Agents {
			if mail.NameKey(name) == mail.NameKey(p.Name) {
				if s.Implied == nil {
					s.Implied = map[string]float64{}
				}
				s.Implied[w.ID] = mass
			}
		}
	}
	for _, other := range g.Cast {
		if said := g.latest(other.Name); said != nil && other.Name != p.Name {
			s.Others = append(s.Others, said)
		}
	}
	if len(g.Staged.Notes) > 0 {
		s.Source, s.Quote = g.sources[g.Staged.Notes[0].Source], sentence(g.Staged.Notes[0].Text)
	}
	return s
}

// latest is what an agent stated last; nil: nothing.
func (g *game) latest(name string) map[string]float64 {
	for _, m := range slices.Backward(g.messages) {
		if mail.NameKey(m.From) != mail.NameKey(name) {
			continue
		}
		heard, _ := message.Beliefs(&m.Message, nil)
		for _, b := range slices.Backward(heard) {
			if b.Credences == nil {
				continue
			}
			said := map[string]float64{}
			for _, c := range b.Credences {
				said[c.World] = c.P
			}
			return said
		}
	}
	return nil
}

// sentence is the first sentence of a note that can be quoted: some plain words on one line.
func sentence(text string) string {
	for line := range strings.Lines(text) {
		for part := range strings.SplitSeq(strings.TrimSpace(line), ". ") {
			words := strings.Fields(strings.TrimSuffix(part, "."))
			if len(words) >= 6 && len(words) <= 40 && !strings.ContainsAny(part, "\"“”'’()[]:*_`") {
				return strings.Join(words, " ")
			}
		}
	}
	return ""
}

// open opens the sealed result of a test: its file becomes a source, and the source a result.
func (g *game) open(ctx context.Context, test string) error {
	seal := g.Staged.Seal(test)
	extension := ".yaml"
	if g.Staged.Arm == dispute.Renamed {
		extension = ".json"
	}
	title := "Sealed result of " + test
	if seal.Fiction {
		title += " (fiction)"
	}
	added, err := g.App.Evidence.Add(ctx, evidencepack.Addition{
		Name: test + extension, Data: seal.Data, Title: title, Source: seal.Source, Cite: seal.Cite, By: mail.Operator, At: time.Now(),
	})
	if err != nil {
		return err
	}
	_, err = g.App.Sessions.RecordResult(mail.WithKey(ctx, g.key("open", fmt.Sprint(g.turn))), session.ResultRequest{
		ThreadID: g.Thread, Test: test, As: mail.Operator, Outcome: string(seal.Outcome), Value: string(seal.Value),
		Unforeseen: string(seal.Unforeseen), Evidence: []string{added.ID}, Performed: string(seal.Day), Potency: science.PotencyPassed,
		Note: "sealed as " + seal.SHA256,
	})
	if err != nil {
		return err
	}
	return g.tell("%s is opened: %s", test, seal.Found())
}

// close publishes what came of it, and completes the session.
func (g *game) close(ctx context.Context) error {
	g.report.Ended = true
	if strings.HasPrefix(g.messages[len(g.messages)-1].Subject, "INFO: Session complete") {
		return nil
	}
	_, err := g.App.Sessions.Complete(mail.WithKey(ctx, g.key("complete")), session.CompleteRequest{
		ThreadID: g.Thread, As: mail.Operator, Force: "a dispute ends with its tests, whatever its ledgers lack",
	})
	if err != nil {
		return err
	}
	return g.tell("the session is complete")
}
