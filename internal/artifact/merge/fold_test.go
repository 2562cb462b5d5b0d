package merge_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2025, 12, 30, 12, 0, 0, 0, time.UTC)

// post makes a message with the next id of a thread that grows by one second a message.
func post(id int64, from, subject, body string) message.Message {
	return message.Message{
		ID: id, ThreadID: "RS-20251230-cell-fate", From: from, Subject: subject, Body: body,
		CreatedAt: noon.Add(time.Duration(id) * time.Second), Intake: protocol.Strict,
	}
}

func block(format string, args ...any) string {
	return "```delta\n" + fmt.Sprintf(format, args...) + "\n```\n"
}

func codes(findings []protocol.Finding) string {
	var list []string
	for _, f := range findings {
		list = append(list, string(f.Severity)+" "+string(f.Code))
	}
	return strings.Join(list, ", ")
}

const hypothesis = `{"operation":"ADD","section":"hypothesis_slate","payload":{"name":"n%d","claim":"c","mechanism":"m",` +
	`"anchors":["§1"]},"rationale":"r"}`

// What is over the limits of a message or not text stays unmerged, and says so.
func TestUnreadableMessagesStayUnmerged(t *testing.T) {
	big := block(hypothesis, 1) + strings.Repeat("prose ", artifact.MaxMessageBytes/6)
	for _, test := range []struct{ name, subject, body, want string }{
		{"large delta", "DELTA[gpt]: x", big, "error MESSAGE_TOO_LARGE"},
		{"large kickoff", "KICKOFF: x", "# Q\n\n## Context\n" + big, "error MESSAGE_TOO_LARGE"},
		{"not UTF-8", "DELTA[gpt]: x", block(hypothesis, 1) + "\xff", "error INVALID_ENCODING"},
		{"NUL", "KICKOFF: x", "# Q\x00", "error INVALID_ENCODING"},
	} {
		for _, intake := range []protocol.Intake{protocol.Strict, protocol.Lenient} {
			s := merge.New("RS-20251230-cell-fate")
			m := post(1, "BlueLake", test.subject, test.body)
			m.Intake = intake
			r := s.Fold(m)
			if got := codes(r.Findings()); got != test.want || r.Receipt != nil || len(r.Changes) > 0 {
				t.Errorf("%s, %s: %s, receipt %v, %d changes", test.name, intake, got, r.Receipt, len(r.Changes))
			}
			if !s.Artifact().EqualContent(artifact.New()) {
				t.Errorf("%s: the artifact changed", test.name)
			}
			if got := codes(s.Window().Findings); got != test.want {
				t.Errorf("%s: the window says %s", test.name, got)
			}
		}
	}
}

// A message with too many blocks stays unmerged, and all its blocks count as rejected.
func TestTooManyBlocksStayUnmerged(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	many := strings.Repeat(block(hypothesis, 1), artifact.MaxBlocks+1)
	r := s.Fold(post(1, "BlueLake", "DELTA[gpt]: x", many))
	if got := codes(r.Findings()); got != "error TOO_MANY_BLOCKS" || r.Receipt == nil || r.Receipt.Rejected != artifact.MaxBlocks+1 {
		t.Errorf("%s, receipt %+v", got, r.Receipt)
	}
	if !s.Artifact().EqualContent(artifact.New()) {
		t.Error("the artifact changed")
	}
	s.Fold(post(2, "BlueLake", "DELTA[gpt]: y", block(hypothesis, 1)))
	w := s.Window()
	if w.Deltas.Found != artifact.MaxBlocks+2 || w.Deltas.Accepted != 1 || w.Deltas.Found != w.Deltas.Accepted+w.Deltas.Rejected {
		t.Errorf("counts %+v", w.Deltas)
	}
}

// A window keeps the details of some messages and the counts of all, folded in one go or not.
func TestWindowIsBounded(t *testing.T) {
	body := strings.Repeat("```delta\n```\n", 400)
	s := merge.New("RS-20251230-cell-fate")
	const messages = 100
	for i := range int64(messages) {
		if r := s.Fold(post(i+1, "BlueLake", "DELTA[gpt]: x", body)); len(r.Receipt.Blocks) != 400 {
			t.Fatalf("the report on message %d has %d blocks", i+1, len(r.Receipt.Blocks))
		}
	}
	w, kept := s.Window(), 0
	for _, r := range w.Messages {
		kept += len(r.Receipt.Blocks)
		if r.Receipt.Found != 400 || r.Receipt.Rejected != 400 {
			t.Errorf("message %d: %+v", r.MessageID, *r.Receipt)
		}
	}
	if w.Deltas.Found != 400*messages || w.Deltas.Rejected != 400*messages || kept > 20_000 || kept == 0 {
		t.Errorf("%+v, details of %d blocks", w.Deltas, kept)
	}
	if len(w.Findings) > 5000 || w.More < 400*messages-5000 {
		t.Errorf("%d findings and %d more", len(w.Findings), w.More)
	}
	loaded, err := merge.Load(s.Save())
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []*merge.State{s, loaded} {
		state.Fold(post(messages+1, "BlueLake", "DELTA[gpt]: x", body))
	}
	if diff := cmp.Diff(s.Save(), loaded.Save()); diff != "" {
		t.Error("a loaded state goes on otherwise")
	}
}

