package genealogy_test

import (
	"fmt"
	"testing"
	"time"

	"brenner/internal/artifact/merge"
	"brenner/internal/genealogy"
	"brenner/internal/message"
	"brenner/internal/protocol"
)

// log writes the messages of two sessions that refer to each other, a day each.
type log struct{ folds map[string]*merge.State }

func (l log) post(day int, session, block string) {
	id := "RS-20260301-" + session
	if l.folds[id] == nil {
		l.folds[id] = merge.New(id)
	}
	l.folds[id].Fold(message.Message{
		ID: int64(day), ThreadID: id, From: "BlueLake", Subject: "DELTA[gpt]: x", Body: "# D\n\n```delta\n" + block + "\n```\n",
		CreatedAt: time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC), Intake: protocol.Strict,
	})
}

func addX(refs string) string {
	return fmt.Sprintf(`{"operation":"ADD","section":"anomaly_register","payload":{"name":"n","observation":"o","conflicts_with":["H1"],`+
		`"status":"active","references":[%s]},"rationale":"r"}`, refs)
}

func editX(payload string) string {
	return fmt.Sprintf(`{"operation":"EDIT","section":"anomaly_register","target_id":"X1","payload":{%s},"rationale":"r"}`, payload)
}

func to(session string) string {
	return fmt.Sprintf(`{"session":"RS-20260301-%s","item":"X1","relation":"extends"}`, session)
}

func (l log) leftOut() []genealogy.Edge {
	var sessions []genealogy.Session
	for id, fold := range l.folds {
		sessions = append(sessions, genealogy.Session{ID: id, Artifact: fold.Artifact()})
	}
	return genealogy.Build(sessions).LeftOut
}

// The age of a reference is its own: another one that joins its list later, or replaces the
// list but repeats it, does not make it younger (PROTOCOL 13).
func TestAgeOfAReference(t *testing.T) {
	for name, later := range map[string]string{
		"united":   `"references":[` + to("six") + `]`,
		"replaced": `"references":[` + to("six") + `,` + to("two") + `],"references_replace":true`,
	} {
		l := log{map[string]*merge.State{}}
		l.post(1, "six", addX(""))
		l.post(2, "one", addX(to("two")))
		l.post(5, "two", addX(to("one")))
		l.post(9, "one", editX(later))
		got := l.leftOut()
		if len(got) != 1 || got[0].From != "RS-20260301-two#X1" {
			t.Errorf("%s: left out %v, want the reference of session two", name, got)
		}
	}
	// What was removed and written again is as old as its second writing.
	l := log{map[string]*merge.State{}}
	l.post(2, "one", addX(to("two")))
	l.post(5, "two", addX(to("one")))
	l.post(6, "one", editX(`"references":null`))
	l.post(7, "one", editX(`"references":[`+to("two")+`]`))
	if got := l.leftOut(); len(got) != 1 || got[0].From != "RS-20260301-one#X1" {
		t.Errorf("written again: left out %v, want the reference of session one", got)
	}
}
