package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/quantity"
	"brenner/internal/science"
)

// ResultRequest records what a test came to (SCIENCE 2). At most one of Outcome, Value and Unforeseen is given.
type ResultRequest struct {
	ThreadID    string
	Test        string
	As          string
	Outcome     string // empty: none
	Value       string // a number with its error, such as 73 ± 1
	Unforeseen  string
	Status      string   // empty: passed
	Evidence    []string // ids of the pack
	Exploratory bool
	Note        string
	Performed   string    // the day of the experiment; empty: not said
	Started     time.Time // of a run; zero: none
	Potency     string    // passed, failed, or empty
	Replicates  *int64    // the message of the result that it repeats; nil: none
}

// RecordedResult is what recording came to.
type RecordedResult struct {
	MessageID  *int64             `json:"message_id"` // null: nothing was posted
	ThreadID   string             `json:"thread_id"`
	Test       string             `json:"test"`
	Status     string             `json:"status"`
	Outcome    *string            `json:"outcome"`
	Value      *quantity.Value    `json:"value"`
	Unforeseen *string            `json:"unforeseen"`
	Potency    *string            `json:"potency"`
	Replicates *int64             `json:"replicates"`
	Evidence   []string           `json:"evidence"`
	Receipt    *delta.Receipt     `json:"receipt"`
	Findings   []protocol.Finding `json:"findings"`
}

// Blocks is the receipt of the DELTA that gives the result, also of one that the door refused.
func (r RecordedResult) Blocks() *delta.Receipt { return r.Receipt }

// ActiveTest finds a test that can get a result. NOT_FOUND: there is none; CONFLICT: it was
// killed.
func (s *Session) ActiveTest(test string) (*artifact.Item, error) {
	it, err := s.test(test)
	if err == nil && it.Killed != nil {
		return nil, protocol.Errorf(protocol.Conflict, "%s was killed: %s", test, protocol.Shorten(it.Killed.Reason, 120))
	}
	return it, err
}

func (s *Session) test(test string) (*artifact.Item, error) {
	it := s.View.Fold.Artifact().Item(artifact.ItemID(test))
	if it == nil || it.Section != artifact.DiscriminativeTests {
		return nil, noTest(s.ID(), s.View.Fold.Artifact(), test)
	}
	return it, nil
}

// noTest says which tests there are.
func noTest(thread string, a *artifact.Artifact, test string) error {
	var others []string
	for _, it := range a.Active(artifact.DiscriminativeTests) {
		others = append(others, string(it.ID))
	}
	if len(others) == 0 {
		return protocol.Errorf(protocol.NotFound, "%s has no test %s, and no other yet", thread, protocol.Shorten(test, 40))
	}
	return protocol.Errorf(protocol.NotFound, "%s has no test %s, only %s", thread, protocol.Shorten(test, 40), enumerated(others))
}

// check completes a request, or says what is wrong with it whatever the thread says.
func (r *ResultRequest) check() error {
	if r.Status == "" {
		r.Status = "passed"
	}
	said := 0
	for _, text := range []string{r.Outcome, r.Value, r.Unforeseen} {
		if strings.TrimSpace(text) != "" {
			said++
		}
	}
	switch {
	case !slices.Contains([]string{"passed", "failed", "blocked", "error"}, r.Status):
		return protocol.Errorf(protocol.Usage, "the status %q is none of passed, failed, blocked, error", r.Status)
	case said > 1:
		return protocol.Errorf(protocol.Usage, "a result says one of outcome, value and unforeseen")
	case said == 0 && (r.Status == "passed" || r.Status == "failed"):
		return protocol.Errorf(protocol.Usage, "a test that %s has an outcome, a value, or something unforeseen", r.Status)
	case said == 1 && (r.Status == "blocked" || r.Status == "error"):
		return protocol.Errorf(protocol.Usage, "a test with status %s has no outcome", r.Status)
	case r.Potency != "" && r.Potency != science.PotencyPassed && r.Potency != science.PotencyFailed:
		return protocol.Errorf(protocol.Usage, "the potency %q is neither passed nor failed", r.Potency)
	}
	if _, err := time.Parse(time.DateOnly, r.Performed); r.Performed != "" && err != nil {
		return protocol.Errorf(protocol.Usage, "the day %q is no date such as 2026-01-09", r.Performed)
	}
	return nil
}

