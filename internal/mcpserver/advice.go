package mcpserver

import (
	"slices"
	"strconv"
	"strings"

	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
	"brenner/internal/usecase"
)

// toolsByHand are the tools that do an operation where no declaration says so.
var toolsByHand = map[string]string{
	"delta.fix": "brenner_submit", "mail.agents": "brenner_status", "session.list": "brenner_status", "mail.register": "register_agent",
	"mail.reply": "reply_message", "mail.send": "send_message", "critique.answer": "brenner_submit",
}

// toolOf is the tool that does an operation; empty: only a person can do it.
func toolOf(a protocol.Action) string {
	if name, ok := toolsByHand[a.Do]; ok {
		return name
	}
	return usecase.ToolOf(a.Command())
}

// advice is what to do for an agent, which has tools and no command line: the words with the call that follows them.
func advice(words string, a *protocol.Action) string {
	if a == nil {
		return words
	}
	if words = strings.TrimSpace(words); words != "" && !strings.HasSuffix(words, ".") {
		words += "."
	}
	tool := toolOf(*a)
	switch {
	case a.Do == "":
		return words + " Give " + a.Give + "."
	case tool == "":
		return words + " Only a person can do this: ask one."
	}
	return words + " Call " + tool + called(a.With) + "."
}

// called are the arguments of a call, as the tool takes them; empty: none.
func called(w protocol.Arguments) string {
	var list []string
	for _, text := range []struct{ name, value string }{{threadField.name, w.Thread}, {"agent_name", w.Agent}} {
		if text.value != "" {
			list = append(list, encodeText(text.name)+":"+encodeText(text.value))
		}
	}
	if w.Message != 0 {
		list = append(list, `"message_id":`+strconv.FormatInt(w.Message, 10))
	}
	if len(list) == 0 {
		return ""
	}
	return " with {" + strings.Join(list, ",") + "}"
}

// advised returns findings with advice that an agent can follow. Those of others are not changed.
func advised(findings []protocol.Finding) []protocol.Finding {
	if !slices.ContainsFunc(findings, func(f protocol.Finding) bool { return f.Action != nil }) {
		return findings
	}
	findings = slices.Clone(findings)
	for i := range findings {
		findings[i].Fix = advice(findings[i].Fix, findings[i].Action)
	}
	return findings
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
