package merge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/artifact/merge"
	"brenner/internal/artifact/merge/mergetest"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

func text(v artifact.Value) string {
	if v == nil {
		return ""
	}
	return string(artifact.AppendValue(nil, v))
}

// unitsOf lists the values of an artifact by item and path.
func unitsOf(a *artifact.Artifact) map[string]string {
	units := make(map[string]string)
	for _, section := range artifact.Sections() {
		for _, item := range a.Items(section) {
			for _, f := range section.Fields() {
				for path, v := range split(f.Name, item.Get(f.Name)) {
					units[string(item.ID)+"."+path] = text(v)
				}
			}
			for _, x := range item.Extra() {
				mark := "+"
				if section.Field(x.Name) >= 0 {
					mark = "" // an open field of another form
				}
				units[string(item.ID)+"."+mark+x.Name] = string(x.Value)
			}
			if item.Killed != nil {
				units[string(item.ID)+"."] = text(artifact.Text(item.Killed.Reason))
			}
		}
	}
	return units
}

// split lists the units of a field.
func split(name string, v artifact.Value) map[string]artifact.Value {
	units := make(map[string]artifact.Value)
	switch v := v.(type) {
	case nil:
	case artifact.Map:
		for _, p := range v {
			units[name+"."+p.Key] = artifact.Text(p.Text)
		}
	case artifact.Score:
		for _, p := range v {
			units[name+"."+p.Name] = artifact.JSON(p.Number)
		}
	default:
		units[name] = v
	}
	return units
}

// ledger follows an artifact through nothing but the reported changes.
type ledger map[string]string

func (l ledger) follow(t *rapid.T, changes []merge.Change, unknown map[string]bool) {
	for _, c := range changes {
		if c.Kind == merge.KindOverruled {
			continue
		}
		path := string(c.Item) + "." + c.Field
		if unknown[path] {
			path = string(c.Item) + ".+" + c.Field
		}
		switch c.New.(type) {
		case artifact.Map, artifact.Score: // an empty one came or went as a whole
			continue
		}
		if _, whole := c.Old.(artifact.Map); whole {
			continue
		}
		if _, whole := c.Old.(artifact.Score); whole {
			continue
		}
		if l[path] != text(c.Old) {
			t.Fatalf("%s changed from %s, but it was %s", path, text(c.Old), l[path])
		}
		if c.New == nil {
			delete(l, path)
		} else {
			l[path] = text(c.New)
		}
	}
}

// unknownFields are the fields that no table names; one may be called like a part of a score.
func unknownFields(names map[string]bool, r merge.MessageReport, deltas []delta.Delta) map[string]bool {
	for _, d := range deltas {
		id := r.Receipt.Blocks[d.Block-1].ItemID
		for _, x := range d.Extra {
			names[id+"."+x.Name] = true
		}
	}
	return names
}

// Nothing is ever lost: the artifact is what the reported changes add up to, so that every
// value is there or was replaced by a change that names its block; and every value of an
// accepted block was there after its message, or was overruled by name.
func TestNothingIsLost(t *testing.T) {
	check(t, func(t *rapid.T) {
		thread := mergetest.Thread(t, 30)
		for i := range thread {
			for _, block := range thread[i].Blocks {
				if strings.Contains(block, `"score.cost"`) { // its path would be that of a part
					return
				}
			}
		}
		s, book, names := merge.New(mergetest.ThreadID), ledger{}, map[string]bool{}
		for _, m := range mergetest.Messages(thread) {
			before := unitsOf(s.Artifact())
			read := message.Check(m.Draft(), message.Facts{Intake: m.Intake, Existing: true})
			r := s.Fold(m)
			if r.Receipt == nil {
				read.Deltas = nil
			}
			book.follow(t, r.Changes, unknownFields(names, r, read.Deltas))
			after := unitsOf(s.Artifact())
			if diff := cmp.Diff(map[string]string(book), after); diff != "" {
				t.Fatalf("message %d (-changes +artifact):\n%s", m.ID, diff)
			}
			for i := range read.Deltas {
				checkKept(t, &read.Deltas[i], r, before)
			}
		}
	})
}

