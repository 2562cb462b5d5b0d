package session

import (
	"context"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/message"
)

// publication names a COMPILED message, the same in every store.
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

// mostPublished is how many are remembered (BenchmarkSessionPage).
const mostPublished = 64

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
