package lawtest

import (
	"os"
	"strings"
	"sync"
	"testing"

	"brenner/internal/markup"
)

// TestParsedOnce: a message is parsed at the door, and by whoever asks at most once more for the whole request: its deltas, its belief
// block and what a page shows of it come from the same reading.
func TestParsedOnce(t *testing.T) {
	text, err := os.ReadFile("testdata/one_answer.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.keep("thread.jsonl", string(text))
	w.must("thread", "import", "thread.jsonl")
	for _, question := range []string{
		"cli beliefs " + sample, "cli compile " + sample + " --dry-run", "cli session status " + sample,
		"mcp brenner_beliefs", "mcp brenner_next", "mcp brenner_status",
		"api /sessions/" + sample + "/beliefs", "api /sessions/" + sample + "/lint", "api /sessions/" + sample + "/diagnose",
		"page /t/" + sample, "page /t/" + sample + "/draft", "page /t/" + sample + "/diagnose", "page /m/2",
	} {
		t.Run(question, func(t *testing.T) {
			counted := parses()
			kind, rest, _ := strings.Cut(question, " ")
			switch kind {
			case "cli": // a process of its own: it reads the log anew
				w.must(strings.Fields(rest)...)
			case "mcp":
				w.mcp(rest, `{"thread_id":"`+sample+`"}`)
			case "api":
				w.api("GET " + rest)
			default:
				w.page(rest)
			}
			for body, n := range counted() {
				if n > 1 {
					t.Errorf("%d times: %.80q", n, body)
				}
			}
		})
	}
}

// parses counts how often each message with a block is parsed until the count is asked for.
func parses() (counted func() map[string]int) {
	var mu sync.Mutex
	times := map[string]int{}
	stop := markup.Watch(func(text string) {
		if strings.Contains(text, "```") {
			mu.Lock()
			defer mu.Unlock()
			times[text]++
		}
	})
	return func() map[string]int {
		stop()
		mu.Lock()
		defer mu.Unlock()
		return times
	}
}
