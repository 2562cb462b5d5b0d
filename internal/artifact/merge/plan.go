package merge

import (
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/protocol"
)

// plan decides, for a message that uses handles, which blocks are carried out, in which order
// and with which ids, before any of them changes the artifact: a handle may be used before
// its ADD, and an ADD that is refused takes down whatever relies on it (PROTOCOL 5, local
// handles).
type plan struct {
	*State
	deltas  []delta.Delta
	defined map[string]int // handle → the ADD that defines it
	uses    [][]int        // by ADD: the blocks that use its handle
	order   []int          // of execution
	refused []protocol.Finding
	full    []bool // refused because its section is full: what to say is known when the rest is carried out
	out     []bool // refused
	rounds  int
	ids     map[string]artifact.ItemID
}

// needsPlan tells whether a message may use or define handles at all. Most do not, and it
// has to cost them nothing.
func needsPlan(deltas []delta.Delta) bool {
	for i := range deltas {
		d := &deltas[i]
		if d.LocalID != "" || marked(d.Target) {
			return true
		}
		for j := range d.Fields {
			if marksHandle(&d.Fields[j]) {
				return true
			}
		}
	}
	return false
}

func marked(text string) bool { return strings.HasPrefix(text, "@") }

// marksHandle tells whether a field has an @ where a handle could be.
func marksHandle(f *delta.Field) bool {
	switch v := f.Value.(type) {
	case artifact.Map:
		for i := range v {
			if marked(v[i].Key) {
				return true
			}
		}
	case artifact.List:
		return slices.ContainsFunc(v, marked)
	case artifact.References:
		for i := range v {
			if marked(v[i].Item) {
				return true
			}
		}
	case artifact.Text:
		return f.Name == artifact.Discriminates && strings.Contains(string(v), "@")
	}
	return slices.ContainsFunc(f.ClearKeys, marked)
}

func (s *State) plan(deltas []delta.Delta) *plan {
	p := &plan{
		State: s, deltas: deltas, defined: make(map[string]int),
		uses: make([][]int, len(deltas)), refused: make([]protocol.Finding, len(deltas)), out: make([]bool, len(deltas)),
		full: make([]bool, len(deltas)),
	}
	p.define()
	p.connect()
	p.arrange()
	for p.rehearse() {
	}
	return p
}

// define finds the handles of the message. The first of two equal ones counts.
func (p *plan) define() {
	for i := range p.deltas {
		name := p.deltas[i].LocalID
		if name == "" {
			continue
		}
		if first, taken := p.defined[name]; taken {
			p.refuse(i, protocol.NewFinding(protocol.InvalidField, "Block %d has the local_id %s already.",
				p.deltas[first].Block, quote(name)).In("payload.local_id").WithFix("Give each ADD a local_id of its own."))
			continue
		}
		p.defined[name] = i
	}
}

// connect notes who uses whose handle, then refuses the use of one that is not defined.
func (p *plan) connect() {
	unknown := make(map[int]string)
	for i := range p.deltas {
		handles(&p.deltas[i], func(name string) {
			if add, ok := p.defined[name]; ok {
				p.uses[add] = append(p.uses[add], i)
			} else if _, noted := unknown[i]; !noted {
				unknown[i] = name
			}
		})
	}
	for i := range p.deltas {
		if name, ok := unknown[i]; ok {
			p.refuse(i, protocol.NewFinding(protocol.UnknownHandle, "No ADD of this message has the local_id %s.", quote(name)).
				WithFix("Add \"local_id\": %q to the ADD that is meant, or write the item's id.", name))
		}
	}
}

// arrange puts blocks that change an item before its ADD directly behind that ADD; all
// others keep their order.
func (p *plan) arrange() {
	later := make(map[int][]int)
	for i := range p.deltas {
		if add, ok := p.target(i); ok && add > i {
			later[add] = append(later[add], i)
		}
	}
	for i := range p.deltas {
		if add, ok := p.target(i); ok && add > i {
			continue
		}
		p.order = append(append(p.order, i), later[i]...)
	}
}

// target returns the ADD that a block's target handle stands for.
func (p *plan) target(i int) (int, bool) {
	name, ok := delta.Handle(p.deltas[i].Target)
	if !ok {
		return 0, false
	}
	add, ok := p.defined[name]
	return add, ok
}

