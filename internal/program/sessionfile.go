package program

import (
	"os"
	"path/filepath"

	"brenner/internal/pattern"
)

// plainSession is a name of a session that is safe in a pattern of files.
var plainSession = pattern.Lazy(`^[A-Za-z0-9-]{8,64}$`)

// SessionFile is where a built-in program notes what it does in a session, while it does; empty: nowhere, or it is not there.
func SessionFile(program, session string, getenv func(string) string) string {
	if !plainSession().MatchString(session) {
		return ""
	}
	var files string
	switch dir := accounts[program].dir(getenv); program {
	case "codex-cli":
		files = filepath.Join(dir, "sessions", "*", "*", "*", "rollout-*"+session+".jsonl")
	case "gemini-cli":
		files = filepath.Join(dir, "tmp", "*", "chats", "session-*"+session[:8]+".json*")
	default:
		return ""
	}
	found, err := filepath.Glob(files)
	if err != nil || len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

// maxSession bounds what is read of such a file.
const maxSession = 64 << 20

// ReadSession reads such a file; nil: there is none, or it is too long.
func ReadSession(path string) []byte {
	if info, err := os.Stat(path); path == "" || err != nil || info.Size() > maxSession {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}

// TellsDollars tells whether the output of a program says what it cost.
func (c *Catalog) TellsDollars(program string) bool {
	e, known := c.entries[program]
	return known && (program == "claude-code" || program == "claude-acp") && e.ours(program)
}