func TestKickoffFieldTooLong(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	r := s.Fold(post(1, "Operator", "KICKOFF: x", "# Q\n\n## Context\n"+strings.Repeat("x", artifact.MaxFieldBytes+1)))
	if got := codes(r.Notes); got != "error FIELD_TOO_LONG" {
		t.Error(got)
	}
	if rt := s.Artifact().Thread; rt.Text(artifact.Statement) != "Q" || rt.Get(artifact.Context) != nil {
		t.Error("statement and context:", rt.Text(artifact.Statement), rt.Text(artifact.Context) != "")
	}
}

// Ten thousand items fill a section, killed ones included.
func TestSectionIsFull(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	var b strings.Builder
	for range 1000 {
		b.WriteString(block(`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":{"H1":"x"}},` +
			`"rationale":"r"}`))
	}
	for i := range int64(10) {
		if r := s.Fold(post(i+1, "BlueLake", "DELTA[gpt]: fill", b.String())); r.Applied != 1000 {
			t.Fatal(r.Applied, codes(r.Findings()))
		}
	}
	r := s.Fold(post(11, "BlueLake", "DELTA[gpt]: over",
		block(`{"operation":"KILL","section":"predictions_table","target_id":"P1","payload":{"reason":"r"},"rationale":"r"}`)+
			block(
				`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":{"H1":"x"}},"rationale":"r"}`)))
	if got := codes(r.Findings()); got != "error SECTION_LIMIT_EXCEEDED" {
		t.Error(got)
	}
	if n := len(s.Artifact().Items(artifact.PredictionsTable)); n != artifact.MaxItems {
		t.Errorf("%d items", n)
	}
}

// A list that grows by many edits keeps its order and has no duplicates, and values that
// were given out before do not change.
func TestLongListsUnite(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	s.Fold(post(1, "BlueLake", "DELTA[gpt]: add", block(hypothesis, 1)))
	item := s.Artifact().Item("H1")
	var kept artifact.List
	want := artifact.List{"§1"}
	for i := range 100 {
		anchors := fmt.Sprintf(`"§%d","§%d","§%d"`, i+1, i+2, i+1)
		s.Fold(post(int64(i+2), "BlueLake", "DELTA[gpt]: more",
			block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"anchors":[%s]},"rationale":"r"}`,
				anchors)))
		want = append(want, fmt.Sprintf("§%d", i+2))
		if i == 60 {
			kept = item.List(artifact.Anchors)
			loaded, err := merge.Load(s.Save())
			if err != nil {
				t.Fatal(err)
			}
			s, item = loaded, loaded.Artifact().Item("H1")
		}
	}
	if !artifact.Equal(item.List(artifact.Anchors), want) {
		t.Error(item.List(artifact.Anchors))
	}
	if !artifact.Equal(kept, want[:62]) {
		t.Error("a value that was given out has changed:", kept)
	}
	s.Fold(post(200, "BlueLake", "DELTA[gpt]: replace",
		block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"anchors":["§5"],"replace":true},`+
			`"rationale":"r"}`)))
	s.Fold(post(201, "BlueLake", "DELTA[gpt]: unite with what was replaced",
		block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"anchors":["§9","§5"]},"rationale":"r"}`)))
	if got := item.List(artifact.Anchors); !artifact.Equal(got, artifact.List{"§5", "§9"}) {
		t.Error("after a replacement:", got)
	}
}

// Many agents on one field: all but the winner are losers, once each, in log order reversed.
func TestManyAgentsOnOneField(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	s.Fold(post(1, "Operator", "DELTA[human]: add", block(hypothesis, 1)))
	for round := range 2 {
		for i := range 40 {
			id := int64(2 + round*40 + i)
			s.Fold(post(id, fmt.Sprintf("Agent%d", i), "DELTA[gpt]: mine",
				block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"%d by %d"},"rationale":"r"}`,
					round, i)))
		}
	}
	conflicts := s.Window().Conflicts
	if len(conflicts) != 1 || conflicts[0].Winner.Agent != "Agent39" || len(conflicts[0].Losers) != 40 {
		t.Fatalf("%+v", conflicts)
	}
	for i, l := range conflicts[0].Losers {
		want := fmt.Sprintf("Agent%d", 38-i)
		if i == 39 {
			want = "Operator"
		}
		if l.Agent != want || i < 39 && l.Value != artifact.Text(fmt.Sprintf("1 by %d", 38-i)) {
			t.Errorf("loser %d: %+v", i, l)
		}
	}
}

