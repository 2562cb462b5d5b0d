package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConsent: on a terminal the change is shown and made only after a yes.
func TestConsent(t *testing.T) {
	for answer, want := range map[string]int{"yes\n": 0, "Y\n": 0, "no\n": 7, "": 7} {
		dir := t.TempDir()
		streams, _, errs := terminal(nil)
		streams.In, streams.InIsTerminal = strings.NewReader(answer), true
		if code := Run(t.Context(), []string{"connect", "claude", "--project", dir}, streams); code != want {
			t.Errorf("%q: exit code %d: %s", answer, code, errs)
		}
		if !strings.Contains(errs.String(), `"mcpServers"`) {
			t.Errorf("%q: the change is not shown: %s", answer, errs)
		}
		if _, err := os.Stat(filepath.Join(dir, ".mcp.json")); (err == nil) != (want == 0) {
			t.Errorf("%q: %v", answer, err)
		}
	}
}
