package session

import (
	"context"
	"strings"
	"sync"
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

// recentTexts remembers what the texts of messages say. A message never changes: its chain hash stands
// for all of it. Safe for concurrent use.
type recentTexts struct {
	mu        sync.Mutex
	checked   map[canon.Hash]checkedText
	published map[publication]publishedText
}

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

// publishedText is what a COMPILED message says, without the artifact.
type publishedText struct {
	Message    mail.Message // without its text
	Summary    string
	Stats      artifact.Stats
	Validation message.Validation
}

// How many are remembered: some pages of threads, and some cards of versions. What was read keeps the
// text that it was read from in memory, so that long ones are read again.
const (
	mostChecked   = 1000
	mostPublished = 64
	longText      = 16 << 10
)

// check judges the text of a message. Mail of a foreign server has no hash, and is read every time.
func (r *recentTexts) check(m *mail.Message) checkedText {
	r.mu.Lock()
	known, ok := r.checked[m.ChainHash]
	r.mu.Unlock()
	if ok {
		return known
	}
	report := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
	known = checkedText{report.Receipt, report.Findings}
	if m.ChainHash == (canon.Hash{}) || len(m.Body) > longText {
		return known
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.checked == nil || len(r.checked) >= mostChecked {
		r.checked = map[canon.Hash]checkedText{}
	}
	r.checked[m.ChainHash] = known
	return known
}

// publishedText reads the message of a version.
func (s *Sessions) publishedText(ctx context.Context, v merge.Version) (publishedText, error) {
	r, key := &s.texts, publication{v.MessageID, v.At, v.Subject}
	r.mu.Lock()
	known, ok := r.published[key]
	r.mu.Unlock()
	if ok {
		return known, nil
	}
	m, err := s.mail.Message(ctx, v.MessageID)
	if err != nil {
		return known, err
	}
	compiled, _ := message.ParseCompiled(markup.Parse(m.Body))
	m.Body = ""
	known = publishedText{m, strings.Clone(compiled.Summary), compiled.Stats, compiled.Validation}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.published == nil || len(r.published) >= mostPublished {
		r.published = map[publication]publishedText{}
	}
	r.published[key] = known
	return known, nil
}
