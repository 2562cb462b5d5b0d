package fold_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"brenner/internal/artifact/merge"
	"brenner/internal/fold"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
)

var families = map[string]string{
	"Claude1": "anthropic", "Claude2": "anthropic", "Codex": "openai", "Gem": "google", "Operator": "human", "Alice": "human",
	"Odd": "unknown",
}

var dawn = time.Date(2026, 1, 10, 10, 0, 0, 0, time.UTC)

// thread is a thread that a test writes message by message, one a minute, with the ids 1, 2, 3.
type thread struct {
	t    *testing.T
	view *fold.View
	id   int64
}

func newThread(t *testing.T) *thread {
	th := &thread{t: t, view: fold.NewView("RS-20260110-cells-turn")}
	th.post("Operator", "KICKOFF: Why", "# Why\n\n## Research Question\nWhy?\n\n## Context\nSome.\n", 0)
	return th
}

func (th *thread) post(from, subject, body string, replyTo int64) int64 {
	th.t.Helper()
	th.id++
	m := message.Message{
		ID: th.id, ThreadID: "RS-20260110-cells-turn", From: from, Subject: subject, Body: body, ReplyTo: replyTo,
		CreatedAt: dawn.Add(time.Duration(th.id) * time.Minute), Intake: protocol.Strict,
	}
	th.view.Take(&fold.Message{Message: &m}, merge.Read(&m))
	data, err := th.view.Save() // what is kept says all
	if err != nil {
		th.t.Fatal(err)
	}
	if th.view, err = fold.Load(data); err != nil {
		th.t.Fatal(err)
	}
	return th.id
}

type fields map[string]any

