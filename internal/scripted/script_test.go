package scripted

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"brenner/internal/protocol"
)

func TestParse(t *testing.T) {
	s, err := Parse([]byte(`{"agent":"BlueLake","slow":"20ms","fault":"never_ack","steps":[{"subject":"INFO: x","body":"y","round":2}]}`))
	if err != nil || time.Duration(s.Slow) != 20*time.Millisecond || s.Steps[0].On.Type != protocol.TypeKickoff {
		t.Fatalf("%+v, %v", s, err)
	}
	for name, text := range map[string]string{
		"no JSON":           `{`,
		"more than one":     `{} {}`,
		"an unknown key":    `{"agnet":"BlueLake"}`,
		"an unknown fault":  `{"fault":"lazy"}`,
		"a fault of agents": `{"steps":[{"subject":"s","body":"b","fault":"never_ack"}]}`,
		"no subject":        `{"steps":[{"body":"b"}]}`,
		"no body":           `{"steps":[{"subject":"s"}]}`,
		"two bodies":        `{"steps":[{"subject":"s","body":"b","body_file":"f"}]}`,
		"a type":            `{"steps":[{"subject":"s","body":"b","on":{"type":"SONG"}}]}`,
		"a time":            `{"slow":"soon"}`,
		"a name":            `{"agent":"no name"}`,
	} {
		if _, err := Parse([]byte(text)); protocol.CodeOf(err) != protocol.InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoadReadsBodies(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	if err := os.WriteFile(path, []byte(`{"steps":[{"subject":"s","body_file":"b.md"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); protocol.CodeOf(err) != protocol.NotFound {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.md"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Load(path); err != nil || s.Steps[0].Body != "text" {
		t.Errorf("%+v, %v", s, err)
	}
}
