package session

import (
	"context"
	"strings"
	"time"

	"brenner/artifact"
	"brenner/artifact/delta"
	"brenner/artifact/merge"
	"brenner/canon"
	"brenner/mail"
	"brenner/markup"
	"brenner/message"
	"brenner/protocol"
)

// checkedText is the judgement of a text, as it was taken in.
type checkedText struct {
	Receipt  *delta.Receipt
	Findings []protocol.Finding
}

// publication names a COMPILED message, in whichever store it is read.
type publication struct {
	id      int64
	at      time.Time
	subject string
}

func publicationOf(v merge.Version) publication { return publication{v.MessageID, v.At, v.Subject} }

// publishedText is what a COMPILED message says, without the artifact.
type publishedText struct {
	Message    mail.Message // without its text
	Summary    string
	Stats      artifact.Stats
	Validation message.Validation
}

// How many are remembered: some pages of threads (BenchmarkPages/session/cold), and some versions
// (BenchmarkPages/session/note). What was read keeps the text that it was read from in memory, so that long
// ones are read again.
const (
	mostChecked   = 1000
	mostPublished = 64
	longText      = 16 << 10
)

// check judges the text of a message, which never changes: its chain hash stands for all of it. Mail of a
// foreign server has no hash, and is read every time.
func (s *Sessions) check(m *mail.Message) checkedText {
	if known, ok := s.checked.Get(m.ChainHash); ok {
		return known
	}
	report := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	known := checkedText{report.Receipt, report.Findings}
	if m.ChainHash != (canon.Hash{}) && len(m.Body) <= longText {
		s.checked.Put(m.ChainHash, known)
	}
	return known
}

// publishedText reads the message of a version.
func (s *Sessions) publishedText(ctx context.Context, v merge.Version) (publishedText, error) {
	return s.versions.Of(publicationOf(v), func() (publishedText, error) {
		m, err := s.mail.Message(ctx, v.MessageID)
		if err != nil {
			return publishedText{}, err
		}
		compiled, _ := message.ParseCompiled(markup.Parse(m.Body))
		m.Body = ""
		return publishedText{m, strings.Clone(compiled.Summary), compiled.Stats, compiled.Validation}, nil
	})
}
