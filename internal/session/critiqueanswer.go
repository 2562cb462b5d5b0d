package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/fold"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// CritiqueReply answers a critique in words. At most one of Change, Test and GiveUp says what follows from it; without one the
// critique does not hold.
type CritiqueReply struct {
	ID     int64
	As     string
	Text   string
	Change *ItemChange   // it is right in part
	Test   *ProposedTest // a test decides
	GiveUp bool          // it is right
}

// ItemChange is a new text for a field of the item that a critique attacks.
type ItemChange struct {
	Field string `json:"field" about:"such as claim or mechanism"`
	Text  string `json:"text" about:"what it says from now on"`
}

// ProposedTest is a test that decides whether a critique holds.
type ProposedTest struct {
	Name      string            `json:"name" about:"in a few words"`
	Procedure string            `json:"procedure" about:"what is done"`
	Expected  []ExpectedOutcome `json:"expected" about:"what each explanation expects"`
	Control   string            `json:"control" about:"how one sees that the test can tell at all"`
}

// ExpectedOutcome is what an explanation expects of a test.
type ExpectedOutcome struct {
	Hypothesis string `json:"hypothesis" about:"such as H2"`
	Outcome    string `json:"outcome" about:"in a few words, or a number with its spread"`
}

// ReplyToCritique records an answer: a rebuttal, or a DELTA that replies to the critique and does what follows from it.
func (s *Sessions) ReplyToCritique(ctx context.Context, r CritiqueReply) (mail.Verdict, error) {
	follows := 0
	for _, given := range []bool{r.Change != nil, r.Test != nil, r.GiveUp} {
		if given {
			follows++
		}
	}
	switch {
	case follows > 1:
		return mail.Verdict{}, protocol.Errorf(protocol.Usage,
			"an answer does one thing: it changes the item, proposes a test or gives it up")
	case follows == 0:
		return s.CritiqueAnswer(ctx, r.ID, r.As, r.Text)
	case strings.TrimSpace(r.Text) == "":
		return mail.Verdict{}, protocol.Errorf(protocol.InvalidInput, "an answer says why: its body is empty")
	}
	m, of, c, err := s.critiqueByID(ctx, r.ID)
	if err != nil {
		return mail.Verdict{}, err
	}
	target := of.attacked(c)
	if target == nil && r.Test == nil {
		return mail.Verdict{}, protocol.Errorf(protocol.NotFound, "critique %d attacks no item that stands", r.ID)
	}
	block, err := r.block(target)
	if err != nil {
		return mail.Verdict{}, err
	}
	text, err := json.MarshalIndent(block, "", "  ")
	if err != nil {
		return mail.Verdict{}, err
	}
	author, err := s.author(ctx, r.As)
	if err != nil {
		return mail.Verdict{}, err
	}
	return s.tell(ctx, of.View, mail.Outgoing{Draft: message.Draft{
		From: r.As, Subject: author.DeltaSubject("Answer to critique #%d", c.OriginID), ReplyTo: m.ID,
		Body: message.DeltaBody(message.Contain(r.Text), string(text)),
	}})
}

// attacked is the first item that a critique attacks and that still stands; nil: there is none.
func (s *Session) attacked(c *fold.Critique) *artifact.Item {
	for _, id := range c.Targets {
		if it := s.View.Fold.Artifact().Item(artifact.ItemID(id)); it != nil && it.Active() {
			return it
		}
	}
	return nil
}

// answerBlock is what an answer does to the artifact.
type answerBlock struct {
	Operation delta.Operation `json:"operation"`
	Section   string          `json:"section"`
	Target    *string         `json:"target_id"`
	Payload   any             `json:"payload"`
	Rationale string          `json:"rationale"`
}

// block writes down what follows from a critique.
func (r *CritiqueReply) block(target *artifact.Item) (answerBlock, error) {
	if t := r.Test; t != nil {
		if protocol.Blank(t.Name) || protocol.Blank(t.Procedure) || len(t.Expected) == 0 {
			return answerBlock{}, protocol.Errorf(protocol.InvalidInput,
				"a test has a name, a procedure and what an explanation expects of it")
		}
		return t.block(target, r.Text), nil
	}
	id := string(target.ID)
	b := answerBlock{delta.Edit, target.Section.String(), &id, nil, r.Text}
	if r.GiveUp {
		b.Operation, b.Payload = delta.Kill, map[string]string{"reason": r.Text}
		return b, nil
	}
	i := target.Section.Field(r.Change.Field)
	if i < 0 || target.Section.Fields()[i].Kind != artifact.KindText {
		return b, protocol.Errorf(protocol.Usage, "%s has no text %q that an answer could change", id, protocol.Shorten(r.Change.Field, 40))
	}
	if protocol.Blank(r.Change.Text) {
		return b, protocol.Errorf(protocol.InvalidInput, "the new %s of %s is empty", r.Change.Field, id)
	}
	b.Payload = map[string]string{r.Change.Field: r.Change.Text}
	return b, nil
}

func (t *ProposedTest) block(target *artifact.Item, why string) answerBlock {
	var ids []string
	expected := map[string]string{}
	for _, e := range t.Expected {
		ids, expected[e.Hypothesis] = append(ids, e.Hypothesis), e.Outcome
	}
	if target != nil && !slices.Contains(ids, string(target.ID)) {
		ids = append([]string{string(target.ID)}, ids...)
	}
	return answerBlock{delta.Add, artifact.DiscriminativeTests.String(), nil, struct {
		Name          string            `json:"name"`
		Procedure     string            `json:"procedure"`
		Discriminates string            `json:"discriminates"`
		Expected      map[string]string `json:"expected_outcomes"`
		Control       string            `json:"potency_check,omitempty"`
	}{t.Name, t.Procedure, strings.Join(ids, " vs "), expected, t.Control}, why}
}
