package merge

import (
	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// ambiguous warns where a new item landed on another number than its author could expect from
// the version it worked on, and the message mentions the expected one (PROTOCOL 5): an agent
// that wrote "H4" may have meant its own hypothesis. An ADD with a handle needs no number.
func (w *work) ambiguous(subject string, check *message.Report) {
	base := w.base
	if base == nil {
		base = w.latest()
	}
	var handled map[int]bool
	for i := range check.Deltas {
		if d := &check.Deltas[i]; d.LocalID != "" {
			if handled == nil {
				handled = make(map[int]bool)
			}
			handled[d.Block] = true
		}
	}
	var mentioned map[artifact.ItemID]bool
	var own [sections]int
	receipt := w.report.Receipt
	for i := range receipt.Blocks {
		b := &receipt.Blocks[i]
		section, ok := artifact.ParseSection(b.Section)
		if !ok || b.Operation != string(delta.Add) {
			continue
		}
		own[section]++
		expected := artifact.NewItemID(section, base.counts[section]+own[section])
		if b.ItemID == "" || b.ItemID == string(expected) || handled[b.Index] {
			continue
		}
		if mentioned == nil {
			mentioned = mentions(subject, check)
		}
		if mentioned[expected] {
			receipt.Note(b.Index, w.landed(base, artifact.ItemID(b.ItemID), expected).At(b.Line, 0))
		}
	}
}

func (w *work) landed(base *Version, id, expected artifact.ItemID) protocol.Finding {
	f := protocol.NewFinding(protocol.AmbiguousReference,
		"The new item is %s, not %s as could be expected from v%d; the message mentions %s.", id, expected, base.Number, expected)
	if e := w.lookup(string(expected)); e != nil {
		f.Message += " " + string(expected) + " is " + quote(e.item.Title()) + "."
	}
	return f.On(string(id)).WithFix("Give the ADD a local_id and write @local_id where %s was meant; EDIT what now points at %s by "+
		"mistake.", id, expected)
}

// mentions finds the item ids in what a message says: subject, prose and accepted deltas.
func mentions(subject string, check *message.Report) map[artifact.ItemID]bool {
	found := make(map[artifact.ItemID]bool)
	scan := func(text string) { scanIDs(text, found) }
	scan(subject)
	for _, span := range check.Document.Prose() {
		scan(check.Document.Text()[span.Start:span.End])
	}
	for i := range check.Deltas {
		d := &check.Deltas[i]
		scan(d.Target)
		scan(d.Reason)
		scan(d.Rationale)
		for j := range d.Fields {
			scanField(&d.Fields[j], scan)
		}
		for _, e := range d.Extra {
			scan(string(e.Value))
		}
	}
	return found
}

func scanField(f *delta.Field, scan func(string)) {
	switch v := f.Value.(type) {
	case artifact.Text:
		scan(string(v))
	case artifact.List:
		for _, text := range v {
			scan(text)
		}
	case artifact.Map:
		for _, p := range v {
			scan(p.Key)
			scan(p.Text)
		}
	case artifact.References: // of other sessions, which number for themselves
	case artifact.JSON:
		scan(string(v))
	}
	for _, key := range f.ClearKeys {
		scan(key)
	}
}

// scanIDs finds words such as H4 or T12; H3K27me3 is none.
func scanIDs(text string, found map[artifact.ItemID]bool) {
	for i := range len(text) {
		if !idLetter(text[i]) || i > 0 && wordByte(text[i-1]) {
			continue
		}
		end := i + 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if end < len(text) && wordByte(text[end]) {
			continue
		}
		if id, _, _, ok := artifact.ParseItemID(text[i:end]); ok {
			found[id] = true
		}
	}
}

func idLetter(c byte) bool {
	switch c {
	case 'H', 'P', 'T', 'A', 'X', 'C':
		return true
	}
	return false
}

// wordByte tells whether a byte continues a word; bytes of letters beyond ASCII do.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
