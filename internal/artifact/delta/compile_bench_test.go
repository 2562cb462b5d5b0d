package delta_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// BenchmarkCompileAgainstDecode folds 100,000 EDITs and decodes the same JSON with the same
// library, in turns; "x-decode" is how many times longer compiling takes. It is to stay
// within six. It is here because this package owns the library.
func BenchmarkCompileAgainstDecode(b *testing.B) {
	const edits, items = 100_000, 1_000
	for _, blocks := range []int{1, 20, 200} {
		b.Run(fmt.Sprintf("%dPerMessage", blocks), func(b *testing.B) {
			thread, objects := editThread(items, edits, blocks)
			folding, decoding := time.Hour, time.Hour // the quickest of all rounds
			for b.Loop() {
				start := time.Now()
				s := merge.New("RS-20251230-cell-fate")
				for _, m := range thread {
					s.Fold(m)
				}
				if w := s.Window(); w.Deltas.Applied != items+edits {
					b.Fatal(w.Deltas)
				}
				folding = min(folding, time.Since(start))
				start = time.Now()
				decodeAll(b, objects)
				decoding = min(decoding, time.Since(start))
			}
			b.ReportMetric(folding.Seconds()/decoding.Seconds(), "x-decode")
			b.ReportMetric(float64(folding.Microseconds())/edits, "µs/EDIT")
		})
	}
}

func decodeAll(b *testing.B, objects []string) {
	for _, o := range objects {
		var e struct {
			Operation string         `json:"operation"`
			Section   string         `json:"section"`
			TargetID  *string        `json:"target_id"`
			Payload   jsontext.Value `json:"payload"`
			Rationale string         `json:"rationale"`
		}
		if err := jsonv2.Unmarshal([]byte(o), &e); err != nil {
			b.Fatal(err)
		}
	}
}

func editThread(items, edits, blocks int) (thread []message.Message, objects []string) {
	for i := range items {
		objects = append(objects, fmt.Sprintf(`{"operation":"ADD","section":"discriminative_tests","target_id":null,`+
			`"payload":{"name":"Assay %d",`+
			`"procedure":"Track marks","discriminates":"H1 vs H2","expected_outcomes":{"H1":"history","H2":"position"}},"rationale":"r"}`,
			i))
	}
	for i := range edits {
		objects = append(objects, fmt.Sprintf(`{
  "operation": "EDIT",
  "section": "discriminative_tests",
  "target_id": "T%d",
  "payload": {
    "potency_check": "Include a late-transplant control (both H1 and H2 predict no change) AND verify cell viability after the `+
			`transplant with a vital dye; observer %d scores blind, and marks are read twice",
    "expected_outcomes": {"H%d": "Marks persist independently of both, run %d"}
  },
  "rationale": "The viability check strengthens the potency control"
}`, i*7919%items+1, i, i%6+1, i))
	}
	for from := 0; from < len(objects); from += blocks {
		var body strings.Builder
		body.WriteString("# Delta Contribution\n\nSome words about it.\n\n## Deltas\n")
		for _, o := range objects[from:min(from+blocks, len(objects))] {
			body.WriteString("\n```delta\n" + o + "\n```\n")
		}
		id := len(thread) + 1
		thread = append(thread, message.Message{
			ID: int64(id), ThreadID: "RS-20251230-cell-fate", Body: body.String(), Intake: protocol.Strict,
			From: []string{"BlueLake", "GreenValley", "RedSky"}[id%3], Subject: "DELTA[gpt]: bench",
			CreatedAt: time.Date(2025, 12, 30, 12, 0, id, 0, time.UTC),
		})
	}
	return thread, objects
}
