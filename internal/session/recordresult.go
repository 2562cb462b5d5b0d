package session

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"brenner/internal/artifact"
	"brenner/internal/artifact/delta"
	"brenner/internal/mail"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// ResultRequest records what a test came to (SCIENCE 2).
type ResultRequest struct {
	ThreadID    string
	Test        string
	As          string
	Outcome     string   // empty: none
	Status      string   // empty: passed
	Evidence    []string // ids of the pack
	Exploratory bool
	Note        string
}

// RecordedResult is what recording came to.
type RecordedResult struct {
	MessageID *int64             `json:"message_id"` // null: nothing was posted
	ThreadID  string             `json:"thread_id"`
	Test      string             `json:"test"`
	Status    string             `json:"status"`
	Outcome   *string            `json:"outcome"`
	Evidence  []string           `json:"evidence"`
	Receipt   *delta.Receipt     `json:"receipt"`
	Findings  []protocol.Finding `json:"findings"`
}

// ActiveTest finds a test that can get a result. NOT_FOUND: there is none; CONFLICT: it was
// killed.
func (s *Session) ActiveTest(test string) (*artifact.Item, error) {
	it := s.View.Fold.Artifact().Item(artifact.ItemID(test))
	switch {
	case it == nil || it.Section != artifact.DiscriminativeTests:
		return nil, protocol.Errorf(protocol.NotFound, "%s has no test %s", s.ID(), test)
	case it.Killed != nil:
		return nil, protocol.Errorf(protocol.Conflict, "%s was killed: %s", test, protocol.Shorten(it.Killed.Reason, 120))
	}
	return it, nil
}

// check completes a request, or says what is wrong with it.
func (r *ResultRequest) check() error {
	if r.Status == "" {
		r.Status = "passed"
	}
	blank := strings.TrimSpace(r.Outcome) == ""
	switch r.Status {
	case "passed", "failed":
		if blank {
			return protocol.Errorf(protocol.Usage, "a test that %s has an outcome: give it with --outcome", r.Status)
		}
	case "blocked", "error":
		if !blank {
			return protocol.Errorf(protocol.Usage, "a test with status %s has no outcome", r.Status)
		}
	default:
		return protocol.Errorf(protocol.Usage, "the status %q is none of passed, failed, blocked, error", r.Status)
	}
	return nil
}

// RecordResult posts a DELTA that gives a test its result. An outcome that is no label of the test is
// taken, with a warning that names the labels.
func (s *Sessions) RecordResult(ctx context.Context, r ResultRequest) (RecordedResult, error) {
	done := RecordedResult{ThreadID: r.ThreadID, Test: r.Test, Evidence: append([]string{}, r.Evidence...), Findings: []protocol.Finding{}}
	if err := r.check(); err != nil {
		return done, err
	}
	done.Status = r.Status
	of, err := s.Session(ctx, r.ThreadID)
	if err != nil {
		return done, err
	}
	if _, err := of.ActiveTest(r.Test); err != nil {
		return done, err
	}
	for _, id := range r.Evidence {
		if _, err := s.Source(id); err != nil {
			return done, err
		}
	}
	var odd []protocol.Finding
	if strings.TrimSpace(r.Outcome) != "" {
		done.Outcome = &r.Outcome
		odd = of.CheckOutcome(artifact.ItemID(r.Test), r.Outcome)
	}
	body, err := r.body(formatTime(s.now()))
	if err != nil {
		return done, err
	}
	author, err := s.author(ctx, r.As)
	if err != nil {
		return done, err
	}
	sent, err := s.tell(ctx, of.View, mail.Outgoing{Draft: message.Draft{
		From: r.As, Subject: author.DeltaSubject("Result of %s", r.Test), Body: body,
	}})
	done.Receipt, done.Findings = sent.Receipt, append(done.Findings, sent.Findings...)
	for _, f := range odd {
		if done.Receipt != nil && len(done.Receipt.Blocks) > 0 {
			done.Receipt.Note(done.Receipt.Blocks[0].Index, f)
		}
		done.Findings = append(done.Findings, f)
	}
	if sent.Message.ID != 0 {
		done.MessageID = &sent.Message.ID
	}
	return done, err
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

// body writes the DELTA.
func (r *ResultRequest) body(at string) (string, error) {
	type run struct {
		Outcome     *string `json:"outcome"`
		At          string  `json:"at"`
		By          string  `json:"by"`
		Exploratory bool    `json:"exploratory"`
		Note        *string `json:"note"`
	}
	payload := struct {
		Status   string   `json:"status"`
		LastRun  run      `json:"last_run"`
		Evidence []string `json:"evidence_refs,omitempty"`
	}{r.Status, run{protocol.OrNull(r.Outcome), at, r.As, r.Exploratory, protocol.OrNull(r.Note)}, slices.Clone(r.Evidence)}
	block, err := json.MarshalIndent(struct {
		Operation delta.Operation `json:"operation"`
		Section   string          `json:"section"`
		Target    string          `json:"target_id"`
		Payload   any             `json:"payload"`
		Rationale string          `json:"rationale"`
	}{delta.Edit, artifact.DiscriminativeTests.String(), r.Test, payload, "The result of " + r.Test + "."}, "", "  ")
	return "# Delta Contribution\n\nThe result of " + r.Test + ".\n\n## Deltas\n\n```delta\n" + string(block) + "\n```\n", err
}
