package connect

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"

	"encoding/json"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// Without a person at hand, Claude Code uses the servers of a project and their tools only where its own
// settings allow it, and it does not wait for mail by itself. Both are set in a file beside the server's.

// setting is a member of a program's JSON settings.
type setting struct {
	name  string
	value any
}

// callLimit is how long a program may wait for the answer to a call, in milliseconds, where we start the
// server: brenner_wait takes up to maxWait.
const (
	maxWait   = "5m"
	callLimit = 6 * 60 * 1000
)

// tellSeconds is how long a program lets a hook tell something.
const tellSeconds = 30

// hookSeconds is how long a program lets the hook wait.
const hookSeconds = 3600

type (
	hookCommand struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
	hookGroup struct {
		Hooks []hookCommand `json:"hooks"`
	}
)

// waiting is the hook that waits for mail when the turn of an agent in a terminal ends, and tells when its program asks its
// person. It knows its agent by
// AGENT_NAME; without such a name it does nothing. Gemini CLI does not tell its hooks whether a person is
// there, so that a headless run would never end: it has the hook in the cockpit alone.
func waiting(t Target) setting {
	command := shellWord(t.Command) + " mail wait --hook"
	hooks := map[string][]hookGroup{"Stop": {{[]hookCommand{{"command", command, hookSeconds}}}}}
	for _, event := range []string{"PermissionRequest", "Notification", "PostToolUse", "UserPromptSubmit"} {
		hooks[event] = []hookGroup{{[]hookCommand{{"command", command, tellSeconds}}}}
	}
	return setting{"hooks", hooks}
}

var plainWord = pattern.Lazy(`^[A-Za-z0-9_./:@%+=\\-]+$`)

// shellWord quotes a path for the shell that runs hooks.
func shellWord(path string) string {
	switch {
	case plainWord().MatchString(path):
		return path
	case filepath.Separator == '\\':
		return `"` + path + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// leave returns the file that lets a program use the tools unasked, and what goes there; no file: its server's
// entry says it.
func (p Places) leave(program Program, t Target) (path string, members []setting) {
	if program == Claude { // the file that it keeps its own answers in: a person's, not the project's
		members = []setting{
			{"enabledMcpjsonServers", []string{serverName}},
			{"permissions", map[string][]string{"allow": {"mcp__" + serverName}}},
		}
		if t.URL == "" {
			members = append(members, waiting(t))
		}
		return filepath.Join(p.Project, ".claude", "settings.local.json"), members
	}
	return "", nil
}

// allow adds what lets the program use the tools unasked. What a person has already decided in the same place is
// not touched: a note says what is left to do.
func (p *Plan) allow(t Target) error {
	path, members := p.places.leave(p.Program, t)
	if len(members) == 0 {
		return nil
	}
	before, exists, err := read(path)
	if err != nil {
		return err
	}
	missing, taken, err := unset(before, members)
	switch {
	case err != nil:
		return protocol.Errorf(protocol.InvalidInput, "%s cannot be edited: %w", path, err)
	case len(missing)+len(taken) == 0:
		return nil
	case len(taken) > 0:
		p.note(path, append(missing, taken...))
		return nil
	}
	p.add(path, exists, before, membersInsertion(before, missing))
	return nil
}

func (p *Plan) note(path string, members []setting) {
	var lines []string
	for _, m := range members {
		lines = append(lines, "  "+encodedMember(m, "  "))
	}
	p.Notes = append(p.Notes, "to use the tools unasked and to be woken by mail, "+string(p.Program)+" needs these in "+path+
		" too, which has settings of yours there:\n"+
		strings.Join(lines, ",\n"))
}

// unset sorts members that are not there as they should be: those that are missing, and those whose name has
// another value.
func unset(text []byte, members []setting) (missing, taken []setting, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return members, nil, nil
	}
	root, err := readObject(blanked(text))
	if err != nil {
		return nil, nil, err
	}
	for _, m := range members {
		have, found, err := root.member(m.name)
		switch {
		case err != nil:
			return nil, nil, err
		case !found:
			missing = append(missing, m)
		case !sameValue(have.text, m.value):
			taken = append(taken, m)
		}
	}
	return missing, taken, nil
}

func sameValue(text []byte, value any) bool {
	var have, want any
	return json.Unmarshal(text, &have) == nil && json.Unmarshal([]byte(encoded(value, "")), &want) == nil && reflect.DeepEqual(have, want)
}

func membersInsertion(text []byte, members []setting) insertion {
	if len(bytes.TrimSpace(text)) == 0 {
		var lines []string
		for _, m := range members {
			lines = append(lines, "  "+encodedMember(m, "  "))
		}
		return insertion{len(text), "{\n" + strings.Join(lines, ",\n") + "\n}\n"}
	}
	root, err := readObject(blanked(text))
	if err != nil {
		return insertion{} // unset has refused it
	}
	return root.insertAll(text, members)
}

func encodedMember(m setting, indent string) string {
	return encoded(m.name, "") + ": " + encoded(m.value, indent)
}

// insertAll puts members first into the object.
func (o *object) insertAll(text []byte, members []setting) insertion {
	end, indent := newline(text), o.indent(text)
	var lines []string
	for _, m := range members {
		lines = append(lines, strings.ReplaceAll(end+indent+encodedMember(m, indent), "\n", end))
	}
	laidOut := strings.ReplaceAll(strings.Join(lines, ","), "\r\r\n", "\r\n")
	if len(o.members) > 0 {
		return insertion{o.open, laidOut + ","}
	}
	return insertion{o.open, laidOut + end + strings.TrimSuffix(indent, "  ")}
}