func block(operation, section, target string, payload fields) string {
	object := fields{"operation": operation, "section": section, "payload": payload, "rationale": "r"}
	if target != "" {
		object["target_id"] = target
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("```delta\n%s\n```\n", data)
}

func hypothesis(claim, mechanism string) string {
	return block("ADD", "hypothesis_slate", "",
		fields{"name": "one", "claim": claim, "mechanism": mechanism, "anchors": []string{"inference"}})
}

func reword(field, text string) string {
	return block("EDIT", "hypothesis_slate", "H1", fields{field: text})
}

func attackItem(attack, status string) string {
	return block("ADD", "adversarial_critique", "", fields{"name": "Too much", "attack": attack, "evidence": "none",
		"current_status": status})
}

func itemStatus(status string) string {
	return block("EDIT", "adversarial_critique", "C1", fields{"current_status": status})
}

func killItem() string {
	return block("KILL", "adversarial_critique", "C1", fields{"reason": "done"})
}

// delta posts a DELTA; head is what stands before its blocks.
func (th *thread) delta(from, head string, blocks ...string) int64 {
	th.t.Helper()
	word := map[string]string{"Operator": "human", "Alice": "human"}[from]
	if word == "" {
		word = "gpt"
	}
	return th.post(from, "DELTA["+word+"]: more", "# Delta\n\n"+head+"\n\n"+strings.Join(blocks, "\n"), 0)
}

func (th *thread) critique(from, target string) int64 {
	th.t.Helper()
	return th.post(from, "CRITIQUE: Too much",
		"# Critique: Too much\n\n## Target\n**Item**: "+target+
			"\n\n## Attack\nIt explains everything.\n\n## Evidence\nNone.\n\n## Severity\nCritical\n", 0)
}

// answer is a DELTA that replies to a critique; it changes what no review looks at.
func (th *thread) answer(from string, id int64, blocks ...string) int64 {
	th.t.Helper()
	if len(blocks) == 0 {
		blocks = []string{block("EDIT", "research_thread", "", fields{"why_it_matters": fmt.Sprint("because ", th.id)})}
	}
	return th.delta(from, fmt.Sprintf("**Action**: Response to #%d", id), blocks...)
}

func (th *thread) rebut(from string, id int64) int64 {
	th.t.Helper()
	return th.post(from, fmt.Sprintf("INFO: Rebuttal of critique #%d", id), "# Rebuttal\n\nNo.\n", 0)
}

func (th *thread) promote(from string, id int64, status string) int64 {
	th.t.Helper()
	return th.delta(from, fmt.Sprintf("**Promotes**: #%d", id), attackItem("It explains everything.", status))
}

func (th *thread) review() science.Review {
	return science.NewReview(science.ReviewInput{
		Artifact: th.view.Fold.Artifact(), Science: th.view.Science, Attacks: th.view.Attacks(),
		Family: func(name string) string { return families[name] },
	})
}

// TestReviewStates has a case for each sentence about states, attacks and authors (SCIENCE 8). want is the state of H1, then
// its attacks as from:state, with * for those that are current.
func TestReviewStates(t *testing.T) {
	for _, test := range []struct {
		name string
		play func(*thread)
		want string
	}{
		{"nobody", func(*thread) {}, "unreviewed"},
		{"another hypothesis", func(th *thread) { th.answer("Claude1", th.critique("Codex", "H2")) }, "unreviewed"},
		{"open", func(th *thread) { th.critique("Codex", "H1") }, "contested Codex:open*"},
		{"every id in its Target", func(th *thread) { th.critique("Codex", "H2 and H1") }, "contested Codex:open*"},
		{"another family", func(th *thread) { th.answer("Claude1", th.critique("Codex", "H1")) }, "reviewed Codex:answered*"},
		{"a rejected answer", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"), block("EDIT", "hypothesis_slate", "H9", fields{"claim": "x"}))
		},
			"contested Codex:open*"},
		{"a convener's rebuttal", func(th *thread) { th.rebut("Operator", th.critique("Codex", "H1")) }, "reviewed Codex:answered*"},
		{"an agent's rebuttal", func(th *thread) { th.rebut("Claude1", th.critique("Codex", "H1")) }, "contested Codex:open*"},
		{"its own family", func(th *thread) { th.answer("Codex", th.critique("Claude2", "H1")) }, "provisional Claude2:answered*"},
		{"an unknown critic", func(th *thread) { th.answer("Codex", th.critique("Odd", "H1")) }, "provisional Odd:answered*"},
		{"a person", func(th *thread) { th.answer("Claude1", th.critique("Alice", "H1")) }, "reviewed Alice:answered*"},
		{"a person who wrote it", func(th *thread) {
			th.delta("Alice", "", reword("mechanism", "by another way"))
			th.answer("Claude1", th.critique("Alice", "H1"))
		}, "provisional Alice:answered*"},
		{"the family of a second author", func(th *thread) {
			th.delta("Codex", "", reword("mechanism", "by another way"))
			th.answer("Claude1", th.critique("Codex", "H1"))
		}, "provisional Codex:answered*"},
		{"a third family", func(th *thread) {
			th.delta("Codex", "", reword("mechanism", "by another way"))
			th.answer("Claude1", th.critique("Gem", "H1"))
		}, "reviewed Gem:answered*"},
		{"an author of unknown family", func(th *thread) {
			th.delta("Odd", "", reword("mechanism", "by another way"))
			th.answer("Claude1", th.critique("Codex", "H1"))
		}, "provisional Codex:answered*"},
		{"who added it stays an author", func(th *thread) {
			th.delta("Codex", "", reword("claim", "another"), reword("mechanism", "by another way"))
			th.answer("Codex", th.critique("Claude2", "H1"))
		}, "provisional Claude2:answered*"},
		{"an edit that changes nothing writes nothing", func(th *thread) {
			th.delta("Codex", "", reword("claim", "  Cells   TURN. "))
			th.answer("Claude1", th.critique("Codex", "H1"))
		}, "reviewed Codex:answered*"},
		{"an edit of spaces leaves a review alone", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"))
			th.delta("Gem", "", reword("claim", "cells turn!"))
		}, "reviewed Codex:answered*"},
		{"a claim that changed", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"))
			th.delta("Claude1", "", reword("claim", "cells turn left"))
		}, "outdated Codex:answered"},
		{"a mechanism that changed", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"), reword("mechanism", "by another way"))
		}, "outdated Codex:answered"},
		{"a name that changed", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"), reword("name", "another"))
		}, "reviewed Codex:answered*"},
		{"words that came back", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"), reword("claim", "cells turn left"))
			th.delta("Claude1", "", reword("claim", "Cells turn"))
		}, "reviewed Codex:answered*"},
		{"the critic closes it after an answer", func(th *thread) {
			id := th.critique("Codex", "H1")
			th.answer("Claude1", id, reword("claim", "cells turn left"))
			th.answer("Codex", id)
		}, "reviewed Codex:answered*"},
		{"the critic closes it before an answer", func(th *thread) {
			id := th.critique("Codex", "H1")
			th.delta("Claude1", "", reword("claim", "cells turn left"))
			th.answer("Codex", id)
			th.answer("Claude1", id)
		}, "outdated Codex:answered"},
		{"the claim changes after the critic closed it", func(th *thread) {
			id := th.critique("Codex", "H1")
			th.answer("Claude1", id, reword("claim", "cells turn left"))
			th.answer("Codex", id)
			th.delta("Claude1", "", reword("claim", "cells turn right"))
		}, "outdated Codex:answered"},
		{"outdated by one, provisional by another", func(th *thread) {
			th.answer("Claude1", th.critique("Codex", "H1"), reword("claim", "cells turn left"))
			th.answer("Claude1", th.critique("Claude2", "H1"))
		}, "outdated Codex:answered Claude2:answered*"},
		{"only its critic closed it", func(th *thread) { th.answer("Codex", th.critique("Codex", "H1")) }, "unreviewed Codex:withdrawn*"},
		{"the convener is the critic", func(th *thread) {
			th.rebut("Operator", th.critique("Operator", "H1"))
		}, "unreviewed Operator:withdrawn*"},
		{"its critic, then another", func(th *thread) {
			id := th.critique("Codex", "H1")
			th.answer("Codex", id)
			th.answer("Claude1", id)
		}, "reviewed Codex:answered*"},
		{"an item", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
		}, "contested Codex:open*"},
		{"an item that another resolved", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Claude1", "", itemStatus("Resolved: said so"))
		}, "reviewed Codex:answered*"},
		{"an item that another killed", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Claude1", "", killItem())
		}, "reviewed Codex:answered*"},
		{"an item that its critic resolved", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Codex", "", itemStatus("resolved"))
		}, "unreviewed Codex:withdrawn*"},
		{"an item that its critic resolved after a change that answers it", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Claude1", "**Action**: Response to C1", reword("claim", "cells turn left"))
			th.delta("Codex", "", itemStatus("resolved"))
		}, "reviewed Codex:answered*"},
		{"an item to which its critic only speaks after an answer", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Claude1", "**Action**: Response to C1", reword("claim", "cells turn left"))
			th.delta("Codex", "**Action**: Response to C1", reword("name", "left"))
			th.delta("Claude1", "", itemStatus("resolved"))
		}, "outdated Codex:answered"},
		{"an item with an answer that is still open", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Claude1", "**Action**: Response to C1", reword("claim", "cells turn left"))
		}, "contested Codex:open"},
		{"an item that was opened again", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "open"))
			th.delta("Claude1", "", itemStatus("rejected"))
			th.delta("Codex", "", itemStatus("open: no"))
		}, "contested Codex:open*"},
		{"an item that was born settled", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "resolved"))
		}, "unreviewed Codex:withdrawn*"},
		{"an item that was born settled and settled again by another", func(th *thread) {
			th.delta("Codex", "", attackItem("H1 explains too much.", "resolved"))
			th.delta("Claude1", "", itemStatus("accepted"))
		}, "unreviewed Codex:withdrawn*"},
		{"an item that an author lets name another hypothesis", func(th *thread) {
			th.delta("Codex", "", attackItem("H2 explains too much.", "open"))
			th.delta("Claude1", "", block("EDIT", "adversarial_critique", "C1", fields{"attack": "H1 and H2 explain too much."}))
			th.delta("Operator", "", itemStatus("resolved"))
		}, "provisional Claude1:answered*"},
		{"a promoted critique is one attack, the critic's", func(th *thread) {
			th.promote("Operator", th.critique("Codex", "H1"), "open")
		}, "contested Codex:open*"},
		{"a promoted critique whose item was resolved by its critic", func(th *thread) {
			th.promote("Operator", th.critique("Codex", "H1"), "open")
			th.delta("Codex", "", itemStatus("resolved"))
		}, "unreviewed Codex:withdrawn*"},
		{"a promoted critique whose item was resolved by another", func(th *thread) {
			th.promote("Operator", th.critique("Codex", "H1"), "open")
			th.delta("Claude1", "", itemStatus("resolved"))
		}, "reviewed Codex:answered*"},
		{"a promoted critique is bound to what it attacked", func(th *thread) {
			id := th.critique("Codex", "H1")
			th.delta("Claude1", "", reword("claim", "cells turn left"))
			th.promote("Operator", id, "open")
			th.delta("Claude1", "", itemStatus("resolved"))
		}, "outdated Codex:answered"},
		{"a promotion that names it in its subject", func(th *thread) {
			id := th.critique("Codex", "H1")
			th.post("Operator", fmt.Sprintf("DELTA[human]: Promote critique %d", id),
				"# D\n\n"+attackItem("H1 explains everything.", "open"), 0)
		}, "contested Codex:open*"},
		{"a promoted critique whose item names it", func(th *thread) {
			id := th.critique("Codex", "H2")
			th.delta("Operator", fmt.Sprintf("**Promotes**: #%d", id), attackItem("H1 explains everything.", "open"))
		}, "contested Codex:open*"},
		{"a promotion that no convener made", func(th *thread) {
			th.promote("Claude1", th.critique("Codex", "H1"), "resolved")
		}, "contested Codex:open*"},
		{"killed", func(th *thread) {
			th.critique("Codex", "H1")
			th.delta("Claude1", "", block("KILL", "hypothesis_slate", "H1", fields{"reason": "refuted"}))
		}, "killed Codex:open*"},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("Claude1", "", hypothesis("Cells turn", "by a motor"), hypothesis("Two", "m"), hypothesis("Three", "m"))
			test.play(th)
			h := th.review().Hypotheses[0]
			got := []string{string(h.State)}
			for _, e := range h.Attacks {
				got = append(got, e.From+":"+string(e.State)+map[bool]string{true: "*"}[e.Current])
			}
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%s, want %s", text, test.want)
			}
		})
	}
}

