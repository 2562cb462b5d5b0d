package dossier

import (
	"fmt"
	"strings"
	"time"

	"brenner/internal/crate"
	"brenner/internal/protocol"
)

// edition is that of SCIENCE which the views follow. Crates name it (SCIENCE 9, verify).
const edition = "brenner/science/2"

// noSections stood for a transcript without cited sections in crates of the first edition.
const noSections = "The thread cites no section of a transcript.\n"

// anotherEdition reports whether the crate follows other rules than ours. It may be believed no more than to have its
// views told apart from ours: chain, versions, artifact, evidence and quotes are checked in every crate.
func (v *verifier) anotherEdition() bool { return v.carried.Edition != edition }

// compared is what a file must have. Only a crate of another edition may lack keys (SCIENCE 9, verify).
func (v *verifier) compared() keys { return keys(!v.anotherEdition()) }

// compareAnother compares a view of another edition with ours.
func (v *verifier) compareAnother(want view) {
	if !v.crate.Has(want.name) {
		v.differ = append(v.differ, want.name+" (it has none)")
		return
	}
	if got, ok := v.read(want.name); ok {
		if at, same := want.agrees(got); !same {
			v.tell(want.name, at)
		}
	}
}

// citedAs checks what the metadata of another edition are cited by.
func (v *verifier) citedAs(m crate.Metadata) {
	for _, fact := range []struct{ key, got, want string }{
		{"name", v.carried.Name, m.Name}, {"identifier", v.carried.Identifier, m.Identifier}, {"version", v.carried.Version, m.Version},
		{"datePublished", v.carried.Published, m.Published.UTC().Format(time.DateOnly)},
	} {
		if fact.got != fact.want {
			v.bad(crate.MetadataName, "it does not describe this version: its %s is %s", fact.key, protocol.Brief(fact.got))
		}
	}
}

// tell remembers that a view differs, and where.
func (v *verifier) tell(name, at string) {
	v.differ = append(v.differ, fmt.Sprintf("%s (%s)", name, protocol.Shorten(at, 80)))
}

// tellDifferences says which views of another edition are not what ours gives.
func (v *verifier) tellDifferences() {
	if len(v.differ) == 0 {
		return
	}
	follows := "names no edition of SCIENCE"
	if v.carried.Edition != "" {
		follows = "follows " + protocol.Brief(v.carried.Edition)
	}
	v.Findings = append(v.Findings, protocol.NewFinding(protocol.ViewsNotRebuilt,
		"The crate %s; this program follows %s. Made again from the thread, these differ: %s.", follows, edition,
		strings.Join(v.differ, ", ")))
}
