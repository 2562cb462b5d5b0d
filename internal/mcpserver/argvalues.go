package mcpserver

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// text reads a string; a number or a word of JSON is taken as it is written, as thread ids and names may
// arrive that way.
func (a *arguments) text(names ...string) string {
	name, raw, given := a.value(names...)
	if !given {
		return ""
	}
	text, ok := scalar(raw)
	if !ok {
		a.complain(name, "%s is not a text.", name)
	}
	return text
}

// required reads a string that must be there and not blank.
func (a *arguments) required(names ...string) string {
	name, raw, given := a.value(names...)
	if !given {
		a.missing(name)
		return ""
	}
	text, ok := scalar(raw)
	switch {
	case !ok:
		a.complain(name, "%s is not a text.", name)
	case strings.TrimSpace(text) == "":
		a.missing(name)
	}
	return text
}

// present reads a string that must be there but may be empty.
func (a *arguments) present(name string) string {
	if !a.given(name) {
		a.missing(name)
	}
	return a.text(name)
}

// scalar reads a value that is neither a list nor an object, as text.
func scalar(raw json.RawMessage) (string, bool) {
	switch raw[0] {
	case '"':
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err == nil
	case '{', '[':
		return "", false
	default:
		return string(raw), true
	}
}

// id reads the number of a message.
func (a *arguments) id(name string) int64 {
	n, ok := a.number(name)
	if ok && (n < 1 || n != math.Trunc(n)) {
		a.complain(name, "%s is not a message's number.", name)
	}
	return int64(n)
}

// requiredID reads the number of a message that must be there.
func (a *arguments) requiredID(name string) int64 {
	if !a.given(name) {
		a.missing(name)
	}
	return a.id(name)
}

// integer reads a whole number between two bounds; out of them the nearest bound counts.
func (a *arguments) integer(name string, fallback, least, most int) int {
	n, ok := a.number(name)
	if !ok {
		return fallback
	}
	return int(min(max(n, float64(least)), float64(most)))
}

// number reads a number, also one written as a string (#12 too, as people name messages).
func (a *arguments) number(names ...string) (float64, bool) {
	name, raw, given := a.value(names...)
	if !given {
		return 0, false
	}
	text, ok := scalar(raw)
	n, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(text), "#"), 64)
	if !ok || err != nil || math.IsNaN(n) || math.Abs(n) > 1<<53 {
		a.complain(name, "%s is not a number.", name)
		return 0, false
	}
	return n, true
}

// flag reads true or false; absent it is false.
func (a *arguments) flag(name string) bool {
	set := a.optionalFlag(name)
	return set != nil && *set
}

// optionalFlag tells "not said" from yes and no.
func (a *arguments) optionalFlag(name string) *bool {
	_, raw, given := a.value(name)
	if !given {
		return nil
	}
	text, _ := scalar(raw)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "":
		if string(raw) == `""` {
			return nil
		}
	case "true", "1", "yes":
		yes := true
		return &yes
	case "false", "0", "no":
		no := false
		return &no
	}
	a.complain(name, "%s is neither true nor false.", name)
	return nil
}

// names reads a list of names or paths: a list, one string, or a list written as a string.
func (a *arguments) names(name string) []string {
	_, raw, given := a.value(name)
	if !given {
		return nil
	}
	text, ok := scalar(raw)
	switch {
	case ok && strings.HasPrefix(strings.TrimSpace(text), "["):
		raw = json.RawMessage(text)
	case ok && strings.TrimSpace(text) == "":
		return nil
	case ok:
		return []string{strings.TrimSpace(text)}
	}
	var elements []json.RawMessage
	if crowded(raw) { // inside a string that was not counted
		a.complain(name, "%s has more than %d entries.", name, maxNames)
		return nil
	}
	if json.Unmarshal(raw, &elements) != nil {
		a.complain(name, "%s is not a list of strings.", name)
		return nil
	}
	if len(elements) > maxNames {
		a.complain(name, "%s has more than %d entries.", name, maxNames)
		return nil
	}
	list := make([]string, 0, len(elements))
	for i, element := range elements {
		text, ok := scalar(element)
		if !ok || string(element) == "null" {
			a.complain(name, "%s[%d] is not a string.", name, i)
			continue
		}
		list = append(list, strings.TrimSpace(text))
	}
	return list
}

// agents reads names of agents, which hold no comma: one string may name several.
func (a *arguments) agents(name string) []string {
	var list []string
	for _, entry := range a.names(name) {
		for part := range strings.SplitSeq(entry, ",") {
			if len(list) == maxNames {
				a.complain(name, "%s has more than %d entries.", name, maxNames)
				return nil
			}
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
	}
	return list
}

// instant reads a time.
func (a *arguments) instant(name string) time.Time {
	_, raw, given := a.value(name)
	if !given {
		return time.Time{}
	}
	text, _ := scalar(raw)
	if strings.TrimSpace(text) == "" && string(raw) == `""` {
		return time.Time{}
	}
	at, ok := parseInstant(text)
	if !ok {
		a.complain(name, "%s is not a time.", name)
	}
	return at
}

// The forms in which clients write a time; without a zone it is UTC.
var timeForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02",
}

// parseInstant reads RFC 3339 and its relatives, or seconds since 1970. In an address the plus
// sign of a zone may have become a space.
func parseInstant(text string) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, true
		}
	}
	if i := strings.LastIndexByte(text, ' '); i > 0 && !strings.ContainsRune(text, '+') {
		if t, ok := parseInstant(text[:i] + "+" + text[i+1:]); ok {
			return t, true
		}
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(seconds) < 1e12 {
		return time.UnixMicro(int64(seconds * 1e6)).UTC(), true
	}
	return time.Time{}, false
}
