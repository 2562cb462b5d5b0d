package api

import (
	"crypto/sha256"
	"strconv"
	"testing"
)

// TestReplaysAreBounded: however many keys come and however large their answers are, the memory has an
// end, and the latest answer is there.
func TestReplaysAreBounded(t *testing.T) {
	var p replays
	body := make([]byte, keptBytes/4)
	for i := range 3 * keptAnswers {
		key := sha256.Sum256([]byte(strconv.Itoa(i)))
		mine, entry := p.claim(key, replayKey{})
		if !mine {
			t.Fatalf("the key %d is taken", i)
		}
		switch i % 3 {
		case 0:
			p.finish(entry, nil) // it failed
		case 1:
			p.finish(entry, body)
		}
		if again, known := p.claim(key, replayKey{}); again != (i%3 == 0) || !again && known != entry {
			t.Fatalf("the key %d: taken again %t", i, again)
		}
	}
	if len(p.by) != len(p.order) || len(p.order) > keptAnswers || p.bytes > 2*keptBytes {
		t.Errorf("%d answers, %d in order, %d bytes", len(p.by), len(p.order), p.bytes)
	}
}
