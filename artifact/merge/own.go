package merge

import (
	"slices"
	"strings"

	"brenner/artifact"
	"brenner/artifact/delta"
)

// own makes the texts of a delta its own. As read they are pieces of the message's body: an
// item with one short field would keep a whole message in memory. The delta was read for this
// fold alone; only lists may be shared, with the neutral values of the table.
func own(d *delta.Delta) {
	d.Reason = strings.Clone(d.Reason)
	d.Rationale = strings.Clone(d.Rationale)
	for i := range d.Fields {
		f := &d.Fields[i]
		f.Value = ownValue(f.Value)
		for j, key := range f.ClearKeys {
			f.ClearKeys[j] = strings.Clone(key)
		}
	}
	for i, e := range d.Extra {
		d.Extra[i] = artifact.Extra{Name: strings.Clone(e.Name), Value: artifact.JSON(strings.Clone(string(e.Value)))}
	}
}

func ownValue(v artifact.Value) artifact.Value {
	switch v := v.(type) {
	case artifact.Text:
		return artifact.Text(strings.Clone(string(v)))
	case artifact.JSON:
		return artifact.JSON(strings.Clone(string(v)))
	case artifact.List:
		list := slices.Clone(v)
		for i, text := range list {
			list[i] = strings.Clone(text)
		}
		return list
	case artifact.Map:
		for i, p := range v {
			v[i] = artifact.Pair{Key: strings.Clone(p.Key), Text: strings.Clone(p.Text)}
		}
	case artifact.Score:
		for i, p := range v {
			v[i] = artifact.Part{Name: strings.Clone(p.Name), Number: strings.Clone(p.Number)}
		}
	case artifact.References:
		refs := slices.Clone(v)
		for i, r := range refs {
			refs[i] = artifact.Reference{
				Session: strings.Clone(r.Session), Item: strings.Clone(r.Item), Relation: strings.Clone(r.Relation),
				Extra: artifact.JSON(strings.Clone(string(r.Extra))),
			}
		}
		return refs
	}
	return v
}

// ownReceipt makes the texts of a receipt its own, which the window keeps: as read it is part of all that was
// read with it. It was read for this fold alone.
func ownReceipt(read *delta.Receipt) *delta.Receipt {
	copied := *read
	r := &copied
	for i := range r.Blocks {
		b := &r.Blocks[i]
		b.Operation = ownOperation(b.Operation)
		if section, ok := artifact.ParseSection(b.Section); ok {
			b.Section = section.String()
		} else {
			b.Section = strings.Clone(b.Section)
		}
		b.TargetID = strings.Clone(b.TargetID)
	}
	return r
}

func ownOperation(word string) string {
	for _, known := range []delta.Operation{delta.Add, delta.Edit, delta.Kill} {
		if word == string(known) {
			return string(known)
		}
	}
	return strings.Clone(word)
}
