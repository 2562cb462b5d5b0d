package delta

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"brenner/internal/artifact"
	"brenner/internal/markup"
	"brenner/internal/protocol"
)

// codes are all codes that reading a message can give.
var codes = []protocol.Code{
	protocol.InvalidJSON, protocol.NotAnObject, protocol.BlockTooLarge, protocol.InvalidOperation,
	protocol.InvalidSection, protocol.InvalidTarget, protocol.MissingRequiredField, protocol.EmptyPayload,
	protocol.InvalidField, protocol.ReservedField, protocol.RTAddNotAllowed, protocol.RTKillNotAllowed,
	protocol.MissingRationale, protocol.UnknownField, protocol.IncompleteItem, protocol.UnknownHandle,
	protocol.ScoreOutOfRange, protocol.FieldTooLong, protocol.MB122,
}

// bySize are the codes that need large blocks; TestLimits gives them.
var bySize = []protocol.Code{protocol.BlockTooLarge, protocol.FieldTooLong}

func TestVectorsGiveEveryCode(t *testing.T) {
	seen := map[protocol.Code]bool{}
	for _, c := range bySize {
		seen[c] = true
	}
	eachVectorFile(t, func(_ string, archive *txtar.Archive) {
		for _, v := range vectorsOf(t, archive) {
			r := Read(markup.Parse(v.body), v.intake)
			for _, f := range append(r.Receipt.Findings(), r.NearMisses...) {
				seen[f.Code] = true
			}
		}
	})
	for _, c := range codes {
		if !seen[c] {
			t.Errorf("no vector gives %s", c)
		}
		delete(seen, c)
	}
	for c := range seen {
		t.Errorf("%s is not in the list of codes", c)
	}
}

// checkLaws holds for any message.
func checkLaws(t *testing.T, body string, intake protocol.Intake) {
	t.Helper()
	doc := markup.Parse(body)
	r := Read(doc, intake)
	if r.Receipt.Found != r.Receipt.Accepted+r.Receipt.Rejected || r.Receipt.Found != len(r.Receipt.Blocks) ||
		r.Receipt.Accepted != len(r.Deltas) {
		t.Fatalf("counts do not add up: %+v, %d deltas", r.Receipt, len(r.Deltas))
	}
	for i, b := range r.Receipt.Blocks {
		if b.Index != i+1 || (b.Status == Rejected) != protocol.HasErrors(b.Findings) {
			t.Fatalf("block %d: %+v", i, b)
		}
		for _, f := range b.Findings {
			checkPlace(t, doc, f)
		}
	}
	for _, f := range r.NearMisses {
		checkPlace(t, doc, f)
	}
	for i := range r.Deltas {
		checkDelta(t, &r.Deltas[i])
	}
	if diff := cmp.Diff(describe(r), describe(Read(markup.Parse(body), intake))); diff != "" {
		t.Fatalf("reading twice differs:\n%s", diff)
	}
	receipt, err := json.Marshal(r.Receipt)
	if err != nil || strings.Contains(string(receipt), `"blocks":null`) || strings.Contains(string(receipt), `"findings":null`) {
		t.Fatalf("receipt %s: %v", receipt, err)
	}
}

func checkPlace(t *testing.T, doc *markup.Document, f protocol.Finding) {
	t.Helper()
	if f.Line < 1 || f.Column < 1 || f.Message == "" || f.Fix == "" {
		t.Fatalf("finding without place or fix: %+v", f)
	}
	if last, _ := doc.Position(len(doc.Text())); f.Line > last {
		t.Fatalf("finding beyond the message: %+v", f)
	}
}

// checkDelta makes sure that what is accepted can be put into an artifact and hashed.
func checkDelta(t *testing.T, d *Delta) {
	t.Helper()
	item := artifact.NewItem(artifact.NewItemID(d.Section, 1), d.Section)
	for _, f := range d.Fields {
		item.Set(f.Name, f.Value)
	}
	for _, e := range d.Extra {
		if e.Value != "null" {
			item.SetExtra(e.Name, e.Value)
		}
	}
	a := artifact.New()
	if d.Section != artifact.ResearchThread {
		a.Add(item)
	} else {
		a.Thread = item
	}
	if _, err := a.Hash(); err != nil {
		t.Fatalf("accepted delta cannot be hashed: %v\n%+v", err, d)
	}
}

func TestLaws(t *testing.T) {
	eachVectorFile(t, func(_ string, archive *txtar.Archive) {
		for _, v := range vectorsOf(t, archive) {
			checkLaws(t, v.body, protocol.Strict)
			checkLaws(t, v.body, protocol.Lenient)
		}
	})
}

func FuzzRead(f *testing.F) {
	eachVectorFile(f, func(_ string, archive *txtar.Archive) {
		for _, v := range vectorsOf(f, archive) {
			f.Add(v.body)
		}
	})
	f.Fuzz(func(t *testing.T, body string) {
		checkLaws(t, body, protocol.Strict)
		checkLaws(t, body, protocol.Lenient)
	})
}

// TestLenientAcceptsMore: whatever strict intake accepts, lenient intake accepts alike.
func TestLenientAcceptsMore(t *testing.T) {
	eachVectorFile(t, func(path string, archive *txtar.Archive) {
		for _, v := range vectorsOf(t, archive) {
			strict := Read(markup.Parse(v.body), protocol.Strict)
			lenient := Read(markup.Parse(v.body), protocol.Lenient)
			for i, b := range strict.Receipt.Blocks {
				if b.Status == Accepted && lenient.Receipt.Blocks[i].Status != Accepted {
					t.Errorf("%s %s: block %d is accepted strictly but not leniently", path, v.name, i+1)
				}
			}
		}
	})
}
