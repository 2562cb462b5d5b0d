package cli

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	project "brenner/internal/app"
	"brenner/internal/protocol"
)

// startAnswers are what a person typed at the prompts of session start, as the words of a command line: whatever happens,
// nothing of it is lost.
type startAnswers struct {
	app   *app
	flags *startFlags
	words []string
}

// ask gets what is missing from a person. What goes on from something may do without.
func (s *startAnswers) ask(ctx context.Context, cmd *cobra.Command) error {
	if s.flags.round > 1 || s.flags.after != "" {
		return nil
	}
	for _, q := range []struct {
		flag, label string
		ask         func(context.Context, string) (string, bool, error)
		value       *string
	}{{"question", "Research question", s.app.ask, &s.flags.question}, {"context", "Context", s.app.askLines, &s.flags.context}} {
		if cmd.Flags().Changed(q.flag) {
			continue
		}
		answer, ok, err := q.ask(ctx, q.label)
		if answer != "" {
			s.words = append(s.words, "--"+q.flag, answer)
		}
		if err != nil {
			return err
		}
		if !ok {
			return usageFor(cmd, "--%s is missing", q.flag)
		}
		*q.value = answer
	}
	return s.askAgents(ctx)
}

// usualAgents are those that Enter takes, one for each role.
var usualAgents = []string{"BlueLake", "PurpleMountain", "RedSky"}

// askAgents asks who takes part, where nothing else says so. The roles go to them in turn.
func (s *startAnswers) askAgents(ctx context.Context) error {
	known, err := s.rosterKnown(ctx)
	if known || err != nil || !s.app.canAsk() {
		return err
	}
	roles := protocol.Roles()
	line, _, err := s.app.readAnswer(ctx, "Agents (Enter: "+strings.Join(usualAgents, ", ")+", one for each role): ")
	if err != nil {
		return err
	}
	names := strings.FieldsFunc(line, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(names) == 0 {
		names = usualAgents
	}
	for i, name := range names {
		role := roles[i%len(usualAgents)]
		s.flags.seats = append(s.flags.seats, seat{agents: []string{name}, role: &role})
		s.words = append(s.words, "--to", name, "--role", string(role))
	}
	return nil
}

// rosterKnown tells whether flags, the environment or the project file say who takes part.
func (s *startAnswers) rosterKnown(ctx context.Context) (bool, error) {
	f := s.flags
	if len(f.seats) > 0 || f.roster != "" || f.preset != "" {
		return true, nil
	}
	if slices.ContainsFunc(s.app.environ(), func(v string) bool { return strings.HasPrefix(v, "BRENNER_ROSTER") }) {
		return true, nil
	}
	c, err := s.app.readConfig(ctx)
	return len(c.Roster.Entries) > 0 || c.Roster.DefaultPreset != "", err
}

// confirm shows what will be sent, and asks. False: the person says no.
func (s *startAnswers) confirm(ctx context.Context, start projectFunc) (bool, error) {
	s.flags.dryRun = true
	r, err := s.app.inProject(start)(ctx, nil)
	s.flags.dryRun = false
	preview, ok := r.(startReport)
	if err != nil || !ok {
		return false, err
	}
	p := newPrinter(s.app)
	p.note("\nThis will be sent on %s:", visible(preview.ThreadID))
	for _, m := range preview.Messages {
		p.note("  to %s, %s: %s", visible(m.To), roleText(m.Role), visible(m.Subject))
	}
	p.err.Flush()
	for {
		answer, ok, err := s.app.readAnswer(ctx, "Send it? (Enter: yes, s: show the messages first, n: no) ")
		if err != nil || !ok {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "", "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		case "s", "show":
			for _, m := range preview.Messages {
				p.print("\nto %s, %s: %s\n\n", visible(m.To), roleText(m.Role), visible(m.Subject))
				p.text(strings.TrimRight(m.Body, "\n") + "\n")
			}
			if err := p.flush(); err != nil {
				return false, err
			}
		}
	}
}

// rehearse finds out whether a session can be started before a store is made for it.
func (s *startAnswers) rehearse(ctx context.Context, start projectFunc) (report, error) {
	dsn, err := s.app.storeDSN(ctx)
	if err != nil || project.StoreExists(dsn) {
		return nil, err
	}
	s.flags.dryRun = true
	defer func() { s.flags.dryRun = false }()
	return s.app.inProject(start)(ctx, nil)
}

// keep prints what was typed as a command that can be repeated, if the session was not started.
func (s *startAnswers) keep(err error) error {
	if len(s.words) == 0 {
		return err
	}
	words := slices.Concat([]string{"brenner"}, s.app.args, s.words)
	for i, word := range words {
		words[i] = strings.ReplaceAll(shellWord(word), "\x1b", "") // lines of a context stay lines
	}
	p := newPrinter(s.app)
	if err == nil {
		p.note("nothing was sent")
	}
	p.note("what you typed, as a command:\n%s", strings.Join(words, " "))
	p.err.Flush()
	return err
}