// RecordResult posts a DELTA that gives a test its result. An outcome that is no label of the test is
// taken, with a warning that names the labels; a value needs its error and a test that measures one.
func (s *Sessions) RecordResult(ctx context.Context, r ResultRequest) (RecordedResult, error) {
	done := RecordedResult{ThreadID: r.ThreadID, Test: r.Test, Evidence: append([]string{}, r.Evidence...), Findings: []protocol.Finding{}}
	if err := r.check(); err != nil {
		return done, err
	}
	done.Status, done.Outcome, done.Unforeseen, done.Potency = r.Status, given(r.Outcome), given(r.Unforeseen), given(r.Potency)
	of, err := s.Session(ctx, r.ThreadID)
	if err != nil {
		return done, err
	}
	run, err := of.lastRun(&r, &done)
	if err != nil {
		return done, err
	}
	body, err := testBody(r.Test, "The result of "+r.Test+".", testEdit{r.Status, run, slices.Clone(r.Evidence)})
	if err != nil {
		return done, err
	}
	sent, err := s.postResult(ctx, of, r.As, "Result of "+r.Test, body)
	done.Receipt, done.Findings = sent.Receipt, append(done.Findings, sent.Findings...)
	if sent.Message.ID != 0 {
		done.MessageID = &sent.Message.ID
	}
	return done, err
}

// CanRecord finds the test that a run will give a result, before anything runs. NOT_FOUND and CONFLICT as ActiveTest
// says; NOT_FOUND too if it replicates a result that is not there.
func (s *Session) CanRecord(r ResultRequest) (*artifact.Item, error) {
	r.Status, r.Outcome = "blocked", "" // nothing was found yet
	if err := r.check(); err != nil {
		return nil, err
	}
	it, err := s.ActiveTest(r.Test)
	if err == nil && r.Replicates != nil {
		_, err = s.replicated(&r)
	}
	return it, err
}

// replicated is the result that a request repeats.
func (s *Session) replicated(r *ResultRequest) (*science.Result, error) {
	old := s.View.Science.Results.Named(artifact.ItemID(r.Test), *r.Replicates)
	if old == nil {
		return nil, protocol.Errorf(protocol.NotFound, "%s has no result in message %d", r.Test, *r.Replicates)
	}
	return old, nil
}

// Measures reports whether a test measures a quantity.
func (s *Session) Measures(test string) bool {
	return s.View.Science.Results.Test(artifact.ItemID(test)).Quantity != nil
}

// lastRun judges a request by its thread and by the pack, and writes it down.
func (s *Session) lastRun(r *ResultRequest, done *RecordedResult) (*lastRun, error) {
	if _, err := s.ActiveTest(r.Test); err != nil {
		return nil, err
	}
	for _, id := range r.Evidence {
		if err := s.of.shown(id); err != nil {
			return nil, err
		}
	}
	run := &lastRun{
		Outcome: done.Outcome, Unforeseen: done.Unforeseen, At: formatTime(s.of.now()), By: r.As, Exploratory: r.Exploratory,
		Note: given(r.Note), Evidence: r.Evidence, Performed: given(r.Performed), Potency: done.Potency,
	}
	if r.Replicates != nil {
		old, err := s.replicated(r)
		if err != nil {
			return nil, err
		}
		run.Replicates, done.Replicates = &old.Origin, r.Replicates
	}
	if strings.TrimSpace(r.Value) != "" {
		var err error
		if run.Value, err = s.measured(r); err != nil {
			return nil, err
		}
		done.Value = run.Value
	}
	if started := s.started(r); !started.IsZero() {
		at := started.UTC().Format(time.RFC3339Nano)
		run.Started = &at
	}
	return run, nil
}

