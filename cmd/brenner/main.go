// Command brenner runs research sessions of several agents: typed messages on threads,
// deltas merged into a versioned artifact.
package main

import (
	"os"

	"brenner/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.System())) }
