package turn

import (
	"bytes"
	"encoding/json"
)

// OfSession reads what a program has noted of its own cost in the file of a session: the records of Codex, which sum up, and the
// messages of Gemini CLI, which each have theirs. nil: it says nothing.
func OfSession(data []byte) *Usage {
	var whole struct {
		Messages []sessionRecord `json:"messages"`
	}
	if json.Unmarshal(data, &whole) == nil && len(whole.Messages) > 0 {
		return sumOf(whole.Messages)
	}
	var records []sessionRecord
	for line := range bytes.Lines(data) {
		var r sessionRecord
		if json.Unmarshal(line, &r) == nil {
			records = append(records, r)
		}
	}
	return sumOf(records)
}

// sessionRecord is a line or a message of such a file, as far as it is about cost.
type sessionRecord struct {
	ID      string `json:"id"`
	Payload struct {
		Type string `json:"type"`
		Info *struct {
			Total usage `json:"total_token_usage"`
		} `json:"info"`
	} `json:"payload"`
	Tokens *struct {
		Input    int64 `json:"input"`
		Output   int64 `json:"output"`
		Cached   int64 `json:"cached"`
		Thoughts int64 `json:"thoughts"`
	} `json:"tokens"`
}

func sumOf(records []sessionRecord) *Usage {
	var sum Usage
	known, seen := false, map[string]bool{}
	for _, r := range records {
		switch {
		case r.Payload.Type == "token_count" && r.Payload.Info != nil:
			sum, known = r.Payload.Info.Total.usage(), true
		case r.Tokens != nil && (r.ID == "" || !seen[r.ID]): // a message may be written again when more of it is known
			seen[r.ID], known = true, true
			sum.Add(Usage{InputTokens: natural(r.Tokens.Input), CachedTokens: natural(r.Tokens.Cached),
				OutputTokens: natural(r.Tokens.Output) + natural(r.Tokens.Thoughts)})
		}
	}
	if !known {
		return nil
	}
	return &sum
}
