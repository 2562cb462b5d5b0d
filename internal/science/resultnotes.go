package science

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/protocol"
	"brenner/internal/textnorm"
)

// ResultNote is a finding about a result, with the message that it is about.
type ResultNote struct {
	Place     int
	Test      artifact.ItemID // or the hypothesis that a condition belongs to
	Met       artifact.ItemID // the test whose result met a condition; empty: there is none
	Overturns bool            // another's result, by somebody who does not convene the thread
	Sources   []string        // on which it is overturned
	Finding   protocol.Finding
}

// ResultNotes lists what there is to say about the results of the thread (SCIENCE 2), in the order of its messages.
func (s *State) ResultNotes() []ResultNote { return s.NotesSince(0) }

// NotesSince lists what there is to say about the results that messages behind a place gave, and about conditions that were written or
// met there. What is long past costs nothing.
func (s *State) NotesSince(place int) []ResultNote {
	given := since(s.Results.Given.All(), func(g *Result) bool { return g.Place > place })
	n := notes{State: s, since: place, given: given, cites: citations{}}
	for _, g := range n.given {
		if !g.NoResult {
			n.result(g)
		}
	}
	for _, w := range since(s.Results.Withdrawals.All(), func(w Withdrawal) bool { return w.Place > place }) {
		n.withdrawal(&w)
	}
	n.shared()
	n.killConditions()
	slices.SortStableFunc(n.list, func(a, b ResultNote) int { return a.Place - b.Place })
	return n.list
}

// since is the end of a list in message order that is new.
func since[T any](list []T, isNew func(T) bool) []T {
	from := len(list)
	for from > 0 && isNew(list[from-1]) {
		from--
	}
	return list[from:]
}

// findingsOf are the findings of notes.
func findingsOf(notes []ResultNote) []protocol.Finding {
	list := make([]protocol.Finding, 0, len(notes))
	for _, n := range notes {
		list = append(list, n.Finding)
	}
	return list
}

// notes collects what there is to say.
type notes struct {
	*State
	since int       // nothing is said of messages up to here
	given []*Result // behind it
	cites citations // of the tests that were asked for
	list  []ResultNote
}

// citing is how many of a test's standing results cite each source.
func (n *notes) citing(test artifact.ItemID) sources {
	if _, known := n.cites[test]; !known {
		n.cites[test] = citationsOf(slices.DeleteFunc(n.Results.Of(test), func(g *Result) bool { return !g.stands() }))
	}
	return n.cites[test]
}

func (n *notes) add(place int, test artifact.ItemID, f protocol.Finding) {
	n.list = append(n.list, ResultNote{Place: place, Test: test, Finding: f.On(string(test))})
}

func (n *notes) result(g *Result) {
	say := func(f protocol.Finding) { n.add(g.Place, g.Test, f) }
	if old := n.Results.Given.At(g.Replaces); old != nil && !old.Exploratory {
		say(replaced(old, g))
		n.overturns(old, g.By, g.Convener, g.Evidence)
	}
	if g.Unknown {
		say(protocol.NewFinding(protocol.UnknownResult, "%s replicates a result that %s does not have.", g.name(), g.Test))
	}
	if !g.stands() {
		return
	}
	if f, ok := n.unlabelled(g); ok {
		say(f)
	}
	if len(g.Sources()) == 0 {
		f := protocol.NewFinding(protocol.ResultUnsourced, "%s cites no evidence.", g.name())
		if g.Convener {
			f = f.As(protocol.SeverityInfo)
		}
		say(f)
	}
	if g.Replication && !n.citing(g.Test).ownSource(g) {
		counts := "is not counted"
		if g.Convener {
			counts = "is counted as the word of a convener"
		}
		say(protocol.NewFinding(protocol.ReplicationUnsourced, "%s cites no source of its own, and %s.", g.name(), counts))
	}
	if f, ok := n.potency(g); ok {
		say(f)
	}
}

func (n *notes) potency(g *Result) (protocol.Finding, bool) {
	switch {
	case g.Potency == PotencyFailed:
		return protocol.NewFinding(protocol.PotencyFailed, "%s is not counted: its control did not work.", g.name()), true
	case g.Potency == "" && n.Results.Test(g.Test).Potent:
		return protocol.NewFinding(protocol.PotencyUnstated, "%s does not say whether the potency check passed.", g.name()), true
	}
	return protocol.Finding{}, false
}

