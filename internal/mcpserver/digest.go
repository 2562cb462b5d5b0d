package mcpserver

import (
	"fmt"
	"regexp"
	"strings"

	"brenner/internal/mail"
	"brenner/internal/markup"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// digest is what can be said about a thread by rule; no model is called.
type digest struct {
	Participants []string `json:"participants"`
	KeyPoints    []string `json:"key_points"`
	ActionItems  []string `json:"action_items"`
	Total        int      `json:"total_messages"`
}

// The bounds of a digest.
const (
	maxPoints = 30
	maxPoint  = 240
)

// summarize reads a thread, oldest message first: who takes part; what each message is about by
// its subject, and the list items in its prose; open check boxes and lines that call for action,
// and whatever asks or is blocked.
func summarize(messages []mail.Message) digest {
	d := digester{seen: map[string]bool{}, digest: digest{
		Participants: []string{}, KeyPoints: []string{}, ActionItems: []string{}, Total: len(messages),
	}}
	for i := range messages {
		d.message(&messages[i])
	}
	return d.digest
}

type digester struct {
	digest digest
	seen   map[string]bool
}

func (d *digester) message(m *mail.Message) {
	d.person(m.From)
	for _, names := range [][]string{m.To, m.Cc} {
		for _, name := range names {
			d.person(name)
		}
	}
	subject, _ := protocol.ParseSubject(m.Subject, protocol.Lenient)
	if !subject.Reply {
		d.point(fmt.Sprintf("%s (%s)", m.Subject, m.From))
	}
	switch m.Type {
	case protocol.TypeQuestion, protocol.TypeBlocked, protocol.TypeHandoff:
		d.action(fmt.Sprintf("%s (%s)", m.Subject, m.From))
	case protocol.TypeCompiled, protocol.TypeKickoff:
		return // an artifact, and a prompt: their lists are no news
	}
	doc := markup.Parse(m.Body)
	for _, span := range doc.Prose() {
		for line := range strings.Lines(m.Body[span.Start:span.End]) {
			d.line(line)
		}
	}
}

var (
	checkBox = pattern.Lazy(`^\s{0,8}[-*+]\s+\[ \]\s+(\S.*)$`)
	doneBox  = pattern.Lazy(`^\s{0,8}[-*+]\s+\[[xX]\]\s`)
	callWord = pattern.Lazy(`^\s{0,8}(?:[-*+]\s+)?(?:\*\*)?(?:TODO|ACTION|NEXT|FIXME|ASK|BLOCKED)\b(?:\*\*)?\s*:?\s*(\S.*)$`)
	listItem = pattern.Lazy(`^\s{0,8}(?:[-*+]|[0-9]{1,3}[.)])\s+(\S.*)$`)
)

func (d *digester) line(line string) {
	line = strings.TrimRight(line, " \t\r\n")
	for _, called := range []*regexp.Regexp{checkBox(), callWord()} {
		if m := called.FindStringSubmatch(line); m != nil {
			d.action(m[1])
			return
		}
	}
	if m := listItem().FindStringSubmatch(line); m != nil && !doneBox().MatchString(line) {
		d.point(m[1])
	}
}

func (d *digester) person(name string) {
	if d.first("who " + mail.NameKey(name)) {
		d.digest.Participants = append(d.digest.Participants, name)
	}
}

func (d *digester) point(text string) {
	if len(d.digest.KeyPoints) < maxPoints && d.first("point "+text) {
		d.digest.KeyPoints = append(d.digest.KeyPoints, shorten(text))
	}
}

func (d *digester) action(text string) {
	if len(d.digest.ActionItems) < maxPoints && d.first("action "+text) {
		d.digest.ActionItems = append(d.digest.ActionItems, shorten(text))
	}
}

// first tells whether a thing has not been said yet.
func (d *digester) first(what string) bool {
	if d.seen[what] {
		return false
	}
	d.seen[what] = true
	return true
}

func shorten(text string) string {
	return protocol.Fit(strings.Join(strings.Fields(text), " "), maxPoint)
}