// The same at one instant, with and without a roster, loaded in between.
func TestManyAgentsAtOneInstant(t *testing.T) {
	for _, ranked := range []int{-1, 17} {
		s := merge.New("RS-20251230-cell-fate")
		if ranked >= 0 {
			roster := message.RenderSessionConfiguration(protocol.Roster{Entries: []protocol.RosterEntry{
				{AgentName: "nobody", Role: protocol.RoleTestDesigner},
				{AgentName: fmt.Sprintf("agent%d", ranked), Role: protocol.RoleTestDesigner},
			}})
			s.Fold(post(1, "Operator", "KICKOFF: k", "# K\n\n"+roster))
		}
		s.Fold(post(2, "Operator", "DELTA[human]: add", block(hypothesis, 1)))
		for i := range 80 {
			m := post(int64(3+i), fmt.Sprintf("Agent%d", i%40), "DELTA[gpt]: mine",
				block(`{"operation":"EDIT","section":"hypothesis_slate","target_id":"H1","payload":{"claim":"%d"},"rationale":"r"}`, i))
			m.CreatedAt = noon.Add(time.Hour)
			s.Fold(m)
			if i%30 == 29 {
				var err error
				if s, err = merge.Load(s.Save()); err != nil {
					t.Fatal(err)
				}
			}
		}
		item := s.Artifact().Item("H1")
		want, disputes := "c", 1
		if ranked >= 0 {
			want, disputes = fmt.Sprint(ranked+40), 0
		}
		if item.Text(artifact.Claim) != want || len(item.Conflicts) != disputes {
			t.Errorf("ranked %d: claim %q, conflicts %v", ranked, item.Text(artifact.Claim), item.Conflicts)
		}
	}
}

// A large map that changes key by key is the same as one that was given whole.
func TestLargeMapsMerge(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	s.Fold(post(1, "BlueLake", "DELTA[gpt]: add",
		block(`{"operation":"ADD","section":"predictions_table","payload":{"condition":"c","predictions":{"K0":"v"}},"rationale":"r"}`)))
	item := s.Artifact().Item("P1")
	want := artifact.Map{{Key: "K0", Text: "v"}}
	edit := func(id int64, predictions string) {
		t.Helper()
		if r := s.Fold(post(id, "BlueLake", "DELTA[gpt]: edit", block(
			`{"operation":"EDIT","section":"predictions_table","target_id":"P1","payload":{"predictions":%s},"rationale":"r"}`,
			predictions))); r.Applied != 1 {
			t.Fatal(predictions, codes(r.Findings()))
		}
	}
	for i := range 1000 {
		switch i % 7 {
		case 3:
			edit(int64(i+2), fmt.Sprintf(`{"K%d":null,"H%d":"new"}`, i/2, i+1))
			want = want.Without(fmt.Sprintf("K%d", i/2)).Set(fmt.Sprintf("H%d", i+1), "new")
		default:
			edit(int64(i+2), fmt.Sprintf(`{"K%d":"%d","L%d":"x%d"}`, i, i, i/3, i))
			want = want.Set(fmt.Sprintf("K%d", i), fmt.Sprint(i)).Set(fmt.Sprintf("L%d", i/3), fmt.Sprintf("x%d", i))
		}
		if i%250 == 249 {
			s.Artifact()
			if diff := cmp.Diff(want, item.Map(artifact.Predictions)); diff != "" {
				t.Fatalf("after %d edits (-want +got):\n%s", i+1, diff)
			}
		}
	}
	edit(2000, `{"K1":"again","K999":"last"}`)
	edit(2001, `{"H1":"only"},"predictions_replace":true`)
	if diff := cmp.Diff(artifact.Map{{Key: "H1", Text: "only"}}, s.Artifact().Item("P1").Map(artifact.Predictions)); diff != "" {
		t.Error(diff)
	}
}

// A state keeps what messages say, not the messages: a short field or a receipt must not
// hold the body it was read from.
func TestBodiesAreNotKept(t *testing.T) {
	s := merge.New("RS-20251230-cell-fate")
	prose := strings.Repeat("Much has been written about this. ", 20_000)
	size, before := 0, heap()
	for i := range 60 {
		m := post(int64(i+1), strings.Clone("BlueLake"), "DELTA[gpt]: "+prose[:60], prose+fmt.Sprint(i)+"\n\n"+
			block(`{"operation":"ADD","section":"assumption_ledger","payload":{"name":"n%d","statement":"s","load":"l","test":"t",`+
				`"status":"unchecked","note":["x"],"references":[{"session":"s","item":"A1","relation":"refines"}]},"rationale":"why"}`, i)+
			block(`{"operation":"EDIT","section":"assumption_ledger","target_id":"A1","payload":{"statement":"%d"},"rationale":"why"}`, i)+
			block(`{"operation":"KILL","section":"anomaly_register","target_id":"X%d","payload":{"reason":"not there"}}`, i+1)+
			block(`{"operation":"FOLD","section":"none","target_id":"%d"}`, i))
		size += len(m.Body)
		s.Fold(m)
	}
	if kept := heap() - before; kept > size/20 {
		t.Errorf("%d bytes of messages, %d are kept", size, kept)
	}
	runtime.KeepAlive(s)
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
