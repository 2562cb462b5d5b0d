package termtext

import (
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		59 * time.Second: "now", -59 * time.Second: "now", time.Minute: "1m", 119 * time.Minute: "1h", 47 * time.Hour: "47h",
		49 * time.Hour: "2d", -3 * time.Hour: "in 3h",
	} {
		if got := Age(d); got != want {
			t.Errorf("%v: %s instead of %s", d, got, want)
		}
	}
}
