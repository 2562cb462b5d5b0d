package dossier

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/journal"
	"brenner/internal/mail"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/witness"
)

// Witnessed is a prediction or a result that a witness outside has seen.
type Witnessed struct {
	Test         artifact.ItemID
	Hypothesis   string // empty: it is a result
	MessageID    int64
	By           []string
	At           time.Time // of a time-stamp; zero: a signature says no time
	BeforeResult bool      // the witness saw the prediction before its result was recorded
	Locked       bool      // nobody had looked before it was written
}

// String says what is witnessed, in words (SCIENCE 11).
func (w *Witnessed) String() string {
	said := "its result is witnessed"
	switch {
	case w.Hypothesis != "" && w.BeforeResult && w.Locked:
		said = "locked, and witnessed before the result was recorded"
	case w.Hypothesis != "" && w.BeforeResult:
		said = "witnessed before the result was recorded"
	case w.Hypothesis != "":
		said = "witnessed"
	}
	on := string(w.Test)
	if w.Hypothesis != "" {
		on += ", " + w.Hypothesis
	}
	if !w.At.IsZero() {
		said += ", on " + w.At.UTC().Format("2 January 2006")
	}
	return fmt.Sprintf("%s: %s by %s", on, said, strings.Join(w.By, " and "))
}

// believing says which checkpoints of a part a reader believes.
type believing func(part int, size int64) (witness.Seal, bool)

// witnessed lists what witnesses have seen: each prediction, before its result was recorded if that is so, and each result.
func (b *Bundle) witnessed(believed believing) []Witnessed {
	if len(b.parts) == 0 {
		return nil
	}
	position := b.positions()
	find := func(message, before int64) (witness.Seal, bool) {
		for i := range b.parts {
			holds := func(size int64) bool { _, ok := believed(i, size); return ok }
			if size, ok := b.parts[i].Covering(message, before, position, holds); ok {
				return believed(i, size)
			}
		}
		return witness.Seal{}, false
	}
	var list []Witnessed
	add := func(w Witnessed, seal witness.Seal) {
		w.By, w.At = seal.By()
		list = append(list, w)
	}
	for _, p := range b.Predictions().Predictions {
		w := Witnessed{Test: p.Test, Hypothesis: p.Hypothesis, MessageID: p.MessageID, Locked: p.State == science.Locked}
		var seal witness.Seal
		if p.Result != nil {
			seal, w.BeforeResult = find(p.MessageID, p.Result.MessageID)
		}
		if !w.BeforeResult {
			var seen bool
			if seal, seen = find(p.MessageID, 0); !seen {
				continue
			}
		}
		add(w, seal)
	}
	for _, r := range b.Results() {
		if seal, seen := find(r.MessageID, 0); seen {
			add(Witnessed{Test: r.Test, MessageID: r.MessageID}, seal)
		}
	}
	return list
}

// witnessedClaim is what no witness whom the reader believes has seen: nothing, the end of the record, or all of it.
func (b *Bundle) witnessedClaim(believed believing) []protocol.Claim {
	position, reach := b.positions(), -1
	for i := range b.parts {
		for _, proof := range b.parts[i].Proofs {
			if _, ok := believed(i, proof.Size); !ok {
				continue
			}
			for k := range b.parts[i].Leaves {
				if leaf := &b.parts[i].Leaves[k]; leaf.N == proof.N {
					reach = max(reach, position(leaf.MessageID))
				}
			}
		}
	}
	switch {
	case reach == len(b.Lines)-1:
		return nil
	case reach < 0:
		return []protocol.Claim{mail.NoWitness}
	}
	return []protocol.Claim{{Code: protocol.Unwitnessed, Message: fmt.Sprintf(
		"No witness outside has seen what came after message %d: whoever kept the record could have written that again, with other times.",
		b.Lines[reach].OriginID())}}
}

// claims lists what the record says of itself and nobody can derive: what its leaves call imported, too.
func (b *Bundle) claims() []protocol.Claim {
	list := slices.DeleteFunc(slices.Clone(b.Verification.Claims), func(c protocol.Claim) bool { return c.Code == protocol.RecordImported })
	n := 0
	for i := range b.Lines {
		if b.Lines[i].Intake == protocol.Lenient || b.leafImported(b.Lines[i].OriginID()) {
			n++
		}
	}
	if n == 0 {
		return list
	}
	return append([]protocol.Claim{mail.ImportedClaim(n)}, list...)
}

// leafImported reports whether every journal that has the message says that it was imported.
func (b *Bundle) leafImported(message int64) bool {
	known := false
	for i := range b.parts {
		at := slices.IndexFunc(b.parts[i].Leaves, func(l journal.Leaf) bool { return l.MessageID == message })
		if at < 0 {
			continue
		}
		if known = true; !b.parts[i].Leaves[at].Imported {
			return false
		}
	}
	return known
}

// place says which session of its project the thread was; empty: no journal tells.
func (b *Bundle) place() string {
	for i := range b.parts {
		if told := b.parts[i].Place(b.last().OriginID()); told != "" {
			return told
		}
	}
	return ""
}
