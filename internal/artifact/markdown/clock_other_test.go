//go:build !unix

package markdown

import "time"

var started = time.Now()

func clock() time.Duration { return time.Since(started) }
