package science

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/textnorm"
)

// Wordings is what the hypotheses of a thread say now, and who wrote that (SCIENCE 8). Words that are the same after
// normalising are the same: an edit that changes nothing more writes nothing.
type Wordings struct {
	Latest List[Wording] // by the number of a hypothesis
}

// Wording is the claim and the mechanism of a hypothesis.
type Wording struct {
	AddedBy          string
	Claim, Mechanism Words
}

// Words are a text that is known by its sum, with who wrote it.
type Words struct {
	Sum string
	By  string
}

// Seen is what a hypothesis said when somebody looked at it.
type Seen struct {
	Hypothesis artifact.ItemID
	Sum        string // of claim and mechanism
}

// Advance takes the next message of the thread.
func (r *Wordings) Advance(s Step) {
	for _, it := range s.Touched(artifact.HypothesisSlate) {
		w := r.Latest.At(it.ID.Number())
		if w.AddedBy == "" {
			w.AddedBy = addedBy(it, s.Report)
		}
		claim, mechanism := w.Claim.after(it, artifact.Claim), w.Mechanism.after(it, artifact.Mechanism)
		if next := (Wording{w.AddedBy, claim, mechanism}); next != r.Latest.At(it.ID.Number()) {
			r.Latest.put(it.ID.Number(), next)
		}
	}
}

// addedBy returns who added an item: the merge knows, else it was in this message.
func addedBy(it *artifact.Item, report *merge.MessageReport) string {
	if src := it.Origin(); src != nil {
		return strings.Clone(src.Agent)
	}
	return strings.Clone(report.From)
}

// after returns the words of a field after a message: others only if they differ by more than normalising takes away.
func (w Words) after(it *artifact.Item, field string) Words {
	sum := sumOf(textnorm.Label(it.Text(field)))
	if sum == w.Sum {
		return w
	}
	next := Words{Sum: sum}
	if src := it.Source(field); src != nil {
		next.By = strings.Clone(src.Agent)
	}
	return next
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// sum is that of claim and mechanism; empty for a hypothesis that does not exist.
func (w Wording) sum() string {
	if w.Claim.Sum == "" {
		return ""
	}
	return w.Claim.Sum + w.Mechanism.Sum
}

// Authors are who added a hypothesis and who wrote its claim and mechanism as they stand.
func (w Wording) Authors() []string {
	names := []string{}
	for _, name := range []string{w.AddedBy, w.Claim.By, w.Mechanism.By} {
		if name != "" && !hasName(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// See returns what the active hypotheses say now, and those that are named.
func (r *Wordings) See(a *artifact.Artifact, named ...string) []Seen {
	var list []Seen
	for _, it := range a.Items(artifact.HypothesisSlate) {
		if it.Active() || slices.Contains(named, string(it.ID)) {
			list = append(list, Seen{it.ID, r.Latest.At(it.ID.Number()).sum()})
		}
	}
	return list
}

// stands tells whether a hypothesis says now what was seen then.
func (r *Wordings) stands(id artifact.ItemID, seen []Seen) bool {
	return slices.ContainsFunc(seen, func(s Seen) bool { return s.Hypothesis == id && s.Sum == r.Latest.At(id.Number()).sum() })
}

// Snapshot returns the register as it is now.
func (r *Wordings) Snapshot() *Wordings { return &Wordings{r.Latest.snapshot()} }