// unlabelled tells of a result that says something its test has no place for.
func (n *notes) unlabelled(g *Result) (protocol.Finding, bool) {
	q := n.TableOf(g.Test).Quantity
	switch {
	case g.Unforeseen != "" || g.Outcome == "" && g.Value == nil || n.measured(g):
		return protocol.Finding{}, false
	case g.Value != nil && q != nil && !g.Value.HasError():
		return protocol.NewFinding(protocol.ValueWithoutError, "%s says %s without an error, and is not counted.", g.name(),
			g.Value.Text()), true
	case g.Value != nil && q != nil:
		return protocol.NewFinding(protocol.UnknownOutcome, "%s is no value of %s: %s.", g.Value.Text(), g.Test, q.Check(*g.Value)), true
	case g.Value != nil:
		return protocol.NewFinding(protocol.UnknownOutcome, "%s measures no quantity: the value %s is not counted.", g.Test,
			g.Value.Text()), true
	}
	f, _ := n.CheckOutcome(g.Test, g.Outcome)
	return f, true
}

func replaced(old, g *Result) protocol.Finding {
	f := protocol.NewFinding(protocol.ResultReplaced, "%s %s of %s replaces %s %s.",
		g.quoted(), g.signed(), g.Test, old.text(), old.signed())
	if old.sameAs(g) {
		f = f.As(protocol.SeverityInfo)
	}
	return f
}

func (n *notes) withdrawal(w *Withdrawal) {
	old := n.Results.Given.At(w.Result)
	switch {
	case old != nil:
		reason := ""
		if w.Reason != "" {
			reason = ": " + protocol.Shorten(w.Reason, 200)
		}
		n.add(w.Place, w.Test, protocol.NewFinding(protocol.ResultWithdrawn, "%s %s of %s was withdrawn by %s in %s%s.",
			old.quoted(), old.signed(), w.Test, w.By, messageName(w.MessageID), reason))
		n.overturns(old, w.By, w.Convener, w.Evidence)
	case !w.Known:
		n.add(w.Place, w.Test, protocol.NewFinding(protocol.UnknownResult, "%s withdraws in %s a result that %s does not have.",
			w.By, messageName(w.MessageID), w.Test))
	}
}

// overturns notes whether somebody sets aside another's result, and on which sources (SCIENCE 2, at the door).
func (n *notes) overturns(old *Result, by string, convener bool, evidence []string) {
	last := &n.list[len(n.list)-1]
	last.Overturns, last.Sources = !protocol.SameAgent(old.By, by) && !convener, SourcesOf(evidence)
}

// shared tells of results that rest on one source.
func (n *notes) shared() {
	if len(n.given) == 0 {
		return
	}
	first := map[string]*Result{}
	for _, g := range n.Results.Given.All() {
		if !g.stands() {
			continue
		}
		for _, source := range g.Sources() {
			switch other := first[source]; {
			case other == nil:
				first[source] = g
			case other != g && g.Place > n.since:
				n.add(g.Place, g.Test, protocol.NewFinding(protocol.SharedEvidence, "%s cites the same source as that of %s in %s: %s.",
					g.name(), other.Test, messageName(other.MessageID), protocol.Brief(source)))
			}
		}
	}
}

// name says which result it is.
func (g *Result) name() string {
	return fmt.Sprintf("The result of %s in %s", g.Test, messageName(g.MessageID))
}

// signed is who recorded it, where and from which source.
func (g *Result) signed() string {
	source := "no source"
	if cited := g.Sources(); len(cited) > 0 {
		source = protocol.Shorten(strings.Join(cited, ", "), 80)
	}
	return fmt.Sprintf("(%s, %s, %s)", g.By, messageName(g.MessageID), source)
}

// quoted begins a sentence with what the result says.
func (g *Result) quoted() string {
	if g.Text() == "" && g.Status == "" {
		return "The result"
	}
	return g.text()
}

// text is what the result says, within a sentence: its status, where it says no more.
func (g *Result) text() string {
	switch text := cmp.Or(g.Text(), g.Status); text {
	case "":
		return "the result"
	default:
		return quoted(text)
	}
}

// sameAs reports whether two results say the same after normalising.
func (g *Result) sameAs(other *Result) bool {
	if g.Value != nil && other.Value != nil {
		return g.Value.Equal(other.Value)
	}
	return textnorm.Label(g.Text()) == textnorm.Label(other.Text())
}