// checkKept looks for every value of an accepted block.
func checkKept(t *rapid.T, d *delta.Delta, r merge.MessageReport, before map[string]string) {
	b := r.Receipt.Blocks[d.Block-1]
	if b.Status != delta.Accepted || slices.ContainsFunc(b.Findings, skips) {
		return
	}
	said := map[string]bool{}
	for _, c := range r.Changes {
		said[fmt.Sprintf("%s.%s=%s", c.Item, c.Field, text(c.New))] = true
	}
	for _, f := range d.Fields {
		for path, v := range split(f.Name, f.Value) {
			if strings.Contains(path+text(v), "@h") {
				continue // a handle: checked by table
			}
			at := b.ItemID + "." + path
			if list, ok := v.(artifact.List); ok {
				checkUnited(t, at, list, r.Changes, before)
				continue
			}
			if _, ok := v.(artifact.References); ok {
				continue
			}
			if before[at] != text(v) && !said[at+"="+text(v)] {
				t.Fatalf("message %d, block %d: %s = %s is nowhere", r.MessageID, d.Block, at, text(v))
			}
		}
	}
}

func skips(f protocol.Finding) bool { return f.Code == "TARGET_KILLED" || f.Code == "ALREADY_KILLED" }

// checkUnited looks for the elements of a list in what was there before or came.
func checkUnited(t *rapid.T, at string, list artifact.List, changes []merge.Change, before map[string]string) {
	texts := []string{before[at]}
	for _, c := range changes {
		if string(c.Item)+"."+c.Field == at {
			texts = append(texts, text(c.New))
		}
	}
	all := strings.Join(texts, " ")
	for _, element := range list {
		if !strings.Contains(element, "@h") && !strings.Contains(all, text(artifact.Text(element))) {
			t.Fatalf("%s: %s is nowhere in %s", at, element, all)
		}
	}
}

// A rejected block changes nothing: without it the artifact is the same.
func TestRejectedBlocksChangeNothing(t *testing.T) {
	check(t, func(t *rapid.T) {
		with, without := merge.New(mergetest.ThreadID), merge.New(mergetest.ThreadID)
		for _, m := range mergetest.Thread(t, 20) {
			r := with.Fold(m.Message)
			if r.Receipt == nil || r.Receipt.Found != len(m.Blocks) {
				without.Fold(m.Message)
				continue
			}
			var kept []string
			for i, b := range r.Receipt.Blocks {
				if b.Status == delta.Accepted {
					kept = append(kept, m.Blocks[i])
				}
			}
			without.Fold(m.WithBlocks(kept))
			if diff := cmp.Diff(unitsOf(with.Artifact()), unitsOf(without.Artifact())); diff != "" {
				t.Fatalf("message %d (-with +without rejected blocks):\n%s", m.ID, diff)
			}
		}
		if hash(t, with) != hash(t, without) {
			t.Fatal("rejected blocks change the hash")
		}
	})
}

// Messages of one instant are a set: whatever their order, the same value is kept and the
// same fields are in dispute.
func TestInstantIsASet(t *testing.T) {
	check(t, func(t *rapid.T) {
		setup := mergetest.Thread(t, 4)
		setup = slices.DeleteFunc(setup, func(m mergetest.Message) bool { return len(m.Blocks) > 0 })
		claims := mergetest.Claims(t)
		fold := func(order []message.Message) string {
			s := merge.New(mergetest.ThreadID)
			for _, m := range slices.Concat(mergetest.Messages(setup), order) {
				s.Fold(m)
			}
			_, sections, _ := strings.Cut(toText(t, s), `"sections"`)
			return sections
		}
		want := fold(claims)
		shuffled := rapid.Permutation(claims[1:]).Draw(t, "order")
		if got := fold(slices.Concat(claims[:1], shuffled)); got != want {
			t.Fatalf("in another order:\n%s\nwant\n%s", got, want)
		}
	})
}
