package session

import (
	"context"
	"time"

	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// Word is what a person tells the run of a session: the subject of a message on its thread, from a sender
// that is not an agent of the run. It reaches the runner wherever that is, and whenever it is started.
type Word string

// The words.
const (
	WordStop  Word = "INFO: Stop the run"
	WordPause Word = "INFO: Pause the run"      // before the next program is started
	WordGo    Word = "INFO: Go on with the run" // after a pause, or at a gate
)

var wordBodies = map[Word]string{
	WordStop: "# Stop the run\n\nThe unattended run of this session ends now. What was contributed stays; started again, the run " +
		"goes on.\n",
	WordPause: "# Pause the run\n\nThe unattended run of this session starts nobody until it is told to go on. Who is at work may " +
		"finish.\n",
	WordGo: "# Go on with the run\n\nThe unattended run of this session goes on.\n",
}

// TellRun says a word to the run of a thread. The message is on the thread when it returns. NOT_ALLOWED: the
// sender is one of the agents, to whom no run listens.
func (s *Sessions) TellRun(ctx context.Context, threadID, as string, word Word, reason string) (mail.Message, error) {
	of, err := s.Session(ctx, threadID)
	if err != nil {
		return mail.Message{}, err
	}
	if roster, ok := of.View.Fold.Roster(); ok {
		if _, listed := roster.Entry(as); listed {
			return mail.Message{}, protocol.Errorf(protocol.NotAllowed, "%s is an agent of %s: only a person tells its run what to do", as,
				threadID)
		}
	}
	body := wordBodies[word]
	if text := message.Contain(reason); text != "" {
		body += "\n## Reason\n\n" + text + "\n"
	}
	no := false
	sent, err := s.tell(ctx, of.View, mail.Outgoing{Draft: message.Draft{From: as, Subject: string(word), Body: body, AckRequired: &no}})
	return sent.Message, err
}

// wordsBack is how many of the latest messages are searched for a word.
const wordsBack = 50

// wordSince is the last word to a run, if it was said since a time; empty: none was.
func (s *Sessions) wordSince(ctx context.Context, threadID string, since time.Time) (Word, error) {
	latest, err := s.store().Messages(ctx, mail.MessageQuery{Project: s.project(), Thread: threadID, Order: mail.NewestFirst,
		Limit: wordsBack})
	if err != nil {
		return "", err
	}
	for i := range latest {
		if m := &latest[i]; wordBodies[Word(m.Subject)] != "" {
			if m.CreatedAt.Before(since) {
				return "", nil
			}
			return Word(m.Subject), nil
		}
	}
	return "", nil
}
