package dispute

import (
	"encoding/json"
	"strings"

	"brenner/internal/message"
)

// Setup is the body of the DELTA that puts the rivals and the tests on the slate. Sources gives the id that each reading note has in the
// evidence pack.
func (s *Staged) Setup(sources map[string]string) string {
	blocks := []string{block("EDIT", "research_thread", "RT", map[string]any{
		"statement": s.Question, "context": strings.TrimSpace(s.Context),
		"why_it_matters": "It was argued about, and what was found is sealed.",
		"anchors":        []string{"inference"},
	})}
	for _, h := range s.Hypotheses {
		payload := map[string]any{"name": h.Name, "claim": h.Claim, "mechanism": h.Mechanism, "anchors": anchors(h.Anchors, sources)}
		if h.Third {
			payload["third_alternative"] = true
		}
		blocks = append(blocks, block("ADD", "hypothesis_slate", "", payload))
	}
	for _, t := range s.Tests {
		payload := map[string]any{
			"name": t.Name, "procedure": t.Procedure, "discriminates": strings.Join(s.hypothesisIDs(), " vs "),
			"expected_outcomes": t.Expected, "potency_check": t.Potency, "score": t.Score, "status": "untested",
		}
		if t.Feasibility != "" {
			payload["feasibility"] = t.Feasibility
		}
		if len(t.Quantity) > 0 {
			payload["quantity"] = t.Quantity
		}
		blocks = append(blocks, block("ADD", "discriminative_tests", "", payload))
	}
	return message.DeltaBody("The rivals, and the tests that could be done, each with what every rival expects of it.", blocks...)
}

func block(operation, section, target string, payload map[string]any) string {
	b := struct {
		Operation string         `json:"operation"`
		Section   string         `json:"section"`
		Target    *string        `json:"target_id"`
		Payload   map[string]any `json:"payload"`
		Rationale string         `json:"rationale"`
	}{Operation: operation, Section: section, Payload: payload, Rationale: "As the dispute has it"}
	if target != "" {
		b.Target = &target
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		panic(err) // plain values always encode
	}
	return string(data)
}

// anchors names sources by their ids in the pack.
func anchors(list []string, sources map[string]string) []string {
	named := []string{}
	for _, anchor := range list {
		if id, ok := sources[anchor]; ok {
			anchor = id
		}
		named = append(named, anchor)
	}
	if len(named) == 0 {
		named = append(named, "inference")
	}
	return named
}
