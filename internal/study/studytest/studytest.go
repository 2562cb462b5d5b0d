// Package studytest has a small session for the tests of whatever shows a study.
package studytest

import (
	"encoding/json"
	"fmt"
	"time"

	"brenner/internal/artifact"
	"brenner/internal/artifact/merge"
	"brenner/internal/message"
	"brenner/internal/protocol"
	"brenner/internal/science"
	"brenner/internal/study"
)

// Links leads to anchors.
type Links struct{}

// Item is an anchor.
func (Links) Item(id artifact.ItemID) string { return "#" + string(id) }

// Message is an anchor.
func (Links) Message(id int64) string { return fmt.Sprint("#m", id) }

type fields map[string]any

func block(operation, section, target string, payload fields) string {
	object := fields{"operation": operation, "section": section, "payload": payload, "rationale": "r"}
	if target != "" {
		object["target_id"] = target
	}
	data, _ := json.Marshal(object)
	return fmt.Sprintf("```delta\n%s\n```\n", data)
}

func hypothesis(name string) string {
	return block("ADD", "hypothesis_slate", "", fields{"name": name, "claim": name, "mechanism": "m", "anchors": []string{"inference"}})
}

func trial(name string, expected fields) string { return scored(name, 3, expected) }

func scored(name string, ratio int, expected fields) string {
	return block("ADD", "discriminative_tests", "", fields{
		"name": name, "procedure": "look", "discriminates": "all", "expected_outcomes": expected,
		"score": fields{"likelihood_ratio": ratio, "cost": 3, "speed": 3, "ambiguity": 3},
	})
}

func believes(credences fields) string {
	data, _ := json.Marshal(fields{"credences": credences})
	return fmt.Sprintf("```belief\n%s\n```\n", data)
}

// post is a message of the session.
type post struct{ from, subject, body string }

// Sample is a small session: three explanations, three tests, one result, one kill.
func Sample() (*study.Study, *artifact.Artifact) { return build() }

// Replaced is the sample, in which RedSky (#110) then found something else than Operator (#70) had.
func Replaced() *study.Study {
	s, _ := build(post{"RedSky", "DELTA[opus]: again", "# D\n\n" + block("EDIT", "discriminative_tests", "T1", fields{
		"status": "passed", "last_run": fields{"outcome": "Kept"}, "evidence_refs": []string{"EV-002"},
	})})
	return s
}

// Reasons is what the sample arranges of why belief is what it is.
func Reasons() (study.Why, study.Known) { return reasons(sample()) }

// RepeatedReasons is that where RedSky (#110) repeated what Operator (#70) had found.
func RepeatedReasons() (study.Why, study.Known) {
	return reasons(sample(post{"RedSky", "DELTA[opus]: again", "# D\n\n" + block("EDIT", "discriminative_tests", "T1", fields{
		"status": "passed", "last_run": fields{"outcome": "Lost", "replicates": 70, "evidence": []string{"EV-002"}},
	})}))
}

func reasons(posts []post) (study.Why, study.Known) {
	src := source(posts)
	s, reasons := study.New(src), src.Account.Reasons()
	return study.NewWhy(s, src, &reasons), study.NewKnown(s, src, &reasons)
}

// Blunt is a session whose only test has a score that leaves its two explanations equally likely.
func Blunt() (*study.Study, *artifact.Artifact) {
	return play([]post{
		{"Operator", "KICKOFF: Why?", "# Why?\n\n## Research Question\nWhy?\n\n## Context\nBecause.\n"},
		{"BlueLake", "DELTA[gpt]: slate", "# D\n\n" + hypothesis("one") + "\n" + hypothesis("two")},
		{"RedSky", "DELTA[opus]: tests", "# D\n\n" + scored("blunt", 0, fields{"H1": "kept", "H2": "lost"})},
	})
}

func build(more ...post) (*study.Study, *artifact.Artifact) { return play(sample(more...)) }

func sample(more ...post) []post {
	return append([]post{
		{"Operator", "KICKOFF: Why?", "# Why?\n\n## Research Question\nWhy?\n\n## Context\nBecause.\n"},
		{"BlueLake", "DELTA[gpt]: slate", "# D\n\n" + hypothesis("one") + "\n" + hypothesis("two") + "\n" + hypothesis("three")},
		{"RedSky", "DELTA[opus]: tests", "# D\n\n" + trial("first", fields{"H1": "kept", "H2": "Lost.", "H3": "lost"}) + "\n" +
			trial("second", fields{"H1": "red", "H2": "blue", "H3": "-"}) + "\n" + trial("third", fields{"H1": "x", "H2": "x"})},
		{"BlueLake", "INFO: mine", "# I\n\n" + believes(fields{"H1": 0.3, "H2": 0.5, "H3": 0.1})},
		{"RedSky", "INFO: mine", "# I\n\n" + believes(fields{"H1": 0.5, "H2": 0.2, "H3": 0.1})},
		{"Operator", "COMPILED: v1 first", "# Compiled v1\n"},
		{"Operator", "DELTA[human]: found", "# D\n\n" + block("EDIT", "discriminative_tests", "T1", fields{
			"status": "passed", "last_run": fields{"outcome": "Lost"}, "evidence_refs": []string{"EV-001"},
		})},
		{"BlueLake", "DELTA[gpt]: after",
			"# D\n\n" + block("EDIT", "discriminative_tests", "T1", fields{"expected_outcomes": fields{"H1": "lost"}})},
		{"BlueLake", "DELTA[gpt]: end", "# D\n\n" + block("KILL", "hypothesis_slate", "H3", fields{"reason": "It says nothing."})},
		{"Operator", "COMPILED: v2 second", "# Compiled v2\n"},
	}, more...)
}

// play folds messages and arranges what they come to.
func play(posts []post) (*study.Study, *artifact.Artifact) {
	src := source(posts)
	return study.New(src), src.Artifact
}

// source folds messages.
func source(posts []post) study.Source {
	fold, state := merge.New("RS-20260110-cells-turn"), &science.State{}
	for i, m := range posts {
		msg := message.Message{
			ID: int64(10 * (i + 1)), ThreadID: fold.ThreadID(), From: m.from, Subject: m.subject, Body: m.body,
			CreatedAt: time.Date(2026, 1, 10, 10, i, 0, 0, time.UTC), Intake: protocol.Strict,
		}
		report := fold.Fold(msg)
		state.Advance(&msg, &report, fold.Artifact())
	}
	now := state.Snapshot()
	account := now.Account(now.People(nil, func(a science.Agent) string { return a.Name }))
	return study.Source{
		Artifact: fold.Artifact(), Science: now, Account: account, Ranking: account.Next(science.ByBitsPerEffort), Links: Links{},
		Register: now.PredictionReport(nil),
		Cast:     study.NewCast([]string{"BlueLake", "RedSky", "Operator"}, func(name string) bool { return name == "Operator" }),
		Attacks: map[artifact.ItemID][]study.Attack{"H2": {{MessageID: 70, From: "RedSky", Title: "too easy", Severity: "Critical",
			State: science.AttackOpen}}},
	}
}
