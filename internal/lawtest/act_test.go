package lawtest

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOneAct: what is declared once is done once. Each act takes the same request and gives the same answer on the command line and in
// the API, in projects that are alike.
func TestOneAct(t *testing.T) {
	text, err := os.ReadFile("testdata/one_answer.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	alike := func() *world {
		w := newWorld(t)
		w.keep("thread.jsonl", string(text))
		w.must("thread", "import", "thread.jsonl")
		return w
	}
	typed, posted := alike(), alike()
	for _, c := range []struct {
		name, path, body string
		args             []string
	}{
		{"a trial", "/compile", `{"dry_run":true}`, []string{"compile", sample, "--dry-run"}},
		{"a strict trial", "/compile", `{"dry_run":true,"strict":true}`, []string{"compile", sample, "--dry-run", "--strict"}},
		{"a strict version", "/compile", `{"strict":true}`, []string{"compile", sample, "--strict"}},
		{"a commit of nothing", "/compile", `{"commit":true}`, []string{"compile", sample, "--commit"}},
		{"a version", "/compile", `{"summary":"first"}`, []string{"compile", sample, "--summary", "first"}},
		{"a file", "/persist", `{"force":true}`, []string{"persist", sample, "--force"}},
		{"an end without a reason", "/complete", `{"force":"  "}`, []string{"session", "complete", sample, "--force", "  "}},
		{"an end that asks for review", "/complete", `{"require_review":true}`,
			[]string{"session", "complete", sample, "--require-review"}},
		{"an end", "/complete", `{"force":"spring"}`, []string{"session", "complete", sample, "--force", "spring"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			command := typed.cli(append(c.args, "--json")...)
			api := posted.api("POST /sessions/" + sample + c.path + " " + c.body)
			if (command.code == 0) != (api.code == 200) {
				t.Fatalf("the command ends with %d, the API with %d:\n%s\n%s", command.code, api.code, command.text, api.text)
			}
			cli, answer := object(t, command.text), object(t, api.text)
			if api.code != 200 {
				if diff := cmp.Diff(refusal(t, cli), refusal(t, answer)); diff != "" {
					t.Errorf("command and API refuse differently (-command +API):\n%s", diff)
				}
				return
			}
			if diff := cmp.Diff(cli, answer); diff != "" {
				t.Errorf("command and API differ (-command +API):\n%s", diff)
			}
		})
	}
}

// refusal is the code of an error with the codes of its findings. How each surface words them differs by design, and a request of
// another form is told by the field in the API, by the flag at a terminal.
func refusal(t *testing.T, answer map[string]any) (codes []any) {
	t.Helper()
	failed, ok := answer["error"].(map[string]any)
	if !ok {
		t.Fatalf("%v is no refusal", answer)
	}
	codes = append(codes, failed["code"])
	if failed["code"] == "USAGE" {
		return codes
	}
	found, _ := failed["findings"].([]any)
	for _, f := range found {
		codes = append(codes, f.(map[string]any)["code"])
	}
	return codes
}
