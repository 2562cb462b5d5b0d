package delta

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"brenner/internal/markup"
	"brenner/internal/protocol"
)

const benchDeltas = 100_000

// benchObject is a delta of about 400 bytes.
func benchObject(i int) string {
	switch i % 4 {
	case 0:
		return fmt.Sprintf(`{
  "operation": "ADD",
  "section": "hypothesis_slate",
  "target_id": null,
  "payload": {
    "name": "Epigenetic memory %d",
    "claim": "Cells use chromatin state inheritance for fate determination",
    "mechanism": "Histone modifications inherited through division encode positional memory",
    "anchors": ["§%d", "inference"]
  },
  "rationale": "An alternative mechanism that does not fit the dichotomy of lineage and gradient"
}`, i, i%200+1)
	case 1:
		return fmt.Sprintf(`{
  "operation": "ADD",
  "section": "discriminative_tests",
  "target_id": null,
  "payload": {
    "name": "Inheritance assay %d",
    "procedure": "Track H3K27me3 marks through division in transplanted cells",
    "discriminates": "H3 vs H1/H2",
    "expected_outcomes": {"H1": "Lineage history", "H2": "Position", "H3": "Neither"},
    "score": {"likelihood_ratio": 2, "cost": 2, "speed": 1, "ambiguity": 2}
  },
  "rationale": "It targets the hypothesis of epigenetic memory"
}`, i)
	case 2:
		return fmt.Sprintf(`{
  "operation": "EDIT",
  "section": "discriminative_tests",
  "target_id": "T%d",
  "payload": {
    "potency_check": "Include a late-transplant control (both H1 and H2 predict no change) AND verify viability with a vital dye `+
			`after the transplant, scored blind by a second observer"
  },
  "rationale": "The viability check strengthens the potency control, which so far rests on one observation alone"
}`, i%900+1)
	default:
		return fmt.Sprintf(`{
  "operation": "KILL",
  "section": "hypothesis_slate",
  "target_id": "H%d",
  "payload": {
    "reason": "Subsumed by H4 (epigenetic memory), which explains gradient-like behaviour as a special case of inherited chromatin `+
			`state; the late transplants leave nothing that only a gradient could explain"
  },
  "rationale": "H4 takes H2 in as a special case; keeping both is redundant"
}`, i%6+1)
	}
}

func benchMessages(perMessage int) (messages []string, objects []string, size int64) {
	for i := 0; i < benchDeltas; {
		var b strings.Builder
		b.WriteString("# Delta Contribution\n\nSome words about it.\n\n## Deltas\n")
		for range perMessage {
			object := benchObject(i)
			objects = append(objects, object)
			size += int64(len(object))
			b.WriteString("\n```delta\n" + object + "\n```\n")
			i++
		}
		messages = append(messages, b.String())
	}
	return messages, objects, size
}

// BenchmarkRead100k reads 100,000 deltas from messages, fences and all.
func BenchmarkRead100k(b *testing.B) {
	for _, perMessage := range []int{1, 20} {
		messages, _, size := benchMessages(perMessage)
		b.Run(fmt.Sprintf("%dPerMessage", perMessage), func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				accepted := 0
				for _, m := range messages {
					accepted += Read(markup.Parse(m), protocol.Strict).Receipt.Accepted
				}
				if accepted != benchDeltas {
					b.Fatalf("%d accepted", accepted)
				}
			}
		})
	}
}

// BenchmarkBareDecode decodes the same objects with the same library and does nothing else:
// Envelope is what a program would write that wants the five keys and keeps the payload raw,
// Tokens is the library's cheapest pass over all tokens. The reader is to stay within four
// times the envelope.
func BenchmarkBareDecode(b *testing.B) {
	_, objects, size := benchMessages(20)
	b.Run("Envelope", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
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
	})
	b.Run("Tokens", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		var buf bytes.Buffer
		dec := jsontext.NewDecoder(&buf)
		for b.Loop() {
			for _, o := range objects {
				buf.Reset()
				buf.WriteString(o)
				dec.Reset(&buf)
				walkTokens(b, dec)
			}
		}
	})
}

func walkTokens(b *testing.B, dec *jsontext.Decoder) {
	for {
		if _, err := dec.ReadToken(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			b.Fatal(err)
		}
	}
}

// hostile are messages made to be slow, by their size in bytes.
var hostile = map[string]func(n int) string{
	"Brackets":     func(n int) string { return "```delta\n" + strings.Repeat("[", n) + "\n```\n" },
	"OpenBraces":   func(n int) string { return strings.Repeat("{", n) + "operation section" },
	"UnknownKeys":  func(n int) string { return keys(n, `"k%d": 1`) },
	"UnknownFlags": func(n int) string { return keys(n, `"k%d_replace": true`) },
	"LongLine":     func(n int) string { return keys(n, `"é%d": 1e999`) },
	"NearMisses":   func(n int) string { return strings.Repeat(`{"operation":"ADD","section":"x"} `, n/34) },
	"NearKeys":     func(n int) string { return "{" + strings.Repeat(`operation : section : `, n/22) },
	"SubjectLines": func(n int) string { return strings.Repeat("DELTA[x\n", n/8) },
	"EmptyBlocks":  func(n int) string { return strings.Repeat("```delta\n```\n", n/13) },
	"Handles": func(n int) string {
		return "```delta\n" + `{"operation":"EDIT","section":"anomaly_register","target_id":"X1","rationale":"r",` +
			`"payload":{"conflicts_with":["` +
			strings.Repeat(`@a","`, min(n, 60_000)/5) + `@b"]}}` + "\n```\n"
	},
	"HandleChain": func(n int) string {
		var b strings.Builder
		for i := range n / 190 {
			fmt.Fprintf(&b, "```delta\n"+`{"operation":"ADD","section":"anomaly_register","local_id":"h%d","rationale":"r","payload":`+
				`{"name":"n","observation":"o","conflicts_with":["@h%d"],"status":"active"}}`+"\n```\n", i, i+1)
		}
		return b.String()
	},
	"HandleWords": func(n int) string {
		return "```delta\n" + `{"operation":"EDIT","section":"discriminative_tests","target_id":"T1","rationale":"r",` +
			`"payload":{"discriminates":"` +
			strings.Repeat(`@a `, min(n, 60_000)/3) + `"}}` + "\n```\n"
	},
}

// keys spreads a payload of many keys over blocks of one line each.
func keys(n int, format string) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString("```delta\n" + `{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","rationale":"r",` +
			`"payload":{"claim":"x"`)
		for i := 0; i < 4000 && b.Len() < n; i++ {
			fmt.Fprintf(&b, ", "+format, i)
		}
		b.WriteString("}}\n```\n")
	}
	return b.String()
}

// BenchmarkHostile reports growth: how many times longer ten times the message takes. Linear
// is 10; more than 13 is a defect.
func BenchmarkHostile(b *testing.B) {
	const size = 200_000
	for name, text := range hostile {
		b.Run(name, func(b *testing.B) {
			small, large := text(size/10), text(size)
			b.SetBytes(int64(len(large)))
			b.ReportAllocs()
			for b.Loop() {
				Read(markup.Parse(large), protocol.Strict)
			}
			b.ReportMetric(best(large)/best(small), "growth")
		})
	}
}

// best returns the seconds that reading takes at its quickest, on a clean heap.
func best(text string) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	quickest := time.Hour
	for range 15 {
		runtime.GC()
		start := time.Now()
		Read(markup.Parse(text), protocol.Strict)
		quickest = min(quickest, time.Since(start))
	}
	return quickest.Seconds()
}
