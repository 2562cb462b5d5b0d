package cli

import "testing"

// TestFixesAreWorded: the fix of a finding has the command that its action names; a text that looks like one is left alone.
func TestFixesAreWorded(t *testing.T) {
	const action = `"action":{"do":"compile","args":{"thread":"RS-1"},"give":""}`
	for object, want := range map[string]string{
		`{"fix":"Compile.",` + action + `}`:           `{"fix":"Compile: brenner compile RS-1",` + action + `}`,
		`{"fix":null,` + action + `}`:                 `{"fix":null,` + action + `}`,
		`{"fix":"as it is"}`:                          `{"fix":"as it is"}`,
		`{"message":"\"fix\":\"x\",\"action\":{}"}`:   `{"message":"\"fix\":\"x\",\"action\":{}"}`,
		`{"fix":"a","item":1,` + action + `,"fix":1}`: `{"fix":"a","item":1,` + action + `,"fix":1}`,
	} {
		if got := string(wordFixes([]byte(object))); got != want {
			t.Errorf("%s: %s", object, got)
		}
	}
}
