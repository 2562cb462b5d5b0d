package turn

import (
	"encoding/json"
	"strconv"
)

// The events of an agent of the Agent Client Protocol, as the client that brenner is for it writes them down.
const (
	acpSession = "acp.session" // it is there; Session names it
	acpPrompt  = "acp.prompt"  // it was asked
	acpUpdate  = "acp.update"  // what the program told, as it told it
	acpAsked   = "acp.asked"   // it asked for consent, and what was answered
	acpEnd     = "acp.end"     // of a turn, with what it used
	acpError   = "acp.error"   // of the program or its service
)

// authRequired is the code of the protocol for a login that is not known.
const authRequired = -32000

// acp reads an event of such an agent.
func (t *Turn) acp(e *event) bool {
	switch e.Type {
	case acpSession:
		t.Session, t.Model = cut(clean(e.Session), maxWord), cut(clean(e.Model), maxWord)
	case acpPrompt:
		t.add(Step{Kind: Prompt, Text: e.Text})
	case acpUpdate:
		t.updated(e.Update)
	case acpAsked:
		t.add(Step{Kind: Result, Tool: "consent", Text: e.Text, Failed: e.Outcome != "allowed"})
	case acpEnd:
		if e.Stop != "end_turn" && e.Stop != "cancelled" {
			t.failure("it ended its turn: " + e.Stop)
		}
		t.spent(e.Usage)
		if t.Usage != nil && e.Dollars != nil && *e.Dollars > 0 {
			t.Usage.Add(Usage{Dollars: e.Dollars})
		}
	case acpError:
		text := messageOf(e.Message)
		t.failure(text)
		if e.Code == authRequired {
			t.barred = orElse(cut(clean(text), maxText), authenticationFailed)
		}
	default:
		return false
	}
	t.Format = "acp"
	return true
}

// acpTold is an update of a session, as far as it counts.
type acpTold struct {
	Kind    string          `json:"sessionUpdate"`
	Content json.RawMessage `json:"content"`
	Call    string          `json:"toolCallId"`
	Title   string          `json:"title"`
	Status  string          `json:"status"`
	Input   json.RawMessage `json:"rawInput"`
	Output  json.RawMessage `json:"rawOutput"`
	Used    int64           `json:"used"`
}

func (t *Turn) updated(raw json.RawMessage) {
	var u acpTold
	if json.Unmarshal(raw, &u) != nil && u.Kind == "" {
		return
	}
	switch u.Kind {
	case "agent_message_chunk":
		t.say(acpText(u.Content))
		t.counting.content = true
	case "tool_call", "tool_call_update":
		t.called(&u)
	case "usage_update":
		t.used(natural(u.Used))
	}
}

// called is a call of a tool: it may come in pieces, first its name, then what it was given, then what came of it.
func (t *Turn) called(u *acpTold) {
	at, known := t.opened[u.Call]
	if !known && len(t.opened) < maxSteps {
		t.settle()
		t.name(u.Call, u.Title)
		at = len(t.Steps)
		t.add(Step{Kind: Call, Tool: u.Title, Text: string(u.Input)})
		t.opened[u.Call] = at
	} else if step := string(u.Input); known && at < len(t.Steps) && len(step) > len(t.Steps[at].Text) {
		t.bytes += len(step) - len(t.Steps[at].Text)
		t.Steps[at].Text = cut(clean(step), maxText)
	}
	t.counting.content = true
	if u.Status == "completed" || u.Status == "failed" {
		text := acpText(u.Content)
		if text == "" {
			text = textOf(u.Output)
		}
		t.add(Step{Kind: Result, Tool: t.calls[u.Call], Text: text, Failed: u.Status == "failed"})
		t.counting.result = true
	}
}

// acpCounting is what has come since a program last told how large its context is. One update stands for one request to its service, which
// sends all of the context: so their sum is what a turn has used so far. Some programs tell before an answer and again after it, some
// only after it.
type acpCounting struct {
	told, early     bool
	content, result bool
	requests        int
}

// used takes in how large the context is.
func (t *Turn) used(tokens int64) {
	c := &t.counting
	if !c.told {
		c.early = !c.content
	}
	again := c.told && (!c.content || c.early && !c.result) // of the request that was told already
	if !again && c.requests < maxSteps {
		c.requests++
	}
	t.answers["acp "+strconv.Itoa(c.requests)] = Usage{InputTokens: tokens, Estimated: true}
	c.told, c.content, c.result = true, false, false
}

// acpText is the text of a piece of content, or of a list of them.
func acpText(raw json.RawMessage) string {
	var piece struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &piece) == nil {
		return piece.Text
	}
	var list []struct {
		Content struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	text := ""
	for _, each := range list {
		if text != "" && each.Content.Text != "" {
			text += "\n"
		}
		text += each.Content.Text
	}
	return text
}
