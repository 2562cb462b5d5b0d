package connect

import (
	"fmt"
	"strings"

	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// codexTable is the server as Codex wants it.
func codexTable(t Target, end string) string {
	lines := []string{"[mcp_servers." + serverName + "]"}
	if t.URL != "" {
		lines = append(lines, "url = "+tomlString(t.address()))
		if t.TokenEnv != "" {
			lines = append(lines, "bearer_token_env_var = "+tomlString(t.TokenEnv))
		}
	} else {
		args := t.args()
		for i, arg := range args {
			args[i] = tomlString(arg)
		}
		lines = append(lines, "command = "+tomlString(t.Command), "args = ["+strings.Join(args, ", ")+"]",
			fmt.Sprintf("tool_timeout_sec = %d", callLimit/1000))
	}
	lines = append(lines, `default_tools_approval_mode = "approve"`) // else a headless run waits for an answer
	return strings.Join(lines, end) + end
}

// tomlString writes a basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

var (
	ownTable    = pattern.Lazy(`^\s*\[\s*["']?mcp_servers["']?\s*\.\s*["']?` + serverName + `["']?\s*[.\]]`)
	ownKey      = pattern.Lazy(`^\s*["']?mcp_servers["']?\s*\.\s*["']?` + serverName + `["']?\s*[.=]`)
	inlineTable = pattern.Lazy(`^\s*["']?mcp_servers["']?\s*=`)
	table       = pattern.Lazy(`^\s*\[`)
	parentTable = pattern.Lazy(`^\s*\[\s*["']?mcp_servers["']?\s*\]`)
	ownInside   = pattern.Lazy(`^\s*["']?` + serverName + `["']?\s*[.=]`)
)

// tomlInsertion appends the server's table to Codex's settings: a table at the end is right
// wherever the text before it is. The same codes as jsonInsertion.
func tomlInsertion(path string, text []byte, t Target) (insertion, error) {
	end := newline(text)
	mine := codexTable(t, end)
	if strings.Contains("\n"+string(text), "\n"+mine) {
		return insertion{}, nil
	}
	outside, ok := outsideStrings(string(text))
	if !ok {
		return insertion{}, protocol.Errorf(protocol.InvalidInput, "%s cannot be edited: a string of several lines is not closed", path)
	}
	inParent := false
	for line := range strings.Lines(outside) {
		switch {
		case ownTable().MatchString(line), ownKey().MatchString(line), inParent && ownInside().MatchString(line):
			return insertion{}, protocol.Errorf(protocol.Conflict, "%s has another server named %s already; take it out first", path,
				serverName)
		case inlineTable().MatchString(line):
			return insertion{}, protocol.Errorf(protocol.InvalidInput,
				"%s cannot be edited: mcp_servers is one value there; write it as [mcp_servers.name] tables", path)
		case table().MatchString(line):
			inParent = parentTable().MatchString(line)
		}
	}
	lead := ""
	if len(text) > 0 {
		lead = end
		if text[len(text)-1] != '\n' {
			lead += end
		}
	}
	return insertion{len(text), lead + mine}, nil
}

// outsideStrings drops the content of strings that span lines; ok is false if one does not
// end. Comments and strings of one line are stepped over.
func outsideStrings(text string) (outside string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		quote := ""
		for _, q := range []string{`"""`, `'''`} {
			if strings.HasPrefix(rest, q) {
				quote = q
			}
		}
		switch {
		case quote != "":
			n := closing(rest[3:], quote)
			if n < 0 {
				return "", false
			}
			b.WriteString(`""`)
			i += 3 + n + 3
		case rest[0] == '"' || rest[0] == '\'' || rest[0] == '#':
			n := stepOver(rest)
			b.WriteString(rest[:n])
			i += n
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String(), true
}

// closing finds the end of a string of several lines; in a basic one a backslash escapes.
func closing(text, quote string) int {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && quote[0] == '"' {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], quote) {
			return i
		}
	}
	return -1
}

// stepOver returns the length of a comment or a string of one line.
func stepOver(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return i
		case text[0] == '#':
		case text[i] == '\\' && text[0] == '"':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}
