package session

import (
	"context"
	"fmt"
	"slices"

	"brenner/internal/artifact/delta/repair"
	"brenner/internal/canon"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/prompt"
	"brenner/internal/protocol"
)

// ChatReply is what a person brought back from a chat that was asked with the prompt of an agent's turn.
type ChatReply struct {
	ThreadID string
	Agent    string
	Text     string // as it was copied
	DryRun   bool   // it is judged, and not sent
}

// HandedIn is what became of it. When it is refused, Mend asks the chat for a better one.
type HandedIn struct {
	Verdict mail.Verdict
	Body    string // of the message
	LeftOut []string
	Repairs []protocol.Finding
	More    int // repairs that are counted only
	Mend    string
}

// TurnOf is Turn while the session goes on. CONFLICT: it is over, and nobody is asked any more.
func (s *Session) TurnOf(ctx context.Context, agent string) (prompt.Turn, error) {
	if s.View.Phase().Over() {
		return prompt.Turn{}, protocol.Errorf(protocol.Conflict, "%s is complete: nobody is asked any more", s.ID())
	}
	if i := s.View.CallOf(agent); i >= 0 {
		agent = s.View.Calls[i].Agent // as it is written there
	}
	return s.Turn(ctx, agent)
}

// CallsOf lists the open sessions that called an agent to a round: first those that it has not answered, the one that waits longest
// first, then those that called it lately.
func (s *Sessions) CallsOf(ctx context.Context, agent string) ([]string, error) {
	open, err := s.openSummaries(ctx, nil)
	if err != nil {
		return nil, err
	}
	type called struct {
		thread string
		fold.Call
	}
	var calls []called
	for _, m := range open {
		for _, c := range m.calls {
			if c.Direct && protocol.SameAgent(c.Agent, agent) {
				calls = append(calls, called{m.ThreadID, c})
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b called) int {
		switch waits := a.Answered.IsZero(); {
		case waits != b.Answered.IsZero() && waits:
			return -1
		case waits != b.Answered.IsZero():
			return 1
		case waits:
			return a.At.Compare(b.At)
		}
		return b.At.Compare(a.At)
	})
	threads := make([]string, len(calls))
	for i := range calls {
		threads[i] = calls[i].thread
	}
	return threads, nil
}

// HandIn posts what a chat answered in the name of its agent: as a DELTA if it has blocks, else as an INFO. The same answer to the same
// KICKOFF is one message, however often it is handed in.
func (s *Sessions) HandIn(ctx context.Context, r ChatReply) (HandedIn, error) {
	of, err := s.Session(ctx, r.ThreadID)
	if err != nil {
		return HandedIn{}, err
	}
	t, err := of.TurnOf(ctx, r.Agent)
	if err != nil {
		return HandedIn{}, err
	}
	read, err := t.ReadChat(r.Text)
	if err != nil {
		return HandedIn{}, err
	}
	author, err := s.author(ctx, r.Agent)
	if err != nil {
		return HandedIn{}, err
	}
	to, err := of.Receivers(ctx, author.Name)
	if err != nil {
		return HandedIn{}, err
	}
	fixed := repair.FixOwn(read.Body)
	d := chatDraft(&author, t.Round, fixed)
	d.ThreadID, d.From, d.To = of.ID(), author.Name, to
	done := HandedIn{Body: d.Body, LeftOut: read.LeftOut, Repairs: fixed.Repairs, More: fixed.MoreRepairs}
	seal := canon.SumTexts(d.Subject, d.Body)
	out := mail.Outgoing{Draft: d, Seal: seal, Key: fmt.Sprintf("ask:%d:%s:%s", t.KickoffID, mail.NameKey(author.Name), seal)}
	if r.DryRun {
		done.Verdict, err = s.mail.Judge(ctx, out)
	} else {
		done.Verdict, err = s.mail.Send(ctx, out)
	}
	v := &done.Verdict
	if v.Message.ID == 0 {
		v.Message.Subject, v.Message.To = d.Subject, to
	}
	v.Findings = slices.DeleteFunc(slices.Clone(v.Findings), func(f protocol.Finding) bool {
		return f.Severity != protocol.SeverityError && (f.Path == "subject" || f.Path == "thread_id") // who answered chose neither
	})
	if protocol.HasErrors(v.Findings) {
		done.Mend = t.ChatMend(v.Findings)
	}
	return done, err
}

// chatDraft chooses the subject of an answer, and so its type. What reads like a delta and is none goes through the door as a DELTA,
// which says what is wrong with it.
func chatDraft(author *mail.Agent, round int, fixed repair.Result) message.Draft {
	if fixed.Receipt.Found == 0 && len(fixed.Unrepaired) == 0 {
		return message.Draft{Subject: fmt.Sprintf("INFO: Answer in round %d", round), Body: "# Information\n\n" + fixed.Text}
	}
	return message.Draft{Subject: author.DeltaSubject("%s in round %d", protocol.Plural(fixed.Receipt.Found, "change"), round),
		Body: fixed.Text}
}
