package proctree

import (
	"testing"
	"time"
)

func TestReadTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"0:01.50": 1500 * time.Millisecond, "1-02:03:04": 26*time.Hour + 3*time.Minute +
		4*time.Second, "x": 0} {
		if got := readTime(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
