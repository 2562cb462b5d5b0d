package turn

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"brenner/internal/pattern"
)

// Limit is a service's answer that it takes no more for now.
type Limit struct {
	Reason string    // overload, rate limit, usage limit
	Until  time.Time // when to try again; zero: it does not say
	Words  string    // of the program, on one line
}

// limitFact is what a stream says of a limit in numbers.
type limitFact struct {
	rejected bool
	until    float64 // seconds since 1970; 0: unknown
	status   int     // of HTTP
}

// words by which the three programs tell of limits, the more particular first.
var limitWords = []struct {
	reason string
	words  func() *regexp.Regexp
}{
	{"rate limit", pattern.Lazy(`(?i)rate.?limit reached`)},
	{"usage limit", pattern.Lazy(`(?i)usage limit|hit your (?:\w+ )?limit|\blimit reached\b|exhausted your (?:\w+ ` +
		`)*(?:quota|capacity)|exceeded your current quota|quota will reset`)},
	{"overload", pattern.Lazy(`(?i)overloaded|at capacity|experiencing high (?:demand|load|traffic)|\b529\b|\b503\b|\bUNAVAILABLE\b`)},
	{"rate limit", pattern.Lazy(`(?i)rate.?limit|too many requests|\b429\b|RESOURCE_EXHAUSTED|quota`)},
}

// Limit tells whether a turn ended because of a limit of the service that the program uses. It is asked of
// programs that failed: errs is what such a program wrote to its standard error. An agent that talks about
// limits has not met one: only what the program itself says of its failure is looked at, and what a program
// without a stream printed last.
func (t *Turn) Limit(errs string, now time.Time) (Limit, bool) {
	texts := []string{}
	for _, s := range t.Steps {
		if s.Kind == Failure {
			texts = append(texts, s.Text)
		}
	}
	if t.Format == "text" {
		texts = append(texts, tail(t.Said()))
	}
	texts = append(texts, tail(errs))
	l, found := limitIn(texts, now)
	for _, f := range t.limits {
		switch {
		case f.rejected:
			found, l.Reason = true, orElse(l.Reason, "usage limit")
			if at := time.Unix(int64(f.until), 0).UTC(); f.until > 0 && f.until < 1<<40 && at.After(now) {
				l.Until = at
			}
		case f.status == 429:
			found, l.Reason = true, orElse(l.Reason, "rate limit")
		case f.status == 529 || f.status == 503:
			found, l.Reason = true, orElse(l.Reason, "overload")
		}
	}
	return l, found
}

func orElse(have, other string) string {
	if have != "" {
		return have
	}
	return other
}

func limitIn(texts []string, now time.Time) (Limit, bool) {
	for _, text := range texts {
		for _, w := range limitWords {
			at := w.words().FindStringIndex(text)
			if at == nil {
				continue
			}
			return Limit{Reason: w.reason, Until: until(text, now), Words: cut(lineAt(text, at[0]), 300)}, true
		}
	}
	return Limit{}, false
}

// lineAt is the line of a text around a place.
func lineAt(text string, at int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[from:], "\n")
	return strings.TrimSpace(line)
}

// tail is the end of a text: it says why a program failed.
func tail(text string) string {
	const maxTail = 4 << 10
	return text[max(0, len(text)-maxTail):]
}

var (
	epoch = pattern.Lazy(`\|(\d{10})\b`)
	after = pattern.Lazy(`(?i)(?:(?:try again|retry|reset|resets|available)(?:ing)?(?: again)? ` +
		`(?:in|after)|retry-after:|retryDelay"?:) *"?((?:\d+(?:\.\d+)? ?(?:days?|hours?|minutes?|mins?|seconds?|secs?|ms|d|h|m|s)?[ ` +
		`,]*(?:and )?)+)`)
	part    = pattern.Lazy(`(\d+(?:\.\d+)?) ?(days?|hours?|minutes?|mins?|seconds?|secs?|ms|d|h|m|s)?`)
	date    = pattern.Lazy(`(?i)(?:try again|resets?) at ([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?, (\d{4}) (\d{1,2}:\d{2} [AP]M)`)
	oclock  = pattern.Lazy(`(?i)(?:try again|resets?)(?: at)? (\d{1,2})(?::(\d{2}))? ?([ap]m)(?: \(([A-Za-z_+/-]{1,40})\))?`)
	seconds = map[byte]float64{'d': 86400, 'h': 3600, 'm': 60, 's': 1, 0: 1}
)

// until reads when to try again; zero: the text does not say.
func until(text string, now time.Time) time.Time {
	if m := epoch().FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		return later(time.Unix(n, 0).UTC(), now)
	}
	if m := date().FindStringSubmatch(text); m != nil {
		at, err := time.ParseInLocation("Jan 2 2006 3:04 PM", m[1]+" "+m[2]+" "+m[3]+" "+strings.ToUpper(m[4]), time.Local)
		if err == nil {
			return later(at.UTC(), now)
		}
	}
	if m := after().FindStringSubmatch(text); m != nil {
		return later(now.Add(span(m[1])), now)
	}
	if m := oclock().FindStringSubmatch(text); m != nil {
		return nextTime(m, now)
	}
	return time.Time{}
}

// span reads "11.054s", "3 days 4 hours", "1h2m".
func span(text string) time.Duration {
	total := 0.0
	for _, m := range part().FindAllStringSubmatch(text, -1) {
		n, _ := strconv.ParseFloat(m[1], 64)
		unit := byte(0)
		if m[2] != "" {
			unit = strings.ToLower(m[2])[0]
		}
		if strings.EqualFold(m[2], "ms") {
			n /= 1000
			unit = 's'
		}
		total += n * seconds[unit]
	}
	return time.Duration(min(total, 1e8) * float64(time.Second))
}

// nextTime is the next moment at which the clock of a place shows a time.
func nextTime(m []string, now time.Time) time.Time {
	place := time.Local
	if m[4] != "" {
		if found, err := time.LoadLocation(m[4]); err == nil {
			place = found
		}
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	if hour > 12 || minute > 59 {
		return time.Time{}
	}
	hour %= 12
	if strings.EqualFold(m[3], "pm") {
		hour += 12
	}
	here := now.In(place)
	at := time.Date(here.Year(), here.Month(), here.Day(), hour, minute, 0, 0, place)
	if !at.After(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at.UTC()
}

func later(at, now time.Time) time.Time {
	if at.After(now) {
		return at
	}
	return time.Time{}
}
