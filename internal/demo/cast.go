// Package demo plays a whole research session with scripted agents: separate processes that
// read their mail over MCP, acknowledge, contribute, are refused, repair and answer, as real agents
// do. It shows what the program does, and that it works where it is run.
package demo

import (
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"

	"brenner/internal/protocol"
)

//go:embed script
var scripts embed.FS

func script(name string) string {
	text, err := scripts.ReadFile("script/" + name)
	if err != nil {
		panic("demo: no script " + name) // the files are compiled in
	}
	return string(text)
}

// cast are the agents of the demo. script/NAME.json has what each says, and when.
var cast = []protocol.RosterEntry{
	{AgentName: "BlueLake", Role: protocol.RoleHypothesisGenerator, Program: "codex-cli", Model: "GPT-5.2"},
	{AgentName: "PurpleMountain", Role: protocol.RoleTestDesigner, Program: "claude-code", Model: "Opus 4.5"},
	{AgentName: "RedSky", Role: protocol.RoleAdversarialCritic, Program: "gemini-cli", Model: "Gemini 3"},
}

// handOut puts the scripts where the agents find them: beside the store, where git does not look.
func handOut(dir string) (string, error) {
	folder := filepath.Join(dir, ".brenner", "demo")
	plays, err := fs.Sub(scripts, "script")
	if err == nil {
		err = os.CopyFS(folder, plays)
	}
	if err != nil {
		return "", protocol.Errorf(protocol.Unwritable, "the scripts cannot be written: %w", err)
	}
	return folder, nil
}

// opening is what the operator of the demo asks.
type opening struct {
	Question    string `json:"question"`
	Context     string `json:"context"`
	Constraints string `json:"constraints"`
	Sections    string `json:"sections"`
	Slug        string `json:"slug"`
}

func newOpening() opening {
	var o opening
	if err := json.Unmarshal([]byte(script("kickoff.json")), &o); err != nil {
		panic(err) // the file is compiled in
	}
	return o
}
