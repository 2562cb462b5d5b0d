package science_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

// study is a thread as it was written, letter by letter. The program folds its text; the oracle reads the same letters
// as data, with nothing of the program's but its constants. Where both say the same, the law has been read twice.
type study struct {
	letters []letter
}

// letter is a message.
type letter struct {
	id, origin int64
	from       string
	at         time.Time
	lenient    bool
	kickoff    string // the body of a KICKOFF; empty for another message
	acts       []act
	beliefs    []string // the text of belief blocks
}

// act is a delta block.
type act struct {
	op          string // ADD, EDIT, KILL
	kind        byte   // H, P, T
	number      int    // of the item; an ADD has the number that it will get
	cells       map[string]string
	gone        []string // cells that are removed
	row         string   // of a row of the predictions table: the test that it names; "null": none any more
	claim       string   // of an edited hypothesis
	killedIf    []string // of an edited hypothesis; nil: it stays as it is
	score       map[string]float64
	quantity    *ruler
	potent      bool // an added test has a potency check
	run         *trial
	status      string
	refs        []string
	actual      map[string]string
	instruments string // what an added test names in discriminates
}

// trial is a last_run.
type trial struct {
	outcome, unforeseen, value string
	exploratory                bool
	note                       string
	sources                    []string // nil: the key is missing
	performed, potency         string
	started                    time.Time
	replicates, withdraws      int64
}

func (s study) cut(letters int) study { return study{s.letters[:letters]} }

var sections = map[byte]string{'H': "hypothesis_slate", 'P': "predictions_table", 'T': "discriminative_tests"}

func (a act) id() string { return fmt.Sprintf("%c%d", a.kind, a.number) }

// text writes the block as an agent would.
func (a act) text() string {
	target := a.id()
	if a.op == "ADD" {
		target = ""
	}
	if a.op == "KILL" {
		return block(a.op, sections[a.kind], target, fields{"reason": "it is time"})
	}
	payload := fields{}
	switch {
	case a.kind == 'H' && a.op == "ADD":
		maps.Copy(payload, fields{"name": a.id(), "claim": a.id() + " explains it", "mechanism": "m", "anchors": []string{"inference"}})
	case a.killedIf != nil:
		payload["killed_if"] = a.killedIf
	case a.kind == 'H':
		payload["claim"] = a.claim
	case a.kind == 'P':
		if a.op == "ADD" {
			payload["condition"] = "when it is cold"
		}
		if a.row == "null" {
			payload["test"] = nil
		} else if a.row != "" {
			payload["test"] = a.row
		}
		if len(a.cells)+len(a.gone) > 0 {
			payload["predictions"] = a.table()
		}
	default:
		a.test(payload)
	}
	return block(a.op, sections[a.kind], target, payload)
}

func (a act) table() fields {
	cells := fields{}
	for h, text := range a.cells {
		cells[h] = text
	}
	for _, h := range a.gone {
		cells[h] = nil
	}
	return cells
}

func (a act) test(payload fields) {
	if a.op == "ADD" {
		maps.Copy(payload, fields{"name": a.id(), "procedure": "look", "discriminates": a.instruments})
		if a.potent {
			payload["potency_check"] = "a strain that grows"
		}
	}
	if len(a.cells)+len(a.gone) > 0 {
		payload["expected_outcomes"] = a.table()
	}
	if a.score != nil {
		payload["score"] = a.score
	}
	if a.quantity != nil {
		payload["quantity"] = a.quantity.field()
	}
	if a.status != "" {
		payload["status"] = a.status
	}
	if a.refs != nil {
		payload["evidence_refs"] = a.refs
	}
	if a.actual != nil {
		payload["actual_outcomes"] = a.actual
	}
	if a.run != nil {
		payload["last_run"] = a.run.field()
	}
}

func (r *trial) field() fields {
	run := fields{}
	for key, text := range map[string]string{"outcome": r.outcome, "unforeseen": r.unforeseen, "value": r.value,
		"note": r.note, "performed": r.performed, "potency": r.potency} {
		if text != "" {
			run[key] = text
		}
	}
	if r.exploratory {
		run["exploratory"] = true
	}
	if r.sources != nil {
		run["evidence"] = r.sources
	}
	if !r.started.IsZero() {
		run["started"] = r.started.Format(time.RFC3339Nano)
	}
	if r.replicates != 0 {
		run["replicates"] = r.replicates
	}
	if r.withdraws != 0 {
		run["withdraws"], run["reason"] = r.withdraws, "a leak"
	}
	return run
}

// text is the letter as it is sent.
func (l letter) text() string {
	if l.kickoff != "" {
		return l.kickoff
	}
	var b strings.Builder
	b.WriteString("# Delta\n")
	for _, a := range l.acts {
		b.WriteString("\n" + a.text())
	}
	for _, text := range l.beliefs {
		b.WriteString("\n```belief\n" + text + "\n```\n")
	}
	return b.String()
}

func (l letter) subject() string {
	switch {
	case l.kickoff != "":
		return "KICKOFF: [RS-20260110-cells-turn] Why do cells turn?"
	case len(l.acts) == 0:
		return "INFO: what I hold likely"
	}
	return "DELTA[gpt]: more"
}

// fold is what the program makes of the study.
func (s study) fold(t *testing.T) *science.State {
	t.Helper()
	fold, state := merge.New("RS-20260110-cells-turn"), &science.State{}
	for _, l := range s.letters {
		m := message.Message{ID: l.id, ThreadID: fold.ThreadID(), From: l.from, Subject: l.subject(), Body: l.text(), CreatedAt: l.at,
			Intake: protocol.Strict}
		if l.origin != l.id {
			m.OriginalID = l.origin
		}
		if l.lenient {
			m.Intake = protocol.Lenient
		}
		report := fold.Fold(m)
		if report.Receipt != nil && report.Receipt.Rejected > 0 {
			t.Fatalf("a block of #%d was rejected: %v\n%s", l.id, report.Findings(), l.text())
		}
		state.Advance(&m, &report, fold.Artifact())
	}
	return state
}

// String prints the study, so that a difference can be seen.
func (s study) String() string {
	var b strings.Builder
	for _, l := range s.letters {
		fmt.Fprintf(&b, "--- #%d (%d) %s %s lenient=%t\n%s\n", l.id, l.origin, l.from, l.at.Format(time.DateTime), l.lenient, l.text())
	}
	return b.String()
}

// ruler is a quantity.
type ruler struct {
	low, high float64
	log       bool
	sd        float64 // 0: not said
	unit      string
}

func (r *ruler) field() fields {
	f := fields{"range": []float64{r.low, r.high}}
	if r.log {
		f["scale"] = "log"
	}
	if r.sd > 0 {
		f["sd"] = r.sd
	}
	if r.unit != "" {
		f["unit"] = r.unit
	}
	return f
}
