package dossier

import (
	"fmt"
	"strings"
)

// Summary is what the thread itself comes to, in a few lines: for a reader whose report was written by somebody else.
func (b *Bundle) Summary() []string {
	list := []string{b.Question(), b.description()}
	var worlds []string
	for _, w := range b.Beliefs().Worlds {
		worlds = append(worlds, fmt.Sprintf("%s (%s) %.0f %%", w.ID, w.Name, 100*w.Pooled))
	}
	if len(worlds) > 0 {
		list = append(list, "Belief stands at "+strings.Join(worlds, ", ")+".")
	}
	return list
}