// measured reads a value in the terms of the test's quantity.
func (s *Session) measured(r *ResultRequest) (*quantity.Value, error) {
	q := s.View.Science.Results.Test(artifact.ItemID(r.Test)).Quantity
	if q == nil {
		return nil, protocol.Errorf(protocol.InvalidInput, "%s measures no quantity: it has outcomes, and no values", r.Test)
	}
	value, err := quantity.ParseValue(r.Value)
	if err != nil {
		return nil, protocol.Errorf(protocol.CellNotNumeric, "%q is no value: %w", protocol.Shorten(r.Value, 60), err)
	}
	switch err := q.Check(value); {
	case err != nil && !value.HasError():
		return nil, protocol.Errorf(protocol.ValueWithoutError, "%q has no error: write such as 73 ± 1 or 73 +2 -1",
			protocol.Shorten(r.Value, 60))
	case err != nil:
		return nil, protocol.Errorf(protocol.CellNotNumeric, "%q is no value of %s: %w", protocol.Shorten(r.Value, 60), r.Test, err)
	}
	if q.Unit != "" {
		value.Unit = &q.Unit
	}
	return &value, nil
}

// author is the agent in whose name something is posted. One that is not registered is known by its name alone: the
// door refuses it.
func (s *Sessions) author(ctx context.Context, name string) (mail.Agent, error) {
	agents, err := s.store().Agents(ctx, s.project(), name)
	if err != nil || len(agents) == 0 {
		return mail.Agent{Name: name}, err
	}
	return agents[0], nil
}

func (s *Sessions) postResult(ctx context.Context, of *Session, as, about, body string) (mail.Verdict, error) {
	author, err := s.author(ctx, as)
	if err != nil {
		return mail.Verdict{}, err
	}
	return s.tell(ctx, of.View, mail.Outgoing{Draft: message.Draft{From: as, Subject: author.DeltaSubject("%s", about), Body: body}})
}

// lastRun is the field of a test that tells of its latest run (SCIENCE 2).
type lastRun struct {
	Outcome     *string         `json:"outcome,omitempty"`
	Value       *quantity.Value `json:"value,omitempty"`
	Unforeseen  *string         `json:"unforeseen,omitempty"`
	At          string          `json:"at"`
	By          string          `json:"by"`
	Exploratory bool            `json:"exploratory"`
	Note        *string         `json:"note,omitempty"`
	Evidence    []string        `json:"evidence,omitempty"`
	Performed   *string         `json:"performed,omitempty"`
	Started     *string         `json:"started,omitempty"`
	Potency     *string         `json:"potency,omitempty"`
	Replicates  *int64          `json:"replicates,omitempty"` // an origin id
	Withdraws   *int64          `json:"withdraws,omitempty"`  // an origin id
	Reason      *string         `json:"reason,omitempty"`
}

// testEdit is what a result writes into its test.
type testEdit struct {
	Status   string   `json:"status,omitempty"`
	LastRun  *lastRun `json:"last_run"`
	Evidence []string `json:"evidence_refs,omitempty"`
}

// testBody writes the DELTA that edits a test.
func testBody(test, about string, edit testEdit) (string, error) {
	block, err := json.MarshalIndent(struct {
		Operation delta.Operation `json:"operation"`
		Section   string          `json:"section"`
		Target    string          `json:"target_id"`
		Payload   testEdit        `json:"payload"`
		Rationale string          `json:"rationale"`
	}{delta.Edit, artifact.DiscriminativeTests.String(), test, edit, about}, "", "  ")
	return message.DeltaBody(about, string(block)), err
}

// given is a text that is not blank, nil for any other.
func given(text string) *string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return &text
}
