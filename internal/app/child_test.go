package app_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"brenner/internal/app"
	"brenner/internal/mcpserver"
)

// How the test binary is told to play a program of an agent.
const (
	childRole    = "BRENNER_APP_TEST_CHILD"   // stdio
	childProject = "BRENNER_APP_TEST_PROJECT" // folder
	childAgent   = "BRENNER_APP_TEST_AGENT"
)

// TestMain plays a child if it is asked to.
func TestMain(m *testing.M) {
	switch os.Getenv(childRole) {
	case "stdio":
		if err := playStdio(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// playStdio is what brenner mcp --as does.
func playStdio(ctx context.Context) error {
	project, err := app.FindProject(ctx, os.Getenv(childProject), "")
	if err != nil {
		return err
	}
	a, err := app.Open(ctx, app.Options{Project: project})
	if err != nil {
		return err
	}
	defer a.Close()
	s := a.MCP(mcpserver.Options{Version: "test", As: os.Getenv(childAgent)})
	defer s.Close()
	return s.RunStdio(ctx, os.Stdin, os.Stdout)
}
