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
	of         publication
	Message    mail.Message // without its text
	Summary    string
	Stats      artifact.Stats
	Validation message.Validation
}

// publishedText reads the message of the latest version, once for all revisions that have it.
func (s *Session) publishedText(ctx context.Context) (publishedText, error) {
	version := s.View.Fold.Latest()
	s.mu.Lock()
	known := s.latest
	s.mu.Unlock()
	if known != nil && known.of == publicationOf(version) {
		return *known, nil
	}
	m, err := s.of.mail.Message(ctx, version.MessageID)
	if err != nil {
		return publishedText{}, err
	}
	compiled, _ := message.ParseCompiled(markup.Parse(m.Body))
	m.Body = ""
	text := publishedText{publicationOf(version), m, strings.Clone(compiled.Summary), compiled.Stats, compiled.Validation}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest = &text
	return text, nil
}
