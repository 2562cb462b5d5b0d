package cli

import (
	"context"
	"fmt"
	"math"

	project "brenner/internal/app"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/session"
)

// maxShown is how many open sessions brenner alone shows: more would hide the first.
const maxShown = 5

// where answers brenner alone: what is open in the project, what is believed there, and one step on.
func (a *app) where(ctx context.Context, p *project.App, _ []string) (report, error) {
	list, err := p.Sessions.List(ctx)
	if err != nil {
		return nil, err
	}
	r := whereReport{Sessions: []openSession{}}
	for _, summary := range list {
		if summary.Phase == fold.PhaseComplete {
			r.Complete++
			continue
		}
		if len(r.Sessions) == maxShown {
			r.More++
			continue
		}
		s, err := p.Sessions.Session(ctx, summary.ThreadID)
		if err != nil {
			return nil, err
		}
		open, err := opened(ctx, s)
		if err != nil {
			return nil, err
		}
		r.Sessions = append(r.Sessions, open)
	}
	return r, nil
}

func opened(ctx context.Context, s *session.Session) (openSession, error) {
	st, err := s.Status(ctx)
	if err != nil {
		return openSession{}, err
	}
	st.First = asCommands(st.First)
	account := s.Account()
	o := openSession{
		ThreadID: st.ThreadID, Question: st.Question, Phase: st.Phase, Round: st.Round,
		Verdict: account.Verdict(), Next: statusReport{st}.nextStep(),
	}
	if o.Verdict != science.Unsaid {
		id, belief := account.Leader().ID(), math.Round(1e6*account.Top())/1e6 // as beliefs prints it
		o.Leader, o.Belief = &id, &belief
	}
	return o, nil
}

// whereReport is what brenner alone prints.
type whereReport struct {
	Sessions []openSession `json:"sessions"`
	More     int           `json:"more"` // open ones beyond these
	Complete int           `json:"complete"`
}

// openSession is a session in two lines.
type openSession struct {
	ThreadID string          `json:"thread_id"`
	Question string          `json:"question"`
	Phase    fold.Phase      `json:"phase"`
	Round    int             `json:"round"`
	Verdict  science.Verdict `json:"verdict"`
	Leader   *string         `json:"leader"`
	Belief   *float64        `json:"belief"`
	Next     string          `json:"next"`
}

func (r whereReport) show(p *printer) {
	if len(r.Sessions) == 0 {
		r.welcome(p)
		return
	}
	for _, s := range r.Sessions {
		p.print("%s\n", p.style(styleBold, visible(s.ThreadID)))
		if s.Question != "" {
			p.line("  ", protocol.Brief(s.Question))
		}
		p.line("  ", s.belief())
		p.print("  next: %s\n", visible(s.Next))
	}
	if r.More > 0 {
		p.print("%s more: brenner session list\n", count(r.More, "open session"))
	}
}

// belief says where a session stands, in the words of the verdict.
func (s openSession) belief() string {
	at := fmt.Sprintf("%s, round %d", s.Phase, s.Round)
	switch {
	case s.Leader == nil:
		return at + "; nothing is believed yet"
	case *s.Leader == science.None.ID():
		return fmt.Sprintf("%s; %s: none of these has %.0f %%", at, s.Verdict, 100**s.Belief)
	}
	return fmt.Sprintf("%s; %s: %s has %.0f %%", at, s.Verdict, *s.Leader, 100**s.Belief)
}

// welcome is for somebody who has no open session here.
func (r whereReport) welcome(p *printer) {
	p.print("No session is open here.\n")
	p.print("  brenner demo            watch a whole session in a few seconds\n")
	p.print("  brenner session start   begin one: it asks for what it needs\n")
	if r.Complete > 0 {
		p.print("  brenner session list    look at %s\n", count(r.Complete, "complete session"))
		return
	}
	p.print("  brenner help            the commands for every day\n")
}
