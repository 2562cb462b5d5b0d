// Package demo plays a whole research session with scripted agents: separate processes that
// read their mail, acknowledge, contribute, are refused, repair and answer, as real agents do.
// It shows what the program does, and that it works where it is run.
package demo

import (
	"embed"
	"encoding/json"

	"brenner/protocol"
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

// player is an agent of the demo: who it is, and what it says when.
type player struct {
	protocol.RosterEntry
	lines []line
}

// line is something an agent says once, when its cue comes.
type line struct {
	cue     cue
	subject string
	body    string // file of the script
	reply   bool   // answer the message that was the cue
}

// cue is a message that an agent waits for.
type cue struct {
	typ  protocol.MessageType
	from string // empty: anybody
}

var cast = []player{
	{
		protocol.RosterEntry{AgentName: "BlueLake", Role: protocol.RoleHypothesisGenerator, Program: "codex-cli", Model: "GPT-5.2"},
		[]line{
			{cue{protocol.TypeKickoff, ""}, "DELTA[gpt]: Four explanations and where they part", "BlueLake.kickoff.md", false},
			{cue{protocol.TypeCritique, "RedSky"}, "DELTA[gpt]: Give up the leader, mend the clocks", "BlueLake.answer.md", true},
		},
	},
	{
		protocol.RosterEntry{AgentName: "PurpleMountain", Role: protocol.RoleTestDesigner, Program: "claude-code", Model: "Opus 4.5"},
		[]line{
			{cue{protocol.TypeDelta, "BlueLake"}, "DELTA[opus]: Two tests and what they lean on", "PurpleMountain.kickoff.md", false},
		},
	},
	{
		protocol.RosterEntry{AgentName: "RedSky", Role: protocol.RoleAdversarialCritic, Program: "gemini-cli", Model: "Gemini 3"},
		[]line{
			{cue{protocol.TypeDelta, "PurpleMountain"}, "DELTA[gemini]: A sum, an anomaly and two attacks", "RedSky.kickoff.md", false},
			{cue{protocol.TypeCompiled, ""}, "CRITIQUE: A leader would always be late", "RedSky.critique.md", false},
		},
	},
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
