package delta

import "brenner/internal/protocol"

// definition is a handle of a message with the places that use it.
type definition struct {
	block *block
	uses  []placedUse
}

type placedUse struct {
	block *block
	use   use
}

// resolve rejects the blocks that use a handle which no accepted ADD of the message defines,
// and those that depend on them in turn. Each use is looked at once.
func (r *reader) resolve() {
	defined := r.definitions()
	for i := range r.blocks {
		b := &r.blocks[i]
		for _, u := range b.uses {
			b.checkUse(u, defined[u.name])
		}
	}
	var failed []*definition // in block order, so that findings always come in the same order
	for i := range r.blocks {
		if d := defined[r.blocks[i].delta.LocalID]; d != nil && d.block == &r.blocks[i] && d.block.rejected() {
			failed = append(failed, d)
		}
	}
	for len(failed) > 0 {
		d := failed[0]
		failed = append(failed[1:], d.fail(defined)...)
	}
	r.doubtHandles(defined)
}

// definitions finds the handles of a message. The first ADD with a name has it, rejected or
// not: the second is rejected.
func (r *reader) definitions() map[string]*definition {
	var defined map[string]*definition
	for i := range r.blocks {
		b := &r.blocks[i]
		name := b.delta.LocalID
		if name == "" {
			continue
		}
		if d := defined[name]; d != nil {
			b.add(protocol.NewFinding(protocol.InvalidField, "The handle %s belongs to block %d already.",
				protocol.Brief(name), d.block.receipt.Index).WithFix("Give each ADD a local_id of its own.").
				At(b.place(int(b.localAt))).In(b.localPath))
			continue
		}
		if defined == nil {
			defined = map[string]*definition{}
		}
		defined[name] = &definition{block: b}
	}
	return defined
}

// checkUse judges one use of a handle as far as it depends on no other block's fate.
func (b *block) checkUse(u use, d *definition) {
	switch {
	case d == nil:
		b.add(protocol.NewFinding(protocol.UnknownHandle, "No ADD of this message defines @%s.", protocol.Brief(u.name)).
			At(b.place(int(u.offset))).In(u.path))
	case u.kind == asTarget && d.block.section != b.section:
		b.add(protocol.NewFinding(protocol.InvalidTarget, "@%s is in %s, not in %s.", protocol.Brief(u.name), d.block.section, b.section).
			WithFix(`Write "section": "%s", or target an item with the prefix %s.`, d.block.section, b.section.Prefix()).
			At(b.place(int(u.offset))).In(u.path))
	default:
		d.uses = append(d.uses, placedUse{b, u})
	}
}

// fail rejects all who use a handle whose ADD is rejected, and returns the handles that fall
// with them.
func (d *definition) fail(defined map[string]*definition) []*definition {
	var fallen []*definition
	for _, p := range d.uses {
		b := p.block
		before := b.rejected()
		b.add(protocol.NewFinding(protocol.UnknownHandle, "The ADD that defines @%s, block %d, is rejected.",
			protocol.Brief(p.use.name), d.block.receipt.Index).WithFix("Mend block %d.", d.block.receipt.Index).
			At(b.place(int(p.use.offset))).In(p.use.path))
		if own := defined[b.delta.LocalID]; !before && own != nil && own.block == b {
			fallen = append(fallen, own)
		}
	}
	d.uses = nil
	return fallen
}