// refuse takes a block out, and with it all that use its handle.
func (p *plan) refuse(i int, f protocol.Finding) {
	if p.out[i] {
		return
	}
	p.out[i], p.refused[i] = true, f
	if p.defined[p.deltas[i].LocalID] != i || p.deltas[i].LocalID == "" {
		return
	}
	for _, user := range p.uses[i] {
		p.refuse(user, protocol.NewFinding(protocol.UnknownHandle, "The ADD with the local_id %s (block %d) was rejected.",
			quote(p.deltas[i].LocalID), p.deltas[i].Block).WithFix("Mend block %d first.", p.deltas[i].Block))
	}
}

// rehearse gives out ids and refuses what cannot be carried out. Whatever it refuses stays
// refused; it tells whether that was anything, since ids have then moved.
func (p *plan) rehearse() bool {
	p.rounds++
	stage := newStage(p.State)
	p.ids = make(map[string]artifact.ItemID, len(p.defined))
	again := false
	for _, i := range p.order {
		if p.out[i] {
			continue
		}
		switch d := &p.deltas[i]; d.Operation {
		case delta.Add:
			id, ok := stage.add(d.Section)
			if !ok {
				p.refuse(i, protocol.Finding{})
				p.full[i] = true
				again = true
			} else if d.LocalID != "" {
				p.ids[d.LocalID] = id
			}
		case delta.Kill:
			stage.kill(p.resolved(d.Target), d.Section)
		}
	}
	return again || p.clashes()
}

func (p *plan) resolved(target string) string {
	if name, ok := delta.Handle(target); ok {
		return string(p.ids[name])
	}
	return target
}

// patience is how often ids may move because of clashing keys before every map that mixes
// handles with ids of items yet to come is refused, clash or not: each round costs a pass.
const patience = 4

// clashes refuses the blocks in which two keys of a map name the same item.
func (p *plan) clashes() bool {
	again := false
	for _, i := range p.order {
		if p.out[i] || !mixed(&p.deltas[i]) {
			continue
		}
		if _, c := resolve(&p.deltas[i], p.ids); c != nil {
			p.refuse(i, c.finding())
			again = true
		} else if p.rounds > patience {
			p.refuse(i, protocol.NewFinding(protocol.InvalidField,
				"Keys of a map name new items by handle and by number; which is which cannot be told.").
				WithFix("Use handles for all items that this message adds."))
			again = true
		}
	}
	return again
}

// mixed tells whether a map of the delta has both handles and ids as keys.
func mixed(d *delta.Delta) bool {
	for i := range d.Fields {
		f := &d.Fields[i]
		m, ok := f.Value.(artifact.Map)
		if !ok {
			continue
		}
		marked, plain := 0, 0
		count := func(key string) {
			if _, ok := delta.Handle(key); ok {
				marked++
			} else {
				plain++
			}
		}
		for _, p := range m {
			count(p.Key)
		}
		for _, key := range f.ClearKeys {
			count(key)
		}
		if marked > 0 && plain > 0 || marked > 1 {
			return true
		}
	}
	return false
}

func (c *clash) finding() protocol.Finding {
	return protocol.NewFinding(protocol.InvalidField, "In %s the keys %s and %s both name %s, and ask for different values.",
		c.field.Name, quote(c.first), quote(c.then), c.id).
		At(c.field.Line, c.field.Column).In(c.field.Path).
		WithFix("Keep one of the two; %s is %s.", c.id, "the item with that local_id")
}

// stage counts what the blocks of a message would do to the limits of the sections.
type stage struct {
	*State
	added  [sections]int
	active [sections]int
	killed map[string]bool
}

func newStage(s *State) *stage {
	return &stage{State: s, active: s.active, killed: make(map[string]bool)}
}

func (t *stage) add(section artifact.Section) (artifact.ItemID, bool) {
	all := len(t.entries[section]) + t.added[section]
	if section.Full(t.active[section], all) {
		return "", false
	}
	t.added[section]++
	t.active[section]++
	return artifact.NewItemID(section, all+1), true
}

func (t *stage) kill(target string, in artifact.Section) {
	_, section, n, ok := artifact.ParseItemID(target)
	if !ok || section != in || n > len(t.entries[section])+t.added[section] || t.killed[target] {
		return
	}
	if n <= len(t.entries[section]) && !t.entries[section][n-1].item.Active() {
		return
	}
	t.killed[target] = true
	t.active[section]--
}
