package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"brenner/internal/protocol"
)

// Part is what a journal says of one thread: its leaves, the checkpoints that cover them, and the proofs that they do (SCIENCE 11).
type Part struct {
	Origin      string      `json:"origin"`
	Leaves      []Leaf      `json:"leaves"`      // by number
	Checkpoints []Witnessed `json:"checkpoints"` // by size
	Proofs      []Inclusion `json:"proofs"`      // by leaf and size
}

// Witnessed is a checkpoint with what others put beside it.
type Witnessed struct {
	Note       string   `json:"note"`
	Signatures []string `json:"signatures"`
	Timestamp  []byte   `json:"timestamp"` // base64 in JSON; null: none
}

// Size is the number of leaves that the note names; 0: it is no note.
func (w *Witnessed) Size() int64 {
	c, _ := ParseNote(w.Note)
	return c.Size
}

// Inclusion proves that leaf N is in the tree of Size leaves.
type Inclusion struct {
	N      int64 `json:"n"`
	Size   int64 `json:"size"`
	Hashes Proof `json:"hashes"`
}

// Pair says which leaf is to be proved by which checkpoint.
type Pair struct{ N, Size int64 }

// Marks names everybody who signed or stamped a checkpoint, each by something of its own.
type Marks func(*Witnessed) []string

// Pairs are what a crate proves: for each leaf the earliest checkpoint that covers it, and the earliest of each witness. A witness
// whom the reader does not know would else hide one whom the reader knows.
func Pairs(leaves []Leaf, checkpoints []Witnessed, marks Marks) []Pair {
	by := slices.SortedFunc(slices.Values(checkpoints), func(a, b Witnessed) int { return cmp.Compare(a.Size(), b.Size()) })
	signed := make([][]string, len(by))
	for i := range by {
		signed[i] = append(marks(&by[i]), "") // the empty one stands for any checkpoint
	}
	var list []Pair
	for i := range leaves {
		seen, n := map[string]bool{}, leaves[i].N
		for k := range by {
			size, first := by[k].Size(), false
			if size <= n {
				continue
			}
			for _, mark := range signed[k] {
				first = first || !seen[mark]
				seen[mark] = true
			}
			if first {
				list = append(list, Pair{n, size})
			}
		}
	}
	return list
}

// Select keeps of a part what a crate with some messages carries. False: no checkpoint covers one of their leaves.
func (p Part) Select(has func(message int64) bool, marks Marks) (Part, bool) {
	kept := Part{Origin: p.Origin}
	for i := range p.Leaves {
		if has(p.Leaves[i].MessageID) {
			kept.Leaves = append(kept.Leaves, p.Leaves[i])
		}
	}
	proofs := map[Pair]Inclusion{}
	for _, proof := range p.Proofs {
		proofs[Pair{proof.N, proof.Size}] = proof
	}
	sizes := map[int64]bool{}
	for _, pair := range Pairs(kept.Leaves, p.Checkpoints, marks) {
		if proof, ok := proofs[pair]; ok {
			kept.Proofs = append(kept.Proofs, proof)
			sizes[pair.Size] = true
		}
	}
	for i := range p.Checkpoints {
		if sizes[p.Checkpoints[i].Size()] {
			kept.Checkpoints = append(kept.Checkpoints, p.Checkpoints[i])
		}
	}
	return kept, len(kept.Checkpoints) > 0
}

// Prove adds the proofs of the part's pairs from the whole tree.
func (p *Part) Prove(t *Tree, marks Marks) error {
	p.Proofs = nil
	for _, pair := range Pairs(p.Leaves, p.Checkpoints, marks) {
		hashes, err := t.Inclusion(pair.N, pair.Size)
		if err != nil {
			return err
		}
		p.Proofs = append(p.Proofs, Inclusion{pair.N, pair.Size, hashes})
	}
	return nil
}

// Check says what is wrong with a part whose leaves agree with their thread: a checkpoint of another journal, a proof that fails, is
// missing or nobody needs. Nil: nothing.
func (p *Part) Check(marks Marks) error {
	notes := map[int64]Checkpoint{}
	for i := range p.Checkpoints {
		c, err := ParseNote(p.Checkpoints[i].Note)
		if err != nil {
			return err
		}
		if c.Origin != p.Origin {
			return fmt.Errorf("the checkpoint of %s is of another journal than %s", c.Origin, p.Origin)
		}
		notes[c.Size] = c
	}
	lines := map[int64]string{}
	for i := range p.Leaves {
		lines[p.Leaves[i].N] = p.Leaves[i].Line()
	}
	var given []Pair
	for _, proof := range p.Proofs {
		line, known := lines[proof.N]
		if c, ok := notes[proof.Size]; !known || !ok || !c.Covers(proof.N, line, proof.Hashes) {
			return fmt.Errorf("leaf %d is not in the journal of %d leaves", proof.N, proof.Size)
		}
		given = append(given, Pair{proof.N, proof.Size})
	}
	if !slices.Equal(given, Pairs(p.Leaves, p.Checkpoints, marks)) {
		return fmt.Errorf("the proofs are not those of the earliest checkpoints that cover each leaf")
	}
	for size := range notes {
		if !slices.ContainsFunc(given, func(pair Pair) bool { return pair.Size == size }) {
			return fmt.Errorf("the checkpoint of %d leaves covers none of these", size)
		}
	}
	return nil
}

