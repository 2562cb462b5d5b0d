package play

import (
	"cmp"
	"context"
	"math"
	"slices"

	"brenner/internal/app"
	"brenner/internal/dispute"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/runner"
	"brenner/internal/science"
	"brenner/internal/session"
)

// Score is how an agent did in a play, counted from its thread. What nothing was found for is null.
type Score struct {
	ThreadID string      `json:"thread_id"`
	Dispute  string      `json:"dispute"`
	Arm      dispute.Arm `json:"arm"`
	Agent    string      `json:"agent"`
	Model    string      `json:"model"`
	Answer   *string     `json:"answer"` // null until the play has ended

	Gains    []float64 `json:"-"`        // bits that each forecast saved over chance
	Forecast Measure   `json:"forecast"` // their mean
	Results  int       `json:"results"`
	Uptake   *float64  `json:"uptake"`
	Revision *float64  `json:"revision"`
	Drift    *float64  `json:"drift"`
	Refuted  int       `json:"refuted"`
	Revised  int       `json:"revised"`

	Rewritten int `json:"rewritten"` // predictions written after the result
	Quotes    int `json:"quotes"`    // that could be checked
	False     int `json:"false_quotes"`

	OnAnswer   *float64 `json:"on_answer"`   // its last credence
	OnNone     *float64 `json:"on_none"`     // the same, where none of the rivals is the answer
	Effort     *float64 `json:"effort"`      // spent before it was sure of the answer; null: it never was
	BestEffort *float64 `json:"best_effort"` // that the best choice of tests takes; null: none makes sure
	Economy    *float64 `json:"economy"`     // best effort by effort, 0 if it never was sure

	Requests int   `json:"requests"` // of its program
	Tokens   int64 `json:"tokens"`
}

// Measure is a mean with its 90 % interval. Fewer than ten, or an interval that holds 0, cannot tell.
type Measure struct {
	N        int             `json:"n"`
	Mean     *float64        `json:"mean"`
	Interval *[2]float64     `json:"interval"`
	Verdict  science.Skilled `json:"verdict"`
}

// fewest is how many are needed to tell (SCIENCE 7).
const fewest = 10

// MeasureOf takes the mean of a sample.
func MeasureOf(sample []float64) Measure {
	m := Measure{N: len(sample), Verdict: science.CannotTell}
	if m.N == 0 {
		return m
	}
	mean, squares := 0.0, 0.0
	for _, x := range sample {
		mean += x / float64(m.N)
	}
	m.Mean = &mean
	if m.N < 2 {
		return m
	}
	for _, x := range sample {
		squares += (x - mean) * (x - mean)
	}
	half := 1.645 * math.Sqrt(squares/float64(m.N-1)) / math.Sqrt(float64(m.N))
	m.Interval = &[2]float64{mean - half, mean + half}
	switch {
	case m.N < fewest:
	case m.Interval[0] > 0:
		m.Verdict = science.Better
	case m.Interval[1] < 0:
		m.Verdict = science.Worse
	}
	return m
}

// Scores counts from the thread of a play how its agents did. INVALID_INPUT: the thread plays no dispute.
func Scores(ctx context.Context, a *app.App, thread string) ([]Score, error) {
	s, err := a.Sessions.Session(ctx, thread)
	if err != nil {
		return nil, err
	}
	messages, err := a.Store.Messages(ctx, mail.MessageQuery{Project: a.Mail.Project().ID, Thread: thread})
	if err != nil {
		return nil, err
	}
	l := ledger{session: s, messages: messages}
	if err := l.read(thread); err != nil {
		return nil, err
	}
	signs, err := s.Signs()
	if err != nil {
		return nil, err
	}
	quotes, err := s.CheckQuotes(ctx)
	if err != nil {
		return nil, err
	}
	scores := []Score{}
	for _, sign := range signs.Rows {
		if mail.NameKey(*sign.Agent) == mail.NameKey(mail.Operator) {
			continue
		}
		score := l.score(sign)
		score.count(messages, quotes)
		if err := score.spent(a); err != nil {
			return nil, err
		}
		scores = append(scores, score)
	}
	return scores, nil
}

// ledger is what a thread says about a play.
type ledger struct {
	session  *session.Session
	messages []mail.Message
	terms    dispute.Terms
	debrief  dispute.Debrief
	ended    bool
	best     Reach
}

