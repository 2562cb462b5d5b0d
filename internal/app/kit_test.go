package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"brenner/internal/app"
	"brenner/internal/needs"
)

const (
	rulesFile     = "../../deploy/prometheus/rules.yml"
	dashboardFile = "../../deploy/grafana/brenner.json"
)

// TestKitAsksForMetricsThatExist: rules and dashboard of deploy/ name nothing that no node tells.
func TestKitAsksForMetricsThatExist(t *testing.T) {
	s := serve(t, app.ServeOptions{})
	s.call(t, "", "health_check", map[string]any{})
	_, page := s.do(t, "GET", "/metrics", "", nil)
	metric := regexp.MustCompile(`brenner_[a-z_]+`)
	for _, file := range []string{rulesFile, dashboardFile} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names := metric.FindAllString(string(text), -1)
		if len(names) < 5 {
			t.Errorf("%s asks for %d metrics", file, len(names))
		}
		for _, name := range names {
			if !strings.Contains(page, "# TYPE "+name+" ") {
				t.Errorf("%s asks for %s", file, name)
			}
		}
	}
}

// TestPrometheusTakesTheKit: Prometheus' own tool reads the rules, the queries of the dashboard, and what a server says of itself.
func TestPrometheusTakesTheKit(t *testing.T) {
	needs.Program(t, "promtool")
	promtool(t, "", "check", "rules", rulesFile)
	promtool(t, "", "check", "rules", dashboardRules(t))
	s := serve(t, app.ServeOptions{})
	s.call(t, "", "health_check", map[string]any{})
	_, page := s.do(t, "GET", "/metrics", "", nil)
	promtool(t, page, "check", "metrics")
}

func promtool(t *testing.T, input string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "promtool", args...)
	cmd.Stdin = strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// dashboardRules writes the queries of the dashboard as rules, which promtool can read.
func dashboardRules(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(dashboardFile)
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	rules := "groups:\n  - name: dashboard\n    rules:\n"
	n := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			n++
			rules += fmt.Sprintf("      - {record: 'panel:%d', expr: %q}\n", n, target.Expr)
		}
	}
	if n < 5 {
		t.Errorf("the dashboard has %d queries", n)
	}
	file := filepath.Join(t.TempDir(), "dashboard.yml")
	if err := os.WriteFile(file, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
