package journal

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"

	"brenner/internal/message"
	"brenner/internal/protocol"
)

// rootOf is RFC 6962 section 2.1, read independently.
func rootOf(lines []string) [32]byte {
	if len(lines) == 1 {
		return sha256.Sum256([]byte("\x00" + lines[0]))
	}
	k := 1
	for k*2 < len(lines) {
		k *= 2
	}
	left, right := rootOf(lines[:k]), rootOf(lines[k:])
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

// TestTree: every root, consistency proof and inclusion proof of small trees holds, and none of a changed tree.
func TestTree(t *testing.T) {
	var tree, forged Tree
	var lines []string
	for i := range 20 {
		l := Leaf{N: int64(i), ThreadID: "RS-1", Kind: Result, At: "x"}
		lines = append(lines, l.Line())
		tree.Add(lines[i])
		l.Begun = 7
		forged.Add(l.Line())
		if got := tree.Root(int64(i + 1)); got != Root(rootOf(lines)) {
			t.Fatalf("root of %d leaves: %x", i+1, got)
		}
	}
	last := tree.Checkpoint(20)
	for from := int64(1); from <= 20; from++ {
		proof, err := tree.Consistency(from, 20)
		if err != nil || last.Extends(tree.Checkpoint(from), proof) != nil {
			t.Fatalf("from %d: %v", from, err)
		}
		fork := forged.Checkpoint(from)
		fork.Origin = last.Origin
		if protocol.CodeOf(last.Extends(fork, proof)) != protocol.NotConsistent {
			t.Errorf("a fork of size %d is taken", from)
		}
		inclusion, err := tree.Inclusion(from-1, 20)
		if err != nil || !last.Covers(from-1, lines[from-1], inclusion) || last.Covers(from-1, lines[from-1]+" ", inclusion) {
			t.Errorf("leaf %d: %v", from-1, err)
		}
	}
	if protocol.CodeOf(tree.Checkpoint(19).Extends(last, nil)) != protocol.NotConsistent {
		t.Error("a cut is taken")
	}
}

// TestLeafIsCanonical: the line is RFC 8785 JSON with exactly the keys of the law, and reads back.
func TestLeafIsCanonical(t *testing.T) {
	l := Leaf{3, "RS-20260110-a<b", 7, "00ff", Result, "2026-01-10T00:00:00.000000Z", true, 4, 2}
	const want = `{"at":"2026-01-10T00:00:00.000000Z","begun":4,"chain_hash":"00ff","completed":2,"imported":true,` +
		`"kind":"result","message_id":7,"n":3,"thread_id":"RS-20260110-a<b"}`
	if l.Line() != want || !json.Valid([]byte(want)) {
		t.Errorf("got %s", l.Line())
	}
	if again, err := ParseLeaf(want); err != nil || again != l {
		t.Errorf("%v %+v", err, again)
	}
	if _, err := ParseLeaf(" " + want); err == nil {
		t.Error("another spelling is read")
	}
}

// TestCoveringBefore: a checkpoint came before a result only where the journal saw the result arrive. An importer may hand in the
// beginning of a thread, have it witnessed, and then the result that was there all the time.
func TestCoveringBefore(t *testing.T) {
	position := func(message int64) int { return int(message) }
	for _, imported := range []bool{false, true} {
		p := Part{
			Leaves: []Leaf{
				{N: 0, MessageID: 1, Kind: Prediction, Imported: imported}, {N: 1, MessageID: 2, Kind: Result, Imported: imported},
			},
			Proofs: []Inclusion{{N: 0, Size: 1}},
		}
		if _, ok := p.Covering(1, 2, position, func(int64) bool { return true }); ok == imported {
			t.Errorf("imported %v: the prediction came before the result: %v", imported, ok)
		}
	}
}

func TestNotes(t *testing.T) {
	var tree Tree
	tree.Add("a")
	note := tree.Checkpoint(1).Note()
	if c, err := ParseNote(note); err != nil || c != tree.Checkpoint(1) {
		t.Errorf("%v %+v", err, c)
	}
	for _, bad := range []string{"", note + "\n", note[1:], note[:len(note)-1], "brenner/00\n1\nAAAA\n"} {
		if _, err := ParseNote(bad); protocol.CodeOf(err) != protocol.InvalidInput {
			t.Errorf("%q is read: %v", bad, err)
		}
	}
}

// TestCandidates: what a DELTA writes decides its kind; a lenient one too, and a neutral value is nobody's.
func TestCandidates(t *testing.T) {
	block := func(operation, section, payload string) string {
		target := "T1"
		if section == "predictions_table" {
			target = "P1"
		}
		return fmt.Sprintf("```delta\n{\"operation\": %q, \"section\": %q, \"target_id\": %q, \"payload\": %s, \"rationale\": "+
			"\"r\"}\n```\n", operation, section, target, payload)
	}
	for _, c := range []struct {
		body string
		want Kind
	}{
		{block("EDIT", "discriminative_tests", `{"actual_outcomes": {"H1": "up"}}`), Result},
		{block("EDIT", "discriminative_tests", `{"last_run": {"by": "A"}}`), Result},
		{block("EDIT", "discriminative_tests", `{"name": "x"}`), Prediction},
		{block("EDIT", "predictions_table", `{"condition": "x"}`), Prediction},
		{block("KILL", "discriminative_tests", `{"reason": "x"}`), None},
		{block("EDIT", "hypothesis_slate", `{"claim": "x"}`), None},
		{block("EDIT", "nonsense", `{"status": "x"}`), None},
		{block("EDIT", "predictions_table", `{"condition": "x"}`) + block("EDIT", "discriminative_tests", `{"status": "passed"}`), Result},
	} {
		m := &message.Message{ThreadID: "RS-1", Body: c.body, Intake: protocol.Strict}
		if got := Candidate(m, protocol.TypeDelta, nil); got != c.want {
			t.Errorf("%q is %q, want %q", c.body, got, c.want)
		}
		if got := Candidate(m, protocol.TypeInfo, nil); got != None {
			t.Errorf("an INFO is %q", got)
		}
	}
}