func (l *ledger) read(thread string) error {
	setup := -1
	for i := range l.messages {
		m := &l.messages[i]
		if mail.NameKey(m.From) != mail.NameKey(mail.Operator) {
			continue
		}
		if terms, ok := dispute.ReadTerms(m.Body); ok && l.terms.Dispute == "" && m.Type == protocol.TypeKickoff {
			l.terms = terms
		}
		if setup < 0 && m.Type == protocol.TypeDelta {
			setup = i
		}
		if debrief, ok := dispute.ReadDebrief(m.Body); ok {
			l.debrief, l.ended = debrief, true
		}
	}
	if l.terms.Dispute == "" || setup < 0 {
		return protocol.Errorf(protocol.InvalidInput, "%s plays no dispute", protocol.Shorten(thread, 80))
	}
	if l.ended {
		l.best = reach(l.messages[:setup+1], l.debrief.Answer, l.debrief.Results)
	}
	return nil
}

// score takes what the kernel counts, and the effort.
func (l *ledger) score(sign science.Sign) Score {
	score := Score{ThreadID: l.session.ID(), Dispute: l.terms.Dispute, Arm: l.terms.Arm, Agent: *sign.Agent,
		Model: l.session.People().Agent(*sign.Agent).Model, Results: sign.Results, Uptake: sign.Uptake, Revision: sign.Revision,
		Drift: sign.Drift, Refuted: sign.Refuted, Revised: sign.Revised, Rewritten: sign.Rewritten}
	for _, f := range l.session.Account().Scores() {
		if mail.NameKey(f.Agent) == mail.NameKey(score.Agent) && !f.Self {
			score.Gains = append(score.Gains, f.BaselineLogBits()-f.LogBits())
		}
	}
	score.Forecast = MeasureOf(score.Gains)
	if l.ended {
		score.Answer = &l.debrief.Answer
		l.answered(&score)
	}
	return score
}

// answered follows an agent's credence in the answer, beside what was spent.
func (l *ledger) answered(score *Score) {
	if l.debrief.Answer == dispute.Open {
		return
	}
	results := map[int64]string{}
	for _, r := range l.session.Results() {
		results[r.MessageID] = string(r.Test)
	}
	spent := 0.0
	for i := range l.messages {
		m := &l.messages[i]
		spent += l.best.efforts[results[m.ID]]
		if mail.NameKey(m.From) != mail.NameKey(score.Agent) {
			continue
		}
		heard, _ := message.Beliefs(&m.Message, nil)
		for _, b := range heard {
			for _, c := range b.Credences {
				if c.World != l.debrief.Answer {
					continue
				}
				score.OnAnswer = &c.P
				if effort := spent; c.P >= Sure && score.Effort == nil {
					score.Effort = &effort
				} else if c.P < Sure {
					score.Effort = nil // it was not sure after all
				}
			}
		}
	}
	if l.debrief.Answer == dispute.None {
		score.OnNone = score.OnAnswer
	}
	if score.BestEffort = l.best.Effort; score.BestEffort == nil {
		return
	}
	economy := 0.0
	if score.Effort != nil {
		economy = min(1, *score.BestEffort/max(*score.Effort, math.SmallestNonzeroFloat64))
	}
	score.Economy = &economy
}

// count counts the agent's quotations that could be checked.
func (s *Score) count(messages []mail.Message, quotes session.QuoteCheck) {
	for _, q := range quotes.Quotes {
		if q.MessageID == nil || q.Found == nil {
			continue
		}
		i := slices.IndexFunc(messages, func(m mail.Message) bool { return m.ID == *q.MessageID })
		if i < 0 || mail.NameKey(messages[i].From) != mail.NameKey(s.Agent) {
			continue
		}
		s.Quotes++
		if !*q.Found {
			s.False++
		}
	}
}

// spent counts the turns of the agent's program.
func (s *Score) spent(a *app.App) error {
	turns, err := runner.Turns(a.Project.Root, runner.TurnQuery{ThreadID: s.ThreadID, Agent: s.Agent})
	for _, t := range turns {
		s.Requests++
		if t.Usage != nil {
			s.Tokens += t.Usage.Tokens()
		}
	}
	return err
}

// Runs lists the threads of a project that play a dispute, in the order of their names.
func Runs(ctx context.Context, a *app.App) ([]string, error) {
	list, err := a.Sessions.List(ctx)
	if err != nil {
		return nil, err
	}
	var threads []string
	for _, summary := range list {
		first, err := a.Store.Messages(ctx, mail.MessageQuery{Project: a.Mail.Project().ID, Thread: summary.ThreadID, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(first) == 0 {
			continue
		}
		if _, ok := dispute.ReadTerms(first[0].Body); ok {
			threads = append(threads, summary.ThreadID)
		}
	}
	slices.SortFunc(threads, cmp.Compare)
	return threads, nil
}