// TestAuthors: who added it, and who wrote claim and mechanism as they stand.
func TestAuthors(t *testing.T) {
	th := newThread(t)
	th.delta("Claude1", "", hypothesis("Cells turn", "by a motor"))
	th.delta("Codex", "", reword("claim", "cells turn left"))
	th.delta("Gem", "", reword("mechanism", "By a motor."))
	h := th.review().Hypotheses[0]
	if !slices.Equal(h.Authors, []string{"Claude1", "Codex"}) || !slices.Equal(h.Families, []string{"anthropic", "openai"}) {
		t.Errorf("authors %v of %v", h.Authors, h.Families)
	}
}

// TestReviewDebt: each open attack once, on active hypotheses; ages end with the answer or the thread's last message, whatever
// its type.
func TestReviewDebt(t *testing.T) {
	th := newThread(t)
	th.delta("Claude1", "", hypothesis("Cells turn", "m"), hypothesis("Two", "m"), hypothesis("Three", "m"))
	answered := th.critique("Gem", "H1")
	th.critique("Gem", "H1 and H2")
	th.critique("Gem", "H3")
	th.delta("Codex", "", attackItem("H2 is dull.", "open"))
	th.answer("Claude1", answered)
	th.delta("Claude1", "", block("KILL", "hypothesis_slate", "H3", fields{"reason": "refuted"}))
	th.post("Operator", "COMPILED: v1 more", "# Compiled Artifact v1\n", 0)
	r := th.review()
	if r.Debt.Open != 2 || r.Debt.Critical != 1 || r.Debt.OldestSeconds == nil || *r.Debt.OldestSeconds != 5*60 {
		t.Errorf("debt %+v", r.Debt)
	}
	if a := r.Hypotheses[0].Attacks; a[0].AgeSeconds != 4*60 || a[1].AgeSeconds != 5*60 {
		t.Errorf("ages %+v", a)
	}
	if d := newThread(t).review().Debt; d.OldestSeconds != nil || d.Open != 0 {
		t.Errorf("debt of nothing: %+v", d)
	}
}

