package cli

import (
	"strings"
	"testing"
)

// TestSenses: what is suggested by sense is a command, and no word of the table is one already.
func TestSenses(t *testing.T) {
	root := newRoot(&app{})
	for _, s := range senses {
		for command := range strings.SplitSeq(s.commands, ", ") {
			words := strings.Fields(command)
			found, rest, err := root.Find(words)
			for len(rest) > 0 && strings.HasPrefix(rest[0], "--") && found.Flags().Lookup(rest[0][2:]) != nil {
				rest = rest[1:]
			}
			if err != nil || found == root || len(rest) > 0 {
				t.Errorf("%q suggests %q, which is no command", s.words, command)
			}
		}
		for word := range strings.FieldsSeq(s.words) {
			if found, rest, _ := root.Find(append(strings.Fields(s.group), word)); len(rest) == 0 {
				t.Errorf("%q is a command", found.CommandPath())
			}
		}
	}
}
