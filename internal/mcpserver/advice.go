package mcpserver

import (
	"slices"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/pattern"
	"brenner/internal/protocol"
)

// shellCommand is advice to type a command. An agent at the other end of MCP has no shell of ours.
var shellCommand = pattern.Lazy(`\bbrenner [a-z]`)

// toolFixes say what to do with the tools where the general advice is a command.
var toolFixes = map[protocol.Code]string{
	protocol.NoKickoff:          "Check the thread id: brenner_status lists the sessions. Only a person opens one.",
	protocol.MB005:              "Mend the JSON, or hand the deltas to brenner_submit as objects.",
	protocol.MB111:              "Name agents that take part: brenner_status lists them.",
	protocol.MB122:              "Put the JSON object into a fence tagged delta, or hand it to brenner_submit as an object.",
	protocol.MB123:              "Name an agent that takes part: brenner_status lists them.",
	protocol.InvalidJSON:        "Mend the JSON, or hand the deltas to brenner_submit as objects.",
	protocol.NoAcceptedDelta:    "Mend at least one block as its finding says, and call brenner_submit again.",
	protocol.AP009:              "Name a version of this thread: brenner_status tells the latest.",
	protocol.AP103:              "Let a convener publish the version (brenner_compile).",
	protocol.AP002:              "Let a convener publish the version (brenner_compile).",
	protocol.UnknownAgent:       "Check the name (brenner_status lists who takes part); register yourself with macro_start_session.",
	protocol.UnknownPreset:      "Ask a person for the preset's name.",
	protocol.NotVerifiable:      "Let a convener publish a version (brenner_compile).",
	protocol.KeptMismatch:       "Tell a person: what is kept beside the log has to be made again.",
	protocol.EvidenceNotIndexed: "Ask a person to add the file to the evidence.",
	protocol.NotLookedUp:        "Ask a person to give the source its entry with a DOI or PMID, and to look it up again.",
	protocol.ViewsNotRebuilt:    "Ask a person what this edition says of the thread.",
	protocol.OutcomeMissing:     "Record the outcome with brenner_result.",
	protocol.ThreadArchived:     "Write to another thread, or ask a person to bring this one back.",
}

// advised returns findings with advice that an agent can follow.
func advised(findings []protocol.Finding) []protocol.Finding {
	copied := false
	for i := range findings {
		fix := advice(findings[i].Code, findings[i].Fix)
		if fix == findings[i].Fix {
			continue
		}
		if !copied { // others share them
			findings, copied = slices.Clone(findings), true
		}
		findings[i].Fix = fix
	}
	return findings
}

// advice is a text without commands.
func advice(code protocol.Code, text string) string {
	if !shellCommand().MatchString(text) {
		return text
	}
	if fix, ok := toolFixes[code]; ok {
		return fix
	}
	return withoutCommands(text)
}

// withoutCommands leaves out advice to type a command.
func withoutCommands(text string) string {
	at := shellCommand().FindStringIndex(text)
	if at == nil {
		return text
	}
	head := text[:at[0]]
	if end := strings.LastIndexAny(head, ".;:,"); end >= 0 {
		return strings.TrimRight(head[:end], " ") + "; ask a person"
	}
	return "Ask a person to do this for you."
}

// advisedReceipt is a receipt with advice that an agent can follow.
func advisedReceipt(r *delta.Receipt) *delta.Receipt {
	if r == nil {
		return nil
	}
	out := *r
	out.Blocks = slices.Clone(r.Blocks)
	for i := range out.Blocks {
		out.Blocks[i].Findings = advised(out.Blocks[i].Findings)
	}
	return &out
}
