package dispute

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/literature"
)

// Arm is a way to play a dispute.
type Arm string

// The arms. What is known by heart helps in Named and misleads in Flipped: their difference is how much was recalled rather than
// reasoned.
const (
	Named   Arm = "named"   // as it was
	Renamed Arm = "renamed" // its entities disguised
	Flipped Arm = "flipped" // results exchanged, so that another rival wins: fiction
)

// Arms lists them.
func Arms() []Arm { return []Arm{Named, Renamed, Flipped} }

// FictionNote stands wherever the flipped twin is shown.
const FictionNote = "Fiction: the results of this session are invented, so that another answer than that of history follows from them. " +
	"Take them as they come."

// Staged is a dispute as one arm tells it.
type Staged struct {
	Name string
	Arm  Arm
	Header
	SHA256 string // of dispute.yaml
	Notes  []Note
	Seals  []Sealed
}

// Note is a source as the agents get it.
type Note struct {
	Source string // S1
	Title  string
	Text   string
	Cite   *literature.Item // nil where it would give the names away
}

// Sealed is a result that nobody has seen: a file, and its hash.
type Sealed struct {
	Seal
	Data   []byte
	SHA256 string
}

// Seal finds the sealed result of a test.
func (s *Staged) Seal(test string) *Sealed {
	i := slices.IndexFunc(s.Seals, func(seal Sealed) bool { return seal.Test == test })
	if i < 0 {
		return nil
	}
	return &s.Seals[i]
}

// Stage tells the dispute as an arm does.
func (d *Dispute) Stage(arm Arm) *Staged {
	s := &Staged{Name: d.Name, Arm: arm, Header: d.Header, SHA256: d.SHA256}
	say, seals := func(text string) string { return text }, d.sealed
	switch arm {
	case Renamed:
		say = d.renamer()
		s.Header = d.renamed(say)
	case Flipped:
		seals = d.flipped
		s.Answer, s.Decisive, s.Answered = d.Flipped.Answer, d.Flipped.Decisive, d.Flipped.Note
		s.Context = FictionNote + "\n\n" + s.Context
	}
	for _, source := range d.Sources {
		note := Note{Source: source.ID, Title: source.Title, Text: say(source.Text), Cite: source.Cite}
		if arm == Renamed {
			note.Title, note.Cite = "Reading note "+source.ID, nil
		}
		s.Notes = append(s.Notes, note)
	}
	for i := range d.Tests {
		if seal, ok := seals[TestID(i)]; ok {
			s.Seals = append(s.Seals, seal.staged(arm, say))
		}
	}
	return s
}

// staged is the file of a seal in an arm: its own bytes, but for the renamed arm, whose files are made from those of the named one.
func (s Seal) staged(arm Arm, say func(string) string) Sealed {
	if arm == Renamed {
		s = Seal{Test: s.Test, Outcome: Said(say(string(s.Outcome))), Value: s.Value, Unforeseen: Said(say(string(s.Unforeseen))),
			Note: say(s.Note), Salt: hashOf([]byte("renamed " + s.Salt))[:32]}
		data, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			panic(err) // plain texts always encode
		}
		s.data = slices.Concat(data, []byte{'\n'})
	}
	return Sealed{s, s.data, hashOf(s.data)}
}

// renamer disguises a text by the table of the dispute, the longest names first.
func (d *Dispute) renamer() func(string) string {
	names := make([]string, 0, len(d.Renaming))
	for name := range d.Renaming {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, name, d.Renaming[name])
	}
	return strings.NewReplacer(pairs...).Replace
}

// renamed disguises whatever an agent may read of the header.
func (d *Dispute) renamed(say func(string) string) Header {
	h := d.Header
	h.Title, h.Question, h.Context, h.Answered = say(h.Title), say(h.Question), say(h.Context), say(h.Answered)
	h.Years, h.Asked, h.Field, h.Read = "", "", "", nil
	h.Hypotheses = slices.Clone(h.Hypotheses)
	for i := range h.Hypotheses {
		of := &h.Hypotheses[i]
		of.Name, of.Claim, of.Mechanism = say(of.Name), say(of.Claim), say(of.Mechanism)
		of.Anchors = slices.Clone(of.Anchors)
		for j := range of.Anchors {
			of.Anchors[j] = say(of.Anchors[j])
		}
	}
	h.Tests = slices.Clone(h.Tests)
	for i := range h.Tests {
		t := &h.Tests[i]
		t.Name, t.Procedure, t.Potency, t.Feasibility = say(t.Name), say(t.Procedure), say(t.Potency), say(t.Feasibility)
		if q, err := t.measures(); q != nil && err == nil {
			t.Quantity = json.RawMessage(say(string(t.Quantity)))
		}
		expected := map[string]Said{}
		for id, text := range t.Expected {
			expected[id] = Said(say(string(text)))
		}
		t.Expected = expected
	}
	return h
}

// texts are what an agent may read of a staged dispute, by place.
func (s *Staged) texts() map[string]string {
	all := map[string]string{"title": s.Title, "question": s.Question, "context": s.Context}
	for i, h := range s.Hypotheses {
		all[HypothesisID(i)] = strings.Join(append([]string{h.Name, h.Claim, h.Mechanism}, h.Anchors...), "\n")
	}
	for i, t := range s.Tests {
		parts := []string{t.Name, t.Procedure, t.Potency, t.Feasibility, string(t.Quantity)}
		for _, text := range t.Expected {
			parts = append(parts, string(text))
		}
		all[TestID(i)] = strings.Join(parts, "\n")
	}
	for _, n := range s.Notes {
		all[n.Source] = n.Title + "\n" + n.Text
	}
	for _, seal := range s.Seals {
		all["the result of "+seal.Test] = strings.Join([]string{seal.Found(), seal.Note}, "\n")
	}
	return all
}
