package turn

import (
	"bytes"
	"fmt"
	"time"

	"brenner/internal/pattern"
)

// Retry is what a program says of a service that refuses it while it tries again.
type Retry struct {
	Attempt, Most int
	Status        int    // of HTTP; 0: it does not say
	Error         string // a word of the program
}

func (r Retry) String() string {
	text := fmt.Sprintf("%s, attempt %d of %d", r.Error, r.Attempt, r.Most)
	if r.Status > 0 {
		text = fmt.Sprintf("%d %s", r.Status, text)
	}
	return text
}

// What programs and their services call a login that is not known.
const (
	authenticationFailed = "authentication_failed"
	unauthorized         = 401
)

// refusedBy reads a retry of Claude Code.
func (t *Turn) refusedBy(e *event) {
	t.retry = &Retry{Attempt: e.Attempt, Most: e.Most, Status: e.Refused, Error: cut(clean(textOf(e.Error)), maxWord)}
	if t.retry.Status == unauthorized || t.retry.Error == authenticationFailed {
		t.barred = t.retry.String()
	}
}

// Retrying is what the program met last, if it tries again.
func (t *Turn) Retrying() (Retry, bool) {
	if t.retry == nil {
		return Retry{}, false
	}
	return *t.retry, true
}

// barredWords are those by which programs and their services tell that a login is not known.
var barredWords = pattern.Lazy(`(?i)\b401\b|unauthori[sz]ed|authentication_(?:error|failed)|invalid (?:x-)?api.?key|api key not valid|` +
	`please run /login|not logged in|\bUNAUTHENTICATED\b|please set an auth method`)

// Barred says what the service of a program said when it did not know it. Whether the stream says so shows at once;
// errs, what the program wrote to its standard error, is only asked where it has failed.
func (t *Turn) Barred(errs string) (words string, barred bool) {
	if t.barred != "" {
		return t.barred, true
	}
	texts := []string{}
	if errs != "" {
		texts = append(texts, tail(errs))
	}
	for _, s := range t.Steps {
		if s.Kind == Failure {
			texts = append(texts, s.Text)
		}
	}
	for _, text := range texts {
		if at := barredWords().FindStringIndex(text); at != nil {
			return cut(lineAt(text, at[0]), 300), true
		}
	}
	return "", false
}

// bytesOfToken is how many bytes of text a token takes, about.
const bytesOfToken = 4

// Spent is what the turn has cost so far: as the program and its answers say, and an estimate of what they do not say, for a program
// that sums up only at the end. prompt is how many bytes the program was given. nil: nothing is known.
func (t *Turn) Spent(prompt int) *Usage {
	var sum Usage
	if t.Usage != nil {
		sum = *t.Usage
		if sum.Dollars != nil {
			sum.Dollars = new(*sum.Dollars)
		}
	}
	for _, a := range t.answers {
		sum.Add(a)
	}
	if guess := t.guess(prompt); guess != nil {
		sum.Add(*guess)
	} else if t.Usage == nil && len(t.answers) == 0 {
		return nil
	}
	return &sum
}

// guess estimates what was asked of a service since the program last summed up: each request sends all that came before it.
func (t *Turn) guess(prompt int) *Usage {
	if t.Format != "codex" && t.Format != "gemini" && t.Format != "acp" || len(t.Steps) == t.counted || t.counting.told {
		return nil
	}
	u := Usage{Estimated: true}
	context, answering := int64(prompt), false
	for i, s := range t.Steps {
		size := int64(len(s.Text))
		own := s.Kind == Text || s.Kind == Call
		if own && i >= t.counted {
			if !answering {
				u.InputTokens += context / bytesOfToken
			}
			u.OutputTokens += size / bytesOfToken
		}
		if s.Kind != Failure {
			context, answering = context+size, own
		}
	}
	if u.Tokens() == 0 {
		return nil // it has not answered yet
	}
	return &u
}

// Meter reads the output of a program while that goes on. The zero Meter is ready.
type Meter struct {
	turn  Turn
	piece []byte // of a line that is not over
}

// maxPiece bounds a line: what is longer is no event that counts.
const maxPiece = 8 << 20

// Write implements io.Writer. It never fails.
func (m *Meter) Write(p []byte) (int, error) {
	if m.turn.calls == nil {
		m.turn = begin()
	}
	for rest := p; ; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if len(m.piece) < maxPiece {
			m.piece = append(m.piece, line...)
		}
		if !whole {
			return len(p), nil
		}
		m.turn.line(m.piece)
		m.piece, rest = m.piece[:0], after
	}
}

// Turn is what was read so far. It is valid until the next Write.
func (m *Meter) Turn() *Turn { return &m.turn }

// UntilTold is the time of a limit, or after a while where its service names none.
func (l Limit) UntilTold(now time.Time, otherwise time.Duration) time.Time {
	if l.Until.IsZero() {
		return now.Add(otherwise)
	}
	return l.Until.Add(time.Second)
}
