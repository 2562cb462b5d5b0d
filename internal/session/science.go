package session

import (
	"brenner/internal/artifact"
	"brenner/internal/fold"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// TestResult is a message that gave a test a result (SCIENCE 2), with the test after that message.
type TestResult struct {
	Test        artifact.ItemID `json:"test"`
	Name        string          `json:"name"`
	Status      *string         `json:"status"`
	Outcome     *string         `json:"outcome"`
	By          string          `json:"by"`
	MessageID   int64           `json:"message_id"`
	At          string          `json:"at"`
	Exploratory bool            `json:"exploratory"`
	Evidence    []string        `json:"evidence"`
}

// Results lists the messages that gave a test of the thread a result, oldest first.
func (s *Session) Results() []TestResult {
	list := []TestResult{}
	for _, r := range s.View.Science.Results.Results.All() {
		list = append(list, testResult(s.View, r))
	}
	return list
}

func testResult(v *fold.View, r science.Result) TestResult {
	return TestResult{
		Test: r.Test, Name: v.Fold.Artifact().Item(r.Test).Title(), Status: protocol.OrNull(r.Status), Outcome: protocol.OrNull(r.Outcome),
		By: r.By, MessageID: r.MessageID, At: formatTime(r.At), Exploratory: r.Exploratory, Evidence: append([]string{}, r.Evidence...),
	}
}

// Predictions lists every prediction of a thread, with what became of it (SCIENCE 3).
func (s *Session) Predictions() science.PredictionReport {
	return s.View.Science.Predictions.Report(&s.View.Science.Results)
}
