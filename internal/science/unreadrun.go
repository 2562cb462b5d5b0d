package science

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
)

// runForm is the form of a member of last_run.
type runForm struct {
	name string
	form string // in words
	fits func(raw json.RawMessage) bool
}

// runForms are the members of last_run that say something of a result (SCIENCE 2).
var runForms = []runForm{
	{"outcome", "a text that is not blank", isWords},
	{"unforeseen", "a text that is not blank", isWords},
	{"value", "a number with its error, such as 73 ± 1", func(raw json.RawMessage) bool { _, ok := quantity.ReadValue(raw); return ok }},
	{"exploratory", "true or false", func(raw json.RawMessage) bool { return string(raw) == "true" || string(raw) == "false" }},
	{"note", "a text", isText},
	{"reason", "a text", isText},
	{"evidence", `a list of texts, such as ["EV-003"]`, isTexts},
	{"performed", "a day such as 2026-01-09", func(raw json.RawMessage) bool { return day(wordsOfMember(raw)) != "" }},
	{"started", "a time such as 2026-01-09T10:00:00Z", func(raw json.RawMessage) bool { return !instant(wordsOfMember(raw)).IsZero() }},
	{"potency", `"passed" or "failed"`, func(raw json.RawMessage) bool { return isPotency(wordsOfMember(raw)) }},
	{"replicates", "the number of a message", isReference},
	{"withdraws", "the number of a message", isReference},
}

func isWords(raw json.RawMessage) bool { return wordsOfMember(raw) != "" }

func isText(raw json.RawMessage) bool {
	var text string
	return json.Unmarshal(raw, &text) == nil
}

func isTexts(raw json.RawMessage) bool {
	var list []string
	return json.Unmarshal(raw, &list) == nil
}

func isReference(raw json.RawMessage) bool { return readReference(raw).origin > 0 }

// UnreadRun tells what of the last_run that a block writes has another form than SCIENCE 2 gives it: it is kept as it was written, and
// no view reads it.
func UnreadRun(d *delta.Delta) []protocol.Finding {
	raw, _ := field(d, artifact.LastRun).(artifact.JSON)
	if d.Section != artifact.DiscriminativeTests || raw == "" || raw == "null" {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(raw), &members) != nil {
		return []protocol.Finding{unreadRun(d, "last_run is not read: it must be an object.", "")}
	}
	list := unreadAttempt(d, members)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		i := slices.IndexFunc(runForms, func(f runForm) bool { return strings.EqualFold(f.name, name) })
		switch {
		case i < 0 || string(members[name]) == "null":
		case runForms[i].name != name:
			list = append(list, unreadRun(d, "last_run."+protocol.Brief(name)+" is not read: the name is "+runForms[i].name+".", name))
		case !runForms[i].fits(members[name]):
			list = append(list, unreadRun(d, "last_run."+name+" is not read: it must be "+runForms[i].form+".", name))
		}
	}
	return list
}

// ofResults are the members of last_run that give, repeat or take away a result.
var ofResults = []string{"outcome", "value", "unforeseen", "replicates", "withdraws"}

// unreadAttempt tells what a block that sets blocked or error says of results: it is an attempt, and changes none.
func unreadAttempt(d *delta.Delta, members map[string]json.RawMessage) []protocol.Finding {
	status, _ := field(d, artifact.Status).(artifact.Text)
	if b := (testBlock{status: string(status)}); !b.attempt() {
		return nil
	}
	var list []protocol.Finding
	for _, name := range ofResults {
		if raw := members[name]; raw != nil && string(raw) != "null" {
			text := fmt.Sprintf("last_run.%s is not read: a block that sets the status %s is an attempt, and changes no result.",
				name, status)
			list = append(list, unreadRun(d, text, name).WithFix("Send it in a block of its own that sets no such status."))
		}
	}
	return list
}

func unreadRun(d *delta.Delta, text, member string) protocol.Finding {
	path := artifact.LastRun
	if member != "" {
		path += "." + member
	}
	return protocol.NewFinding(protocol.ResultUnread, "%s", text).On(d.Target).In(delta.InPayload(path))
}
