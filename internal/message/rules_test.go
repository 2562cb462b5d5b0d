package message

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"brenner/internal/protocol"
)

// checked are the codes beside MB and AP that this package gives.
var checked = []protocol.Code{
	protocol.InvalidEncoding, protocol.MessageTooLarge, protocol.CoordNotForWork,
	protocol.NoAcceptedDelta, protocol.ShorthandMismatch, protocol.UnknownAgent,
}

// ruleHere reports whether this package decides a code. AP-103 needs the fold of a thread; package
// session decides it.
func ruleHere(code protocol.Code) bool {
	if code == protocol.AP103 {
		return false
	}
	return strings.HasPrefix(string(code), "MB-") || strings.HasPrefix(string(code), "AP-") || slices.Contains(checked, code)
}

// TestRules holds every rule to its vectors: file CODE.txtar has cases named bad… that the
// rule finds and cases named good… that it does not.
func TestRules(t *testing.T) {
	all := runVectors(t, "testdata/rules")
	kinds := map[string]bool{}
	for _, v := range all {
		code := protocol.Code(strings.TrimSuffix(filepath.Base(v.file), ".txtar"))
		report := Check(v.draft, v.facts)
		found := slices.ContainsFunc(report.Findings, func(f protocol.Finding) bool { return f.Code == code })
		kind := "good"
		if strings.HasPrefix(v.name, "bad") {
			kind = "bad"
		}
		if found != (kind == "bad") {
			t.Errorf("%s %s: finding %t\n%s", v.file, v.name, found, describe(report))
		}
		kinds[string(code)+" "+kind] = true
	}
	for _, info := range protocol.Codes() {
		if ruleHere(info.Code) {
			for _, kind := range []string{"bad", "good"} {
				if !kinds[string(info.Code)+" "+kind] {
					t.Errorf("%s has no %s case", info.Code, kind)
				}
			}
		}
	}
}
