package dispute

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"brenner/internal/literature"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
	"brenner/internal/textnorm"
)

// The bounds of a dispute.
const (
	fewestTests, maxTests = 6, 12
	maxPoints             = 3
	shortestSalt          = 16
	fewestReadings        = 2
)

// check judges a dispute that could be read.
type check struct {
	*Dispute
	findings []protocol.Finding
}

func (c *check) fault(place, format string, args ...any) {
	c.findings = append(c.findings, fault(place, format, args...))
}

// says wants a text.
func (c *check) says(place, text string) {
	if strings.TrimSpace(text) == "" {
		c.fault(place, "it says nothing")
	}
}

func (c *check) all() {
	if c.Edition != Edition {
		c.fault("dispute", "the edition is %q; ours is %s", protocol.Shorten(c.Edition, 40), Edition)
	}
	if !folderName().MatchString(c.Name) {
		c.fault("", "the folder %q has a name that no session can have: lower-case letters, digits and -", c.Name)
	}
	for place, text := range map[string]string{"title": c.Title, "years": c.Years, "field": c.Field, "question": c.Question,
		"context": c.Context, "answered": c.Answered, knownFile: c.Known} {
		c.says(place, text)
	}
	c.day("asked", c.Asked)
	c.hypotheses()
	c.tests()
	c.answers()
	c.sources()
	c.seals(sealedDir, c.sealed)
	c.seals(flippedDir, c.flipped)
	c.exchanged()
	c.disguise()
	c.references()
	if len(c.Read) < fewestReadings {
		c.fault("read", "there are %s; name at least %d, with their citations", protocol.Plural(len(c.Read), "reading"), fewestReadings)
	}
	for i, r := range c.Read {
		c.cited(fmt.Sprintf("read[%d]", i), r.Cite)
	}
	slices.SortStableFunc(c.findings, func(a, b protocol.Finding) int { return strings.Compare(a.Path, b.Path) })
}

func (c *check) day(place string, day Day) {
	if _, err := time.Parse(time.DateOnly, string(day)); err != nil {
		c.fault(place, "%q is no day such as 2011-09-23", protocol.Shorten(string(day), 40))
	}
}

func (c *check) cited(place string, cite *literature.Item) {
	switch {
	case cite == nil:
		c.fault(place, "it has no citation (cite)")
	case cite.Title == "" || cite.Type == "" || cite.Issued == nil || len(cite.Author) == 0:
		c.fault(place+".cite", "a citation has type, title, author and issued")
	}
}

// checked wants to know against what facts were held, and that a text says so where that was memory.
func (c *check) checked(place, against, text string) {
	c.says(place+" checked", against)
	if against == fromMemory && !strings.Contains(strings.ToLower(text), memoryWords) {
		c.fault(place, "it was not checked against a source at hand, and does not say %q", memoryWords)
	}
}

func (c *check) hypotheses() {
	if len(c.Hypotheses) < 2 {
		c.fault("hypotheses", "a dispute has at least two rivals")
	}
	for i, h := range c.Hypotheses {
		place := HypothesisID(i)
		c.says(place+".name", h.Name)
		c.says(place+".claim", h.Claim)
		c.says(place+".mechanism", h.Mechanism)
		for _, anchor := range h.Anchors {
			if strings.HasPrefix(anchor, "S") && !slices.ContainsFunc(c.Sources, func(s Source) bool { return s.ID == anchor }) {
				c.fault(place+".anchors", "there is no source %s", protocol.Shorten(anchor, 20))
			}
		}
	}
}

func (c *check) tests() {
	if len(c.Tests) < fewestTests || len(c.Tests) > maxTests {
		c.fault("tests", "there are %s; a dispute has %d to %d", protocol.Plural(len(c.Tests), "test"), fewestTests, maxTests)
	}
	for i := range c.Tests {
		t, place := &c.Tests[i], TestID(i)
		c.says(place+".name", t.Name)
		c.says(place+".procedure", t.Procedure)
		c.says(place+".potency_check", t.Potency)
		for part, points := range map[string]float64{"likelihood_ratio": t.Score.LikelihoodRatio, "cost": t.Score.Cost,
			"speed": t.Score.Speed, "ambiguity": t.Score.Ambiguity} {
			if points < 0 || points > maxPoints {
				c.fault(place+".score."+part, "%g is not between 0 and %d", points, maxPoints)
			}
		}
		if t.Score == (Score{}) {
			c.fault(place+".score", "a test says what it costs and tells: likelihood_ratio, cost, speed, ambiguity")
		}
		c.expected(place, t)
	}
}

// expected judges what the rivals expect of a test: it has to tell at least two of them apart.
func (c *check) expected(place string, t *Test) {
	q, err := t.measures()
	if err != nil {
		c.fault(place+".quantity", "%s", err)
		return
	}
	said := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(t.Expected)) {
		text := string(t.Expected[id])
		if !slices.Contains(c.hypothesisIDs(), id) {
			c.fault(place+".expected", "there is no hypothesis %s", protocol.Shorten(id, 20))
		}
		if q != nil {
			if _, err := q.Spread(text); err != nil {
				c.fault(place+".expected."+id, "%q: %s", protocol.Shorten(text, 60), err)
			}
		}
		said[textnorm.Label(text)] = true
	}
	if len(said) < 2 {
		c.fault(place+".expected", "all rivals that say something expect the same: the test tells nothing")
	}
}