// Agrees compares the leaves of a part with what the letters of its thread give, in their order. A part of the journal that a thread
// came from ends where it left. Letters of stores from before may lack theirs: their text was in a crate when the journal began.
func (p *Part) Agrees(letters []Letter) error {
	var recorder Recorder
	at, last := 0, Leaf{N: -1}
	for _, m := range letters {
		want, ok := recorder.Next(m, Candidate(m.Message, m.Type, nil))
		if !ok {
			continue
		}
		if at == len(p.Leaves) {
			return nil
		}
		leaf := p.Leaves[at]
		if leaf.MessageID != want.MessageID && leaf.Imported {
			continue
		}
		want.N, want.Begun, want.Completed, want.Imported = leaf.N, leaf.Begun, leaf.Completed, leaf.Imported
		if leaf != want {
			return fmt.Errorf("leaf %d is not what message %d gives", leaf.N, want.MessageID)
		}
		if !leaf.follows(&last) {
			return fmt.Errorf("leaf %d does not count on from the leaf before it", leaf.N)
		}
		at, last = at+1, leaf
	}
	if at < len(p.Leaves) {
		return fmt.Errorf("leaf %d is of no message that gives one", p.Leaves[at].N)
	}
	return nil
}

// follows tells whether a leaf can stand somewhere behind another one: its counts go on from there.
func (l *Leaf) follows(last *Leaf) bool {
	return l.N > last.N && l.Begun >= last.Begun && l.Completed >= last.Completed && l.Completed <= l.N+1 && l.Begun <= l.N+1 &&
		(l.Kind != Start || l.Begun > last.Begun)
}

// Unite adds what another part of the same journal and thread has. CONFLICT: they contradict each other.
func (p Part) Unite(other Part) (Part, error) {
	leaves, notes, proofs := map[int64]Leaf{}, map[int64]Witnessed{}, map[Pair]Inclusion{}
	for _, from := range []Part{p, other} {
		for _, l := range from.Leaves {
			if known, ok := leaves[l.N]; ok && known != l {
				return p, protocol.Errorf(protocol.Conflict, "leaf %d of %s is another one than what was taken in before", l.N, p.Origin)
			}
			leaves[l.N] = l
		}
		for _, w := range from.Checkpoints {
			known, ok := notes[w.Size()]
			if ok && known.Note != w.Note {
				return p, protocol.Errorf(protocol.Conflict,
					"the checkpoint of %s with %d leaves is another one than what was taken in before", p.Origin, w.Size())
			}
			known.Note = w.Note
			known.Add(w)
			notes[w.Size()] = known
		}
		for _, proof := range from.Proofs {
			proofs[Pair{proof.N, proof.Size}] = proof
		}
	}
	united := Part{Origin: p.Origin}
	for _, n := range slices.Sorted(maps.Keys(leaves)) {
		united.Leaves = append(united.Leaves, leaves[n])
	}
	for _, size := range slices.Sorted(maps.Keys(notes)) {
		united.Checkpoints = append(united.Checkpoints, notes[size])
	}
	for _, proof := range proofs {
		united.Proofs = append(united.Proofs, proof)
	}
	slices.SortFunc(united.Proofs, func(a, b Inclusion) int { return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Size, b.Size)) })
	return united, nil
}

// Add adds signatures that are not there, and a time-stamp if there is none.
func (w *Witnessed) Add(other Witnessed) {
	for _, s := range other.Signatures {
		if !slices.Contains(w.Signatures, s) {
			w.Signatures = append(slices.Clip(w.Signatures), s)
		}
	}
	if w.Timestamp == nil {
		w.Timestamp = other.Timestamp
	}
}

// Place says which session of its project a thread was, and how many there were by a version: session 4; 9 begun, 6 completed. Empty: the
// part does not reach that version.
func (p *Part) Place(version int64) string {
	if len(p.Leaves) == 0 || p.Leaves[len(p.Leaves)-1].MessageID != version {
		return ""
	}
	last := p.Leaves[len(p.Leaves)-1]
	told := fmt.Sprintf("%d begun, %d completed", last.Begun, last.Completed)
	if i := slices.IndexFunc(p.Leaves, func(l Leaf) bool { return l.Kind == Start }); i >= 0 {
		told = fmt.Sprintf("session %d; %s", p.Leaves[i].Begun, told)
	}
	return told
}

// Covering is the smallest checkpoint that a reader believes and that has a message of the thread, by its own leaf or by that of a
// later one, whose chain hash covers it. before, if it is not 0, is a message that the checkpoint must not have. position is the place of a
// message in its thread.
func (p *Part) Covering(message, before int64, position func(message int64) int, believed func(size int64) bool) (size int64, ok bool) {
	leaves := map[int64]*Leaf{}
	limit := int64(-1)
	for i := range p.Leaves {
		leaves[p.Leaves[i].N] = &p.Leaves[i]
		if p.Leaves[i].MessageID == before && !p.Leaves[i].Imported { // else it may have been recorded elsewhere before
			limit = p.Leaves[i].N
		}
	}
	if before != 0 && limit < 0 {
		return 0, false // the journal does not say when it came
	}
	at := position(message)
	for _, proof := range p.Proofs {
		if before != 0 && proof.Size > limit || ok && proof.Size >= size || !believed(proof.Size) {
			continue
		}
		if leaf := leaves[proof.N]; leaf != nil && position(leaf.MessageID) >= at {
			size, ok = proof.Size, true
		}
	}
	return size, ok
}