// TestNotReviewed: each survivor that is not reviewed is named, with what would help in its state.
func TestNotReviewed(t *testing.T) {
	for _, test := range []struct {
		name         string
		play         func(*thread)
		message, fix string
	}{
		{"contested", func(th *thread) { th.critique("Codex", "H1") }, "H1 is contested: in #3.", "Answer #3."},
		{"unreviewed", func(*thread) {}, "H1 is unreviewed: never attacked.", "Ask an agent of another family, or a person, to attack H1."},
		{"withdrawn", func(th *thread) { th.answer("Codex", th.critique("Codex", "H1")) },
			"H1 is unreviewed: every attack was withdrawn.", "Ask an agent of another family, or a person, to attack H1."},
		{"provisional", func(th *thread) { th.answer("Codex", th.critique("Claude2", "H1")) },
			"H1 is provisional: only by anthropic, its own family.",
			"Ask an agent of another family than anthropic, or a person, to attack H1."},
		{"provisional, unknown", func(th *thread) { th.answer("Codex", th.critique("Odd", "H1")) },
			"H1 is provisional: only by an unknown family.", "Ask an agent of another family than anthropic, or a person, to attack H1."},
		{"outdated", func(th *thread) { th.answer("Claude1", th.critique("Codex", "H1"), reword("claim", "another")) },
			"H1 is outdated: changed since #3.", "Ask Codex (openai) to attack H1 as it stands, or to close #3 again."},
	} {
		t.Run(test.name, func(t *testing.T) {
			th := newThread(t)
			th.delta("Claude1", "", hypothesis("Cells turn", "by a motor"))
			test.play(th)
			f := th.review().Findings()
			if len(f) != 1 || f[0].Code != protocol.NotReviewed || f[0].Item != "H1" || f[0].Message != test.message ||
				f[0].Fix != test.fix {
				t.Errorf("findings %+v", f)
			}
		})
	}
}
