package termtext

import (
	"fmt"
	"time"
)

// Age says how long ago something was, in the largest unit that fits: "now", "5m", "2h". What is still to come is "in 2h".
func Age(d time.Duration) string {
	before := ""
	if d < 0 {
		d, before = -d, "in "
	}
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%s%dm", before, int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%s%dh", before, int(d.Hours()))
	default:
		return fmt.Sprintf("%s%dd", before, int(d.Hours()/24))
	}
}