func (c *check) answers() {
	c.answer("answer", c.Answer, c.Decisive)
	c.answer("flipped.answer", c.Flipped.Answer, c.Flipped.Decisive)
	c.says("flipped.note", c.Flipped.Note)
	if c.Flipped.Answer == c.Answer {
		c.fault("flipped.answer", "the twin has the answer of history")
	}
	if c.Flipped.Answer == Open {
		c.fault("flipped.answer", "the twin has an answer")
	}
}

func (c *check) answer(place, answer string, decisive []string) {
	if answer != Open && answer != None && !slices.Contains(c.hypothesisIDs(), answer) {
		c.fault(place, "%q is neither a hypothesis nor %s nor %s", protocol.Shorten(answer, 20), Open, None)
	}
	if answer != Open && len(decisive) == 0 {
		c.fault(place, "no test is named that decided it (decisive)")
	}
	for _, id := range decisive {
		if c.test(id) == nil {
			c.fault(place, "there is no test %s that could have decided it", protocol.Shorten(id, 20))
		}
	}
}

func (c *check) sources() {
	if len(c.Sources) == 0 {
		c.fault(sourcesDir, "there is no source of the time")
	}
	for _, s := range c.Sources {
		place := sourcesDir + "/" + s.ID + ".md"
		c.says(place+" title", s.Title)
		c.says(place+" text", s.Text)
		c.cited(place, s.Cite)
		c.day(place+" day", s.Day)
		if s.Day > c.Asked {
			c.fault(place, "it is of %s, later than the day of the question, %s", s.Day, c.Asked)
		}
		c.checked(place, s.Checked, s.Text)
	}
}

// seals judges the sealed results of an arm: one for each test, each an outcome that the test has.
func (c *check) seals(dir string, seals map[string]Seal) {
	fiction := dir == flippedDir
	for _, id := range slices.Sorted(maps.Keys(seals)) {
		if c.test(id) == nil {
			c.fault(dir+"/"+id+".yaml", "there is no test %s", id)
		}
	}
	for i := range c.Tests {
		id := TestID(i)
		place := dir + "/" + id + ".yaml"
		seal, ok := seals[id]
		if !ok {
			c.fault(place, "the result of %s is missing", id)
			continue
		}
		c.found(place, &c.Tests[i], &seal)
		if len(seal.Salt) < shortestSalt {
			c.fault(place+" salt", "it is shorter than %d characters: the result could be guessed from the hash", shortestSalt)
		}
		if seal.Fiction != fiction {
			c.fault(place+" fiction", "it is %t for every result of this folder", fiction)
		}
		if !fiction {
			c.day(place+" day", seal.Day)
			c.says(place+" source", seal.Source)
			c.cited(place, seal.Cite)
			c.checked(place, seal.Checked, seal.Note)
		}
	}
}

// found judges what a result says by its test.
func (c *check) found(place string, t *Test, s *Seal) {
	said := 0
	for _, text := range []Said{s.Outcome, s.Value, s.Unforeseen} {
		if strings.TrimSpace(string(text)) != "" {
			said++
		}
	}
	if said != 1 {
		c.fault(place, "a result says one of outcome, value and unforeseen")
		return
	}
	q, err := t.measures()
	switch {
	case err != nil || s.Unforeseen != "": // the quantity has its own finding; what nobody foresaw has no form
	case q != nil:
		c.measured(place, q, s)
	case s.Value != "":
		c.fault(place+" value", "the test measures no quantity: it has outcomes")
	default:
		var labels []string
		for _, id := range slices.Sorted(maps.Keys(t.Expected)) {
			labels = append(labels, string(t.Expected[id]))
		}
		if !slices.ContainsFunc(labels, func(l string) bool { return textnorm.Label(l) == textnorm.Label(string(s.Outcome)) }) {
			c.fault(place+" outcome", "%q is expected by no rival: write it as one of them does, or as unforeseen",
				protocol.Shorten(string(s.Outcome), 80))
		}
	}
}

func (c *check) measured(place string, q *quantity.Quantity, s *Seal) {
	value, err := quantity.ParseValue(string(s.Value))
	if err == nil {
		err = q.Check(value)
	}
	if err != nil {
		c.fault(place+" value", "%q: %s", protocol.Shorten(string(s.Value+s.Outcome), 60), err)
	}
}

// exchanged wants the twin to differ in something.
func (c *check) exchanged() {
	for id, seal := range c.sealed {
		twin, ok := c.flipped[id]
		if ok && twin.Found() != seal.Found() {
			return
		}
	}
	c.fault(flippedDir, "no result of the twin differs from that of history")
}

// references wants what the page names to be there.
func (c *check) references() {
	for _, id := range reference().FindAllString(c.Known, -1) {
		if c.test(id) == nil && !slices.ContainsFunc(c.Sources, func(s Source) bool { return s.ID == id }) {
			c.fault(knownFile, "there is no %s", id)
		}
	}
}

// disguise wants no name of the table to be left in what the renamed arm says.
func (c *check) disguise() {
	if len(c.Renaming) == 0 {
		c.fault("renaming", "the table is empty: nothing would be disguised")
		return
	}
	texts := c.Stage(Renamed).texts()
	for _, place := range slices.Sorted(maps.Keys(texts)) {
		text := strings.ToLower(texts[place])
		for _, name := range slices.Sorted(maps.Keys(c.Renaming)) {
			if strings.TrimSpace(name) == "" || strings.TrimSpace(c.Renaming[name]) == "" {
				c.fault("renaming", "an empty name disguises nothing")
			} else if strings.Contains(text, strings.ToLower(name)) {
				c.fault("renaming", "%s still says %q in the renamed arm", place, name)
			}
		}
	}
}
