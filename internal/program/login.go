package program

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Login says whether a program can reach its service, as far as that shows without looking into anything that
// is secret: only whether a variable is set or a file is there.
type Login uint8

// What is known of a login.
const (
	LoginUnknown Login = iota // the program is not one of ours, or keeps its login where it cannot be seen
	LoginFound
	LoginMissing
)

// account is where a built-in program finds its login.
type account struct {
	variables []string // one of them is enough
	home      string   // variable that names its folder of settings
	folder    string   // below the person's home otherwise
	files     []string // in that folder; one of them is enough
	fix       string
}

var accounts = map[string]account{
	"claude-code": {
		variables: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK",
			"CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"},
		home: "CLAUDE_CONFIG_DIR", folder: ".claude", files: []string{".credentials.json"},
		fix: "start claude once and log in (/login), or set ANTHROPIC_API_KEY",
	},
	"codex-cli": {
		variables: []string{"CODEX_API_KEY", "OPENAI_API_KEY"},
		home:      "CODEX_HOME", folder: ".codex", files: []string{"auth.json"},
		fix: "codex login, or set CODEX_API_KEY",
	},
	"gemini-cli": {
		variables: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA",
			"GOOGLE_APPLICATION_CREDENTIALS"},
		folder: ".gemini", files: []string{"oauth_creds.json", ".env"},
		fix: "start gemini once and log in (/auth), or set GEMINI_API_KEY",
	},
}

// Login looks for the login of a program in an environment. fix is what a person does if there is none.
func (c *Catalog) Login(program string, getenv func(string) string) (found Login, fix string) {
	a, known := accountFor(program)
	e, listed := c.entries[program]
	if !known || !listed || !e.ours(program) {
		return LoginUnknown, ""
	}
	for _, name := range a.variables {
		if getenv(name) != "" {
			return LoginFound, ""
		}
	}
	dir := a.dir(getenv)
	for _, name := range a.files {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return LoginFound, ""
		}
	}
	if a.home == "CLAUDE_CONFIG_DIR" && runtime.GOOS == "darwin" || ownProvider(filepath.Join(dir, "config.toml")) {
		return LoginUnknown, "" // in the keychain, or with a service that wants none
	}
	return LoginMissing, a.fix
}

// accountFor finds the account of a program.
func accountFor(program string) (account, bool) {
	a, known := accounts[cmp.Or(accountOf[program], program)]
	return a, known
}

// ours tells whether a program is still started as it is known here.
func (e *entry) ours(program string) bool {
	known, ok := builtIn[program]
	if !ok {
		known = acpPrograms[program]
	}
	words, own := e.words(Headless), known.words(Headless)
	return len(words) > 0 && len(own) > 0 && words[0] == own[0]
}

func (a account) dir(getenv func(string) string) string {
	if a.home != "" && getenv(a.home) != "" {
		return getenv(a.home)
	}
	return filepath.Join(getenv("HOME"), a.folder)
}

// ownProvider tells whether settings of Codex name another service than its own.
func ownProvider(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(text), "model_provider")
}
